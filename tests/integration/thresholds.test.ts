/** Settings of endpoints: shipped values, configured values, and which of them survive. */
import { afterEach, describe, expect, test } from 'vitest';
import { GETH, PACKAGES } from './packages.testing.ts';
import { Listener } from './listener.ts';
import { expectProblem, MINUTE, START, useBridge } from './support.ts';
import {
  body,
  endpointOf,
  from,
  overview,
  packageOf,
  patch,
  PEERS,
  register,
  remove,
  update,
} from './thresholds.testing.ts';

const bridge = useBridge();
/** Settings survive removal of the package, so they are reset here. */
afterEach(async () => {
  await bridge().request('DELETE', `${PACKAGES}/${GETH}`);
  const ids = ['geth-peers', 'geth-disk', 'geth-sync', 'geth-block'];
  await register(bridge(), {
    endpoints: ids.map((correlationId) => ({ ...PEERS, correlationId })),
    customEndpoints: [],
  });
  for (const id of ids) {
    await patch(bridge(), id, { enabled: null, threshold: null });
  }
  await bridge().call('PATCH', `${PACKAGES}/${GETH}/settings`, { enabled: null });
  await bridge().request('DELETE', `${PACKAGES}/${GETH}`);
  await bridge().clear();
});

describe('specification, "Threshold slider rules"', () => {
  test('a slider only if the definition has a metric object', async () => {
    await register(bridge(), { endpoints: [PEERS, { correlationId: 'geth-disk', conditions: ['[BODY].free >= 10'] }] });
    expect(await endpointOf(bridge(), 'geth-peers')).toMatchObject({
      threshold: { value: 10, shipped: 10, origin: 'package' },
      metric: { min: 0, max: 50, unit: 'peers', step: 1 },
      sentence: 'alerts below 10 peers',
    });
    const without = await endpointOf(bridge(), 'geth-disk');
    expect([without.threshold, without.metric, without.sentence]).toEqual([undefined, undefined, undefined]);
    expect(without.readOnly).toMatch(/metric/);
  });

  test('its value is that of the first condition, and changing it changes only this number', async () => {
    const conditions = ['len([BODY].items)  >=  10', '[STATUS] == 200'];
    await register(bridge(), { endpoints: [{ ...PEERS, conditions }] });
    const answer = await patch(bridge(), 'geth-peers', { threshold: 12.5 });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      condition: { shipped: 'len([BODY].items)  >=  10', effective: 'len([BODY].items)  >=  12.5' },
      threshold: { value: 12.5, shipped: 10, origin: 'user' },
      sentence: 'alerts below 12.5 peers',
    });
    expect(await endpointOf(bridge(), 'geth-peers')).toEqual(answer.body);
    const own = await bridge().call('GET', `/package-manifest/${GETH}`);
    expect(own.notifications.endpoints[0].conditions).toEqual(['len([BODY].items)  >=  12.5', '[STATUS] == 200']);
  });

  test('a condition without a number is never changed', async () => {
    const conditions = ['[BODY].result == false'];
    await register(bridge(), { endpoints: [{ correlationId: 'geth-sync', conditions, metric: { min: 0, max: 1 } }] });
    const before = await endpointOf(bridge(), 'geth-sync');
    expect(before.threshold).toBeUndefined();
    expect(before.readOnly).toMatch(/false/);
    expectProblem(await patch(bridge(), 'geth-sync', { threshold: 1 }), 400);
    await patch(bridge(), 'geth-sync', { enabled: false });
    const own = await bridge().call('GET', `/package-manifest/${GETH}`);
    expect(own.notifications.endpoints[0]).toMatchObject({ conditions, enabled: false });
  });

  test('a package that evaluates its own threshold reads it in the spelling of DAppNode', async () => {
    const metric = { treshold: 3, min: 0, max: 10, unit: 'blocks' };
    const customEndpoints = [
      { name: 'A block', description: 'x', correlationId: 'geth-block', isBanner: false, enabled: true, metric },
    ];
    await register(bridge(), { customEndpoints });
    const answer = await patch(bridge(), 'geth-block', { threshold: 4 });
    expect(answer.body).toMatchObject({ kind: 'custom', sentence: 'the package alerts at 4 blocks' });
    expect(answer.body.effects).toMatchObject([{ monitor: 'package', state: 'applied' }]);
    const own = await bridge().call('GET', `/package-manifest/${GETH}`);
    expect(own.notifications.customEndpoints).toEqual([{ ...customEndpoints[0], metric: { ...metric, treshold: 4 } }]);
  });
});

describe('specification, "Settings"', () => {
  test('notifications of a disabled endpoint are stored, muted, and not unseen', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    expect((await patch(bridge(), 'geth-peers', { enabled: false })).body.mutedBy).toEqual(['endpoint']);
    expect((await bridge().send(from('geth-peers'))).muted).toBe(true);
    expect((await bridge().send(from('geth-other'))).muted).toBe(false);
    expect((await bridge().send(from('geth-peers', { dnpName: 'other.example.eth' }))).muted).toBe(false);
    expect(await bridge().unseenCount()).toBe(2);
    await patch(bridge(), 'geth-peers', { enabled: null });
    expect((await bridge().send(from('geth-peers'))).muted).toBe(false);
  });

  test('an endpoint that is shipped disabled is off until it is switched on', async () => {
    await register(bridge(), { endpoints: [{ ...PEERS, enabled: false }] });
    expect(await endpointOf(bridge(), 'geth-peers')).toMatchObject({
      enabled: { value: false, shipped: false, origin: 'package' },
    });
    expect((await bridge().send(from('geth-peers'))).muted).toBe(true);
    await patch(bridge(), 'geth-peers', { enabled: true });
    expect((await bridge().send(from('geth-peers'))).muted).toBe(false);
    await patch(bridge(), 'geth-peers', { enabled: null });
    await update(bridge(), { version: '1.0.1', endpoints: [PEERS] });
    expect((await bridge().send(from('geth-peers'))).muted).toBe(false);
  });

  test('the switch of a package mutes all its notifications, and does not change its endpoints', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    const off = await bridge().call('PATCH', `${PACKAGES}/${GETH}/settings`, { enabled: false });
    expect(off).toMatchObject({
      enabled: { value: false, shipped: true, origin: 'user' },
      endpoints: [{ enabled: { value: true }, mutedBy: ['package'] }],
    });
    expect((await bridge().send(from('geth-peers'))).muted).toBe(true);
    expect((await bridge().send(from('anything'))).muted).toBe(true);
    await remove(bridge());
    expect((await bridge().send(from('anything'))).muted).toBe(true);
    await register(bridge(), { endpoints: [PEERS] });
    expect((await packageOf(bridge())).enabled.value).toBe(false);
  });

  test('the switch of a category mutes its endpoints', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    await bridge().switchCategory('ethereum', false);
    expect((await endpointOf(bridge(), 'geth-peers')).mutedBy).toEqual(['category']);
  });

  test('are previewed, and set during registration', async () => {
    const settings = { enabled: false, endpoints: { 'geth-peers': { threshold: 20, enabled: false } } };
    const files = { endpoints: [PEERS], settings };
    const preview = await bridge().call('POST', `${PACKAGES}/preview`, body(files));
    expect(preview.endpoints).toMatchObject([
      { threshold: { value: 20 }, enabled: { value: false }, mutedBy: ['endpoint', 'package'] },
    ]);
    expect((await overview(bridge())).packages).toEqual([]);
    await register(bridge(), files);
    expect(await endpointOf(bridge(), 'geth-peers')).toMatchObject({
      threshold: { value: 20, shipped: 10, origin: 'user' },
      enabled: { value: false },
    });
    await remove(bridge());
    const again = await bridge().call('POST', `${PACKAGES}/preview`, body({ endpoints: [PEERS] }));
    expect(again.endpoints).toMatchObject([{ threshold: { value: 20, origin: 'user' } }]);
    const wrong = { endpoints: { 'geth-peers': { threshold: 51 }, 'geth-pers': { enabled: true } } };
    const problem = expectProblem(
      await bridge().request('POST', PACKAGES, body({ endpoints: [PEERS], settings: wrong })),
      400
    );
    expect(problem.errors.map(({ pointer, detail }) => [pointer, detail])).toEqual([
      ['/settings/endpoints/geth-peers/threshold', expect.stringContaining('from 0 to 50 peers; found 51 peers')],
      ['/settings/endpoints/geth-pers', expect.stringContaining('did you mean geth-peers?')],
    ]);
  });

  test('survive updates, removal and a restart; new recommendations are reported', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    await patch(bridge(), 'geth-peers', { threshold: 20 }, { user: 'ada' });
    await update(bridge(), { version: '1.0.1', endpoints: [{ ...PEERS, conditions: ['[BODY].result >= 15'] }] });
    const threshold = {
      value: 20,
      shipped: 15,
      origin: 'user',
      setBy: 'ada',
      setAt: new Date(START).toISOString(),
      recommends: { from: 10, to: 15, detail: 'The package now recommends 15 peers; you keep 20 peers.' },
    };
    expect((await endpointOf(bridge(), 'geth-peers')).threshold).toEqual(threshold);
    await remove(bridge());
    await bridge().restart();
    await register(bridge(), { version: '1.0.1', endpoints: [{ ...PEERS, conditions: ['[BODY].result >= 15'] }] });
    expect((await endpointOf(bridge(), 'geth-peers')).threshold).toEqual(threshold);
    await patch(bridge(), 'geth-peers', { threshold: null });
    expect((await endpointOf(bridge(), 'geth-peers')).threshold).toEqual({ value: 15, shipped: 15, origin: 'package' });
  });

  test('two tabs are consistent: the other one receives an event', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    const other = await Listener.connect(bridge());
    bridge().clock.advance(MINUTE);
    await patch(bridge(), 'geth-peers', { threshold: 21 });
    await other.until(({ type }) => type === 'settings');
    expect(other.heard.filter(({ type }) => type === 'settings').map(({ data }) => data)).toEqual([
      { dnpName: GETH, correlationId: 'geth-peers' },
    ]);
    await other.close();
  });
});

describe('the condition of a value', () => {
  test('a value outside the new range is kept, with a note, and reading does not change it', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    await patch(bridge(), 'geth-peers', { threshold: 40 });
    const narrow = { ...PEERS, metric: { min: 0, max: 30, unit: 'peers' } };
    await update(bridge(), { version: '1.0.1', endpoints: [narrow] });
    expect((await endpointOf(bridge(), 'geth-peers')).threshold).toMatchObject({
      value: 40,
      outOfRange: '40 peers is not between 0 and 30 peers; it applies until it is changed.',
    });
    expectProblem(await patch(bridge(), 'geth-peers', { threshold: 41 }), 400);
    expect((await patch(bridge(), 'geth-peers', { threshold: 40 })).status).toBe(200);
  });

  test('a new condition does not get the value of the old one', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    await patch(bridge(), 'geth-peers', { threshold: 40 });
    const reordered = { ...PEERS, conditions: ['[STATUS] == 20', '[BODY].result >= 10'] };
    await update(bridge(), { version: '1.0.1', endpoints: [reordered] });
    const { endpoints, leftovers } = await packageOf(bridge());
    expect(endpoints[0]).toMatchObject({
      threshold: { value: 20, origin: 'package' },
      condition: { effective: '[STATUS] == 20' },
    });
    expect(leftovers).toMatchObject([
      { correlationId: 'geth-peers', threshold: 40, detail: expect.stringContaining('[BODY].result') },
    ]);
    await update(bridge(), { version: '1.0.2', endpoints: [PEERS] });
    expect((await endpointOf(bridge(), 'geth-peers')).threshold?.value).toBe(40);
  });

  test('an endpoint that returns has its value; until then it is listed', async () => {
    await register(bridge(), { endpoints: [PEERS] });
    await patch(bridge(), 'geth-peers', { threshold: 40, enabled: false });
    await update(bridge(), { version: '1.0.1', endpoints: [{ ...PEERS, correlationId: 'geth-disk' }] });
    expect((await packageOf(bridge())).leftovers).toMatchObject([
      { correlationId: 'geth-peers', threshold: 40, enabled: false },
    ]);
    await update(bridge(), { version: '1.0.2', endpoints: [PEERS] });
    expect(await endpointOf(bridge(), 'geth-peers')).toMatchObject({
      threshold: { value: 40 },
      enabled: { value: false, shipped: true, origin: 'user' },
    });
  });
});

test('requirements determine whether an endpoint is active, and the reason is reported', async () => {
  const requirements = {
    pkgsInstalled: { 'prysm.dnp.dappnode.eth': '>=1.2.0' },
    pkgsNotInstalled: ['x.dnp.dappnode.eth'],
  };
  await register(bridge(), { endpoints: [{ ...PEERS, requirements }] });
  const inactive = await endpointOf(bridge(), 'geth-peers');
  expect([inactive.active, inactive.inactive]).toEqual([
    false,
    'It requires prysm.dnp.dappnode.eth >=1.2.0, which is not registered.',
  ]);
  await register(bridge(), { name: 'prysm.dnp.dappnode.eth', version: '1.1.0' });
  expect((await endpointOf(bridge(), 'geth-peers')).inactive).toContain('1.1.0 is registered');
  await update(bridge(), { name: 'prysm.dnp.dappnode.eth', version: '1.2.0' });
  expect(await endpointOf(bridge(), 'geth-peers')).toMatchObject({ active: true });
  await register(bridge(), { name: 'x.dnp.dappnode.eth' });
  expect((await endpointOf(bridge(), 'geth-peers')).inactive).toBe(
    'It requires that x.dnp.dappnode.eth is not registered, and it is.'
  );
  await remove(bridge(), 'x.dnp.dappnode.eth');
  await remove(bridge(), 'prysm.dnp.dappnode.eth');
});
