/** Moving a slider changes the files of the monitors; settings from provisioning files. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { Listener } from './listener.ts';
import { GETH, PACKAGES } from './packages.testing.ts';
import { Folder, manifest } from './provisioning.testing.ts';
import { expectProblem, TestBridge } from './support.ts';
import { endpoint, endpointOf, from, overview, packageOf, patch, PEERS, register } from './thresholds.testing.ts';

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

async function start(monitors: object): Promise<TestBridge> {
  const bridge = await TestBridge.start({ monitors });
  onTestFinished(() => bridge.dispose());
  return bridge;
}

/** A Prometheus query, as in real packages. */
const CPU = {
  correlationId: 'host-cpu',
  url: 'http://prometheus.example:9090/api/v1/query?query=100*avg(rate(cpu%5B2m%5D))',
  conditions: ['[BODY].data.result[0].value[1] <= 80'],
  metric: { min: 0, max: 100, unit: '%' },
};

test('the files of Gatus and Prometheus contain the new value, and an event is sent', async () => {
  const folder = temporaryFolder();
  const [gatusConfig, prometheusRules] = [path.join(folder, 'gatus.yaml'), path.join(folder, 'rules.yaml')];
  const bridge = await start({ gatusConfig, prometheusRules, bridgeUrl: 'http://bridge.example:8080' });
  const conditions = async () => {
    const { endpoints } = parse(await readFile(gatusConfig, 'utf8')) as { endpoints: { conditions: string[] }[] };
    return endpoints.flatMap((one) => one.conditions);
  };
  await register(bridge, { endpoints: [CPU, PEERS] });
  await eventually(async () => expect(await conditions()).toEqual([CPU.conditions[0], PEERS.conditions![0]]));
  const listener = await Listener.connect(bridge);
  expect((await patch(bridge, 'host-cpu', { threshold: 85.5 })).status).toBe(200);
  await eventually(async () => {
    const { effects, cautions } = await endpointOf(bridge, 'host-cpu');
    expect(effects).toMatchObject([
      { monitor: 'gatus', state: 'applied', reason: 'Gatus truncates decimals and compares with 85.' },
      { monitor: 'prometheus', state: 'applied' },
    ]);
    expect(cautions).toEqual(['Gatus truncates decimals and compares with 85.']);
  });
  expect(await conditions()).toEqual(['[BODY].data.result[0].value[1] <= 85.5', PEERS.conditions![0]]);
  expect(await readFile(prometheusRules, 'utf8')).toMatch(/\(\n *100\*avg\(rate\(cpu\[2m\]\)\)\n *\) > 85\.5\n/);
  expect(await readFile(gatusConfig, 'utf8')).toContain('http://bridge.example:8080/api/v1/webhooks/gatus');
  // When it is set, and when it is synced.
  await listener.until((heard) => heard.type === 'settings' && heard.data.dnpName === undefined);
  await listener.close();
  await bridge.call('PATCH', `${PACKAGES}/${GETH}/settings`, { enabled: false });
  await eventually(async () => expect(await conditions()).toEqual(['[STATUS] < 500']));
});

test('a file that cannot be written leaves the setting pending, with the reason, until it can', async () => {
  const folder = path.join(temporaryFolder(), 'later');
  const bridge = await start({ gatusConfig: path.join(folder, 'gatus.yaml') });
  await register(bridge, { endpoints: [PEERS] });
  await patch(bridge, 'geth-peers', { threshold: 20 });
  await eventually(async () => {
    const { effects } = await endpointOf(bridge, 'geth-peers');
    expect(effects).toMatchObject([
      { monitor: 'gatus', state: 'pending', reason: expect.stringContaining('ENOENT'), nextTryAt: expect.any(String) },
    ]);
  });
  expect((await overview(bridge)).monitors).toMatchObject([{ monitor: 'gatus', state: 'pending' }]);
  await mkdir(folder);
  // Another change triggers a retry.
  await patch(bridge, 'geth-peers', { threshold: 21 });
  await eventually(async () => {
    expect((await endpointOf(bridge, 'geth-peers')).effects).toMatchObject([{ state: 'applied' }]);
  });
  expect(await readFile(path.join(folder, 'gatus.yaml'), 'utf8')).toContain('[BODY].result >= 21');
});

test('provisioned settings take precedence over those of admins, and can only be changed in the file', async () => {
  const notifications = JSON.stringify({ endpoints: [endpoint(PEERS)] });
  const yaml = (settings: string) =>
    `apiVersion: 1\npackages:\n  - manifest: geth.json\n    notifications: notifications.json\n    settings: ${settings}\n`;
  const files = { 'geth.json': manifest(GETH), 'notifications.json': notifications };
  const folder = await Folder.make({ 'all.yaml': yaml('{ endpoints: { geth-peers: { threshold: 30 } } }'), ...files });
  const running = await folder.start();
  const { bridge } = running;
  expect((await endpointOf(bridge, 'geth-peers')).threshold).toMatchObject({
    value: 30,
    shipped: 10,
    origin: 'provisioned',
    file: 'all.yaml',
  });
  expect(expectProblem(await patch(bridge, 'geth-peers', { threshold: 20 }), 409).detail).toContain('all.yaml');
  expect((await patch(bridge, 'geth-peers', { enabled: false })).status).toBe(200);

  await folder.write({
    'all.yaml': yaml('{ endpoints: { geth-peers: { threshold: 51 }, geth-pers: { enabled: true } } }'),
  });
  await eventually(async () => {
    const { problems, endpoints } = await packageOf(bridge);
    expect(problems).toEqual([
      { file: 'all.yaml', line: 5, column: expect.any(Number), detail: expect.stringContaining('from 0 to 50 peers') },
    ]);
    expect(endpoints[0]!.threshold?.value).toBe(30);
  });

  await folder.write({ 'all.yaml': yaml('{ enabled: false }') });
  await eventually(async () => {
    expect(await packageOf(bridge)).toMatchObject({
      enabled: { value: false, origin: 'provisioned', file: 'all.yaml' },
      endpoints: [{ threshold: { value: 10, origin: 'package' }, enabled: { value: false, origin: 'user' } }],
      problems: [],
    });
  });
  expect((await bridge.send(from('anything'))).muted).toBe(true);
  expectProblem(await bridge.request('PATCH', `${PACKAGES}/${GETH}/settings`, { enabled: true }), 409);
  await folder.write({ 'all.yaml': yaml('{}') });
  await eventually(async () => expect((await packageOf(bridge)).enabled.value).toBe(true));
  expect((await bridge.send(from('anything'))).muted).toBe(false);
});

test('an invalid provisioned notifications file: the previous one stays in effect, and errors have lines', async () => {
  const yaml = 'apiVersion: 1\npackages: [{ manifest: geth.json, notifications: notifications.yaml }]\n';
  const good = JSON.stringify({ endpoints: [endpoint(PEERS)] });
  const folder = await Folder.make({ 'all.yaml': yaml, 'geth.json': manifest(GETH), 'notifications.yaml': good });
  const { bridge } = await folder.start();
  await patch(bridge, 'geth-peers', { threshold: 20 });
  await folder.write({ 'notifications.yaml': 'endpoints:\n  - name: "x\n' });
  await eventually(async () => {
    const { problems, endpoints } = await packageOf(bridge);
    expect(problems[0]).toMatchObject({ file: 'notifications.yaml', line: expect.any(Number) });
    expect(endpoints[0]!.threshold?.value).toBe(20);
  });
});
