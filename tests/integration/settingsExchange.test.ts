/** Export and import of settings, and their history. */
import { expect, test } from 'vitest';
import { GETH, PACKAGES } from './packages.testing.ts';
import { expectProblem, MINUTE, START, type TestBridge } from './support.ts';
import { endpointOf, patch, PEERS, register, remove, update, withBridge } from './thresholds.testing.ts';

const SETTINGS = '/api/v1/settings';
const exported = (bridge: TestBridge) => bridge.call('GET', SETTINGS);
const put = (bridge: TestBridge, settings: unknown, more: object = {}) =>
  bridge.request('POST', SETTINGS, { settings, ...more });

async function set(bridge: TestBridge): Promise<void> {
  await register(bridge, { endpoints: [PEERS, { ...PEERS, correlationId: 'geth-disk' }] });
  await patch(bridge, 'geth-peers', { threshold: 20.5, enabled: false }, { user: 'ada' });
  await patch(bridge, 'geth-disk', { threshold: 0 });
  await bridge.call('PATCH', `${PACKAGES}/${GETH}/settings`, { enabled: false });
  await bridge.switchCategory('hardware', false);
}

const DOCUMENT = {
  apiVersion: 1,
  categories: { hardware: false },
  packages: {
    [GETH]: {
      enabled: false,
      endpoints: {
        'geth-disk': { threshold: 0, of: '[BODY].result >=' },
        'geth-peers': { enabled: false, threshold: 20.5, of: '[BODY].result >=' },
      },
    },
  },
};

test('an export of one bridge can be imported by another, before its packages are registered', async () => {
  const document = await withBridge(async (bridge) => {
    expect(await exported(bridge)).toEqual({ apiVersion: 1 });
    await set(bridge);
    return exported(bridge);
  });
  expect(document).toEqual(DOCUMENT);
  await withBridge(async (bridge) => {
    const dry = await put(bridge, document, { dryRun: true });
    expect(dry.body).toEqual({
      changed: 5,
      notes: [`${GETH} is not registered: its settings are stored and apply once it is.`],
      rejected: [],
    });
    expect(await exported(bridge)).toEqual({ apiVersion: 1 });
    expect((await put(bridge, JSON.stringify(document))).body.changed).toBe(5);
    expect(await exported(bridge)).toEqual(document);
    expect((await put(bridge, document)).body.changed).toBe(0);
    await register(bridge, { endpoints: [PEERS] });
    expect(await endpointOf(bridge, 'geth-peers')).toMatchObject({
      threshold: { value: 20.5, origin: 'user' },
      enabled: { value: false },
    });
  });
});

test('a value is not applied to an endpoint with another condition', async () => {
  const turned = [{ ...PEERS, conditions: ['[RESPONSE_TIME] < 30ms'] }];
  await withBridge(async (bridge) => {
    await register(bridge, { endpoints: turned });
    expect((await put(bridge, DOCUMENT)).body).toEqual({
      changed: 5,
      notes: [
        `${GETH} has no endpoint "geth-disk": its settings are stored and apply once it has.`,
        `The endpoint "geth-peers" of ${GETH} has no such threshold: it is stored and applies once it has.`,
      ],
      rejected: [],
    });
    expect((await endpointOf(bridge, 'geth-peers')).condition?.effective).toBe('[RESPONSE_TIME] < 30ms');
    expect(await exported(bridge)).toEqual(DOCUMENT);
    await update(bridge, { version: '1.0.1', endpoints: [PEERS] });
    expect((await endpointOf(bridge, 'geth-peers')).condition?.effective).toBe('[BODY].result >= 20.5');

    // Imported before the package is registered, it waits for its condition.
    await remove(bridge);
    const none = {
      apiVersion: 1,
      packages: { [GETH]: { endpoints: { 'geth-new': { threshold: 7, of: '[BODY].x <=' } } } },
    };
    expect((await put(bridge, none)).status).toBe(200);
    await register(bridge, { endpoints: [{ ...PEERS, correlationId: 'geth-new' }] });
    expect((await endpointOf(bridge, 'geth-new')).threshold).toMatchObject({ value: 10, origin: 'package' });
    // It is applied if it matches the condition, or has none.
    const said = {
      apiVersion: 1,
      packages: { [GETH]: { endpoints: { 'geth-new': { threshold: 7, of: '[BODY].result >' } } } },
    };
    expect((await put(bridge, said)).body.changed).toBe(1);
    expect((await endpointOf(bridge, 'geth-new')).threshold).toMatchObject({ value: 7, origin: 'user' });
  });
});

test('a value out of range is left out and listed; the others are applied', async () => {
  await withBridge(async (bridge) => {
    await set(bridge);
    const endpoints = { 'geth-disk': { threshold: 7 }, 'geth-peers': { enabled: true, threshold: 51 } };
    const document = { apiVersion: 1, packages: { [GETH]: { endpoints } } };
    const imported = {
      changed: 2,
      notes: [],
      rejected: [
        {
          pointer: `/settings/packages/${GETH}/endpoints/geth-peers/threshold`,
          found: '51',
          allowed: 'a number from 0 to 50 peers',
          detail: 'The threshold of geth-peers is a number from 0 to 50 peers; found 51 peers.',
        },
      ],
    };
    expect(await put(bridge, document, { dryRun: true })).toMatchObject({ status: 200, body: imported });
    expect(await exported(bridge)).toEqual(DOCUMENT);
    expect(await put(bridge, document)).toMatchObject({ status: 200, body: imported });
    expect((await exported(bridge)).packages[GETH].endpoints).toEqual({
      'geth-disk': { threshold: 7, of: '[BODY].result >=' },
      'geth-peers': { enabled: true, threshold: 20.5, of: '[BODY].result >=' },
    });
  });
});

test('a document with other errors is rejected as a whole, with the position of each', async () => {
  await withBridge(async (bridge) => {
    await set(bridge);
    const before = await exported(bridge);
    const nameless = {
      apiVersion: 1,
      categories: { '': false },
      packages: {
        '': {},
        [GETH]: { endpoints: { '': { enabled: false }, 'geth-peers': { threshold: 5, of: 'peers' } } },
      },
    };
    const refused = expectProblem(await put(bridge, nameless), 400);
    expect(refused.detail).toMatch(/^There are 4 errors in the settings\. The first: The name is missing/);
    expect(refused.errors.map(({ pointer }) => pointer)).toEqual([
      '/settings/packages/',
      `/settings/packages/${GETH}/endpoints/`,
      `/settings/packages/${GETH}/endpoints/geth-peers/of`,
      '/settings/categories/',
    ]);
    const text = 'apiVersion: 1\npackages:\n  x: [\n';
    expect(expectProblem(await put(bridge, text), 400).errors[0]!.detail).toMatch(/^Line [34], column \d+: /);
    const shape = expectProblem(await put(bridge, 'apiVersion: 2\npackages: 3\nmore: 1\n'), 400);
    expect(shape.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/settings/apiVersion',
      '/settings/more',
      '/settings/packages',
    ]);
    expect(await exported(bridge)).toEqual(before);
  });
});

test('the history lists user, time, old and new value, newest first', async () => {
  await withBridge(async (bridge) => {
    await set(bridge);
    bridge.clock.advance(MINUTE);
    await patch(bridge, 'geth-peers', { threshold: null }, { user: 'bob' });
    await patch(bridge, 'geth-peers', { threshold: null }, { user: 'eve' });
    const history = await bridge.call('GET', `${SETTINGS}/history`);
    const endpoint = { dnpName: GETH, correlationId: 'geth-peers' };
    const at = new Date(START).toISOString();
    expect(history).toEqual([
      {
        id: 6,
        at: new Date(START + MINUTE).toISOString(),
        by: 'bob',
        ...endpoint,
        member: 'threshold',
        from: 20.5,
        to: null,
      },
      { id: 5, at, category: 'hardware', member: 'enabled', from: true, to: false },
      { id: 4, at, dnpName: GETH, member: 'enabled', from: null, to: false },
      { id: 3, at, dnpName: GETH, correlationId: 'geth-disk', member: 'threshold', from: null, to: 0 },
      { id: 2, at, by: 'ada', ...endpoint, member: 'threshold', from: null, to: 20.5 },
      { id: 1, at, by: 'ada', ...endpoint, member: 'enabled', from: null, to: false },
    ]);
    const page = await bridge.call<{ id: number }[]>('GET', `${SETTINGS}/history?dnpName=${GETH}&before=4&limit=2`);
    expect(page.map(({ id }) => id)).toEqual([3, 2]);
    expectProblem(await bridge.request('GET', `${SETTINGS}/history?limit=0`), 400);
  });
});
