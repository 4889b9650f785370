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
let store: () => Promise<void>;
let errors: string[];
beforeEach(async () => {
  dir = temporaryFolder();
  followed = undefined;
  store = () => Promise.resolve();
  errors = [];
  chains = createChainOverrides(() => undefined);
  const none = { files: () => [], owner: () => undefined, ofFile: () => [], provision: () => Promise.resolve() };
  const deps = {
    registry: { provisionedFiles: () => [], applyProvisioned: () => ({ applied: true }) },
    senders: { ...none, list: () => [] },
    channels: { ...none, ownerOf: () => undefined, calendars: none },
    suppression: { ...none, load: () => Promise.resolve() },
    ...{ dir, env: {}, chains, heartbeats: none, categories: () => [], mappings: () => [] },
    ...{ retentionFile: () => undefined, isAdminHash: () => false, store: () => store() },
    followed: () => Promise.resolve(followed),
    share: async (report: () => Promise<ProvisioningReport>) => (followed = await report()),
    ...{
      now: () => 0,
      log: { info: () => undefined, warn: () => undefined, error: (_: object, line: string) => void errors.push(line) },
    },
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

test.each([
  ['no packages', '', 'It is retried within a minute.'],
  ['packages', 'packages: [{ manifest: a.json }]\n', 'Its packages are applied, the rest is retried within a minute.'],
])('a file of %s that cannot be stored reports which part is applied', async (_which, packages, detail) => {
  const required = { type: 'service', description: 'A package.', license: 'MIT' };
  await writeFile(path.join(dir, 'a.json'), JSON.stringify({ name: NODE, version: '1.0.0', ...required }));
  await writeFile(path.join(dir, 'a.yaml'), `apiVersion: 1\n${packages}categories: { hardware: false }\n`);
  store = () => Promise.reject(new Error('The disk is full.'));
  await lead();
  expect(errors).toEqual([`a.yaml:1:1 The disk is full. ${detail}`]);
  expect(await filesOf()).toEqual(['a.yaml failed']);
  // Their packages do not show it: there the previous version would be said to be in effect.
  expect([...(await service.mistakes())]).toEqual([['a.yaml', []]]);
});
