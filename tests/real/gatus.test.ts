/**
 * A real Gatus with the bridge's configuration file: a slider is moved, and alerts of Gatus arrive in the inbox and resolve. It
 * needs a program `gatus` (5.x), on the PATH or in NODEBELL_GATUS; Debian has no package of it.
 */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../backend-bridge/contract/endpoint.ts';
import { GETH } from '../integration/packages.testing.ts';
import { TestBridge } from '../integration/support.ts';
import { alert, endpointOf, patch, PEERS, register } from '../integration/thresholds.testing.ts';
import { type Child, freeAddress, startChild } from './support/child.ts';
import { until } from './support/until.ts';

const PROGRAM = process.env['NODEBELL_GATUS'] ?? 'gatus';
// Gatus has no option to exit immediately: without a configuration it prints an error and exits.
const isThere = spawnSync(PROGRAM, { env: { GATUS_CONFIG_PATH: '/dev/null' }, timeout: 10_000 }).error === undefined;
function aRealGatus(): void {
  let folder: string;
  let bridge: TestBridge;
  let gatus: Child;
  let peers = 8;
  const node = createServer((_request, response) => response.end(JSON.stringify({ result: peers })));

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'nodebell-gatus-'));
    await new Promise<void>((resolve) => void node.listen(0, '127.0.0.1', resolve));
    bridge = await TestBridge.start({ monitors: { gatusConfig: path.join(folder, 'nodebell.yaml') } });
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const callToAction = { title: 'Look', url: 'https://example.org/peers' };
    await register(bridge, {
      endpoints: [
        {
          ...PEERS,
          url,
          interval: '1s',
          isBanner: true,
          priority: 'high',
          alerts: [alert({ 'failure-threshold': 2 })],
          callToAction,
        },
      ],
    });
    await applied();
    const address = await freeAddress();
    // The operator's own configuration: with storage, open alerts survive a change of the file.
    const own = `web: { address: 127.0.0.1, port: ${address.split(':')[1]} }\nstorage: { type: sqlite, path: ${path.join(folder, 'gatus.db')} }\n`;
    await writeFile(path.join(folder, 'own.yaml'), own);
    gatus = await startChild({
      command: PROGRAM,
      args: [],
      env: { GATUS_CONFIG_PATH: folder },
      url: `http://${address}`,
      readyPath: '/health',
    });
  });
  afterAll(async () => {
    await gatus?.stop();
    await bridge?.dispose();
    node.close();
    await rm(folder, { recursive: true, force: true });
  });

  const applied = (): Promise<Endpoint> =>
    until('what is set is in the file', async () => {
      const one = await endpointOf(bridge, 'geth-peers');
      return one.effects.some(({ monitor, state }) => monitor === 'gatus' && state === 'applied') ? one : undefined;
    });
  const newest = (status: string) =>
    until(`a notification that is ${status}`, async () => {
      const [one] = await bridge.list('correlationId=geth-peers');
      return one?.status === status ? one : undefined;
    });

  it('fires below the threshold, and all members of the notification are present', async () => {
    const one = await newest('triggered');
    expect(one).toMatchObject({
      title: 'Title of geth-peers',
      category: 'ethereum',
      dnpName: GETH,
      priority: 'high',
      isBanner: true,
      source: 'gatus',
      callToAction: { title: 'Look', url: 'https://example.org/peers' },
    });
    expect(one.body).toContain('It is at 10');
    expect(one.body).toContain('[BODY].result');
  });

  it('after the slider is moved below the value, Gatus loads the new number and resolves its alert', async () => {
    expect((await patch(bridge, 'geth-peers', { threshold: 5 })).status).toBe(200);
    await applied();
    expect(await readFile(path.join(folder, 'nodebell.yaml'), 'utf8')).toContain('[BODY].result >= 5');
    const end = await newest('resolved');
    expect(end.thread.state).toBe('resolved');
  });

  it('disabled endpoints are no longer monitored', async () => {
    peers = 1;
    await newest('triggered');
    await patch(bridge, 'geth-peers', { enabled: false });
    await applied();
    expect(await readFile(path.join(folder, 'nodebell.yaml'), 'utf8')).not.toContain('geth-peers');
    await until('Gatus watches nothing', async () => {
      const answer = await fetch(`${gatus.url}/api/v1/endpoints/statuses`);
      return ((await answer.json()) as unknown[]).length === 0 ? true : undefined;
    });
  });
}

if (isThere) {
  describe('a real Gatus', aRealGatus);
} else {
  it('a real Gatus is not tested: not installed', () => {
    process.stdout.write('A real Gatus was not tried: no gatus is on the PATH, and NODEBELL_GATUS names none.\n');
    expect(isThere).toBe(false);
  });
}
