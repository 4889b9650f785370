/** Which file provisions a node when the replica that applies the files changes. */
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../folder.testing.ts';
import { createChainOverrides } from '../monitoring/chains/address.ts';
import { type ProvisioningDeps, type ProvisioningReport, ProvisioningService } from './service.ts';

const NODE = 'geth.dnp.dappnode.eth';

let dir: string;
let followed: ProvisioningReport | undefined;
let chains: ReturnType<typeof createChainOverrides>;
let service: ProvisioningService;
beforeEach(async () => {
  dir = temporaryFolder();
  followed = undefined;
  chains = createChainOverrides(() => undefined);
  const none = { files: () => [], owner: () => undefined, ofFile: () => [], provision: () => Promise.resolve() };
  const deps = {
    registry: { provisionedFiles: () => [], applyProvisioned: () => ({ applied: true }) },
    senders: { ...none, list: () => [] },
    channels: { ...none, ownerOf: () => undefined, calendars: none },
    suppression: { ...none, load: () => Promise.resolve() },
    ...{ dir, env: {}, chains, heartbeats: none, categories: () => [], mappings: () => [] },
    ...{ retentionFile: () => undefined, isAdminHash: () => false, store: () => Promise.resolve() },
    followed: () => Promise.resolve(followed),
    share: async (report: () => Promise<ProvisioningReport>) => (followed = await report()),
    ...{ now: () => 0, log: { info: () => undefined, warn: () => undefined, error: () => undefined } },
  };
  service = new ProvisioningService(deps as unknown as ProvisioningDeps);
  await writeFile(path.join(dir, 'a.yaml'), `apiVersion: 1\nchains: { ${NODE}: { url: 'http://127.0.0.1:8545' } }\n`);
});

/** A term of this replica. */
async function lead(): Promise<void> {
  service.restart();
  await service.reload();
}
const filesOf = async () => (await service.status()).files.map(({ file, state }) => `${file} ${state}`);

test('a file that was renamed while another replica led provisions its node', async () => {
  await lead();
  expect([chains.owner(NODE), await filesOf()]).toEqual(['a.yaml', ['a.yaml applied']]);
  await rename(path.join(dir, 'a.yaml'), path.join(dir, 'b.yaml'));
  await lead();
  expect([chains.owner(NODE), await filesOf()]).toEqual(['b.yaml', ['b.yaml applied']]);
});

test('the status of a replica that no longer leads has the files of the leader only', async () => {
  await lead();
  followed = { state: 'watching', files: [] };
  expect(await filesOf()).toEqual([]);
});
