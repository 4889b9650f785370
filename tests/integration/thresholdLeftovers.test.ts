/** Settings for endpoints that are gone or have another condition are removed on request only. */
import { expect, test } from 'vitest';
import { GETH, PACKAGES } from './packages.testing.ts';
import { expectProblem, type Json, type TestBridge } from './support.ts';
import { endpointOf, patch, PEERS, register, update, withBridge } from './thresholds.testing.ts';

const SETTINGS = `${PACKAGES}/${GETH}/settings`;
const forget = (bridge: TestBridge, ...ids: string[]) => bridge.request('PATCH', SETTINGS, { forget: ids });

test('removed on request; if the endpoint returns, it has its shipped settings', async () => {
  await withBridge(async (bridge) => {
    await register(bridge, { endpoints: [PEERS] });
    await patch(bridge, 'geth-peers', { threshold: 40, enabled: false });
    await update(bridge, { version: '1.0.1' });
    expect((await forget(bridge, 'geth-peers')).body).toMatchObject({ leftovers: [], enabled: { value: true } });
    await update(bridge, { version: '1.0.2', endpoints: [PEERS] });
    expect(await endpointOf(bridge, 'geth-peers')).toMatchObject({
      threshold: { value: 10, origin: 'package' },
      enabled: { value: true, origin: 'package' },
    });
    const [last] = await bridge.call<Json[]>('GET', '/api/v1/settings/history?limit=1');
    expect(last).toMatchObject({ correlationId: 'geth-peers', from: 40, to: null });
  });
});

test('the switch of an outdated threshold remains', async () => {
  await withBridge(async (bridge) => {
    await register(bridge, { endpoints: [PEERS] });
    await patch(bridge, 'geth-peers', { threshold: 40, enabled: false });
    await update(bridge, { version: '1.0.1', endpoints: [{ ...PEERS, conditions: ['[RESPONSE_TIME] < 30ms'] }] });
    expect((await forget(bridge, 'geth-peers')).body).toMatchObject({ leftovers: [] });
    expect((await endpointOf(bridge, 'geth-peers')).enabled).toMatchObject({ value: false, origin: 'user' });
  });
});

test('settings in use, or that do not exist, cannot be removed', async () => {
  await withBridge(async (bridge) => {
    await register(bridge, { endpoints: [PEERS] });
    await patch(bridge, 'geth-peers', { threshold: 40 });
    const { errors } = expectProblem(await forget(bridge, 'geth-peers', 'geth-none'), 400);
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/forget/0', '/forget/1']);
    expectProblem(await bridge.request('PATCH', SETTINGS, {}), 400);
    expect((await endpointOf(bridge, 'geth-peers')).threshold?.value).toBe(40);
  });
});
