/** Actions on all threads of a burst, by one request. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GrafanaPerson } from './readers.testing.ts';
import { type Alert, collapsed, sendAlerts, some } from './storms.testing.ts';
import { NOTIFICATIONS, SECOND, TestBridge } from './support.ts';

let bridge: TestBridge;
beforeEach(async () => {
  bridge = await TestBridge.start();
});
afterEach(() => bridge.dispose());

const webhook = (...alerts: Alert[]) => sendAlerts(bridge, ...alerts);
const rows = () => collapsed(bridge);
const ofStorm = async () => {
  const [storm] = await rows();
  return { id: storm!.thread.burst!.id, figures: storm!.thread.burst! };
};
const resolve = (burst: number, more: Record<string, unknown> = {}) =>
  bridge.call('POST', `${NOTIFICATIONS}/resolve`, { filter: { latest: 'true', burst, ...more } });

it('10,000 are resolved and opened again by one request each', async () => {
  await bridge.send({ title: 'other', status: 'triggered', correlationId: 'other' });
  await webhook(...some(10_000));
  await webhook({ instance: 3, resolved: true });
  const { id } = await ofStorm();
  const { resolved, undo } = await resolve(id);
  expect(resolved).toBe(9999);
  expect((await ofStorm()).figures).toMatchObject({ count: 10_000, open: 0 });
  expect(await bridge.facets('latest=true')).toMatchObject({ open: 1 });
  const [member] = await bridge.list(`burst=${id}&limit=1`);
  expect(member).toMatchObject({ source: 'admin', status: 'resolved', thread: { closedByHand: true, count: 2 } });
  expect(await bridge.call('POST', `${NOTIFICATIONS}/restore`, { undo })).toEqual({ restored: 9999 });
  expect((await ofStorm()).figures).toMatchObject({ count: 10_000, open: 9999 });
  expect(await bridge.facets()).toMatchObject({ total: 10_002 });
  const again = await bridge.request('POST', `${NOTIFICATIONS}/restore`, { undo });
  expect(again.status).toBe(410);
});

it('resolves what was open in the list, not what came later, nor what does not match', async () => {
  await webhook(...some(20), { instance: 'x', severity: 'critical' });
  const { id } = await ofStorm();
  const [last] = await bridge.list('limit=1');
  await webhook({ instance: 'later' });
  expect(await resolve(id, { untilId: last!.id, priority: 'medium' })).toMatchObject({ resolved: 20 });
  expect((await ofStorm()).figures).toMatchObject({ open: 2 });
  expect(await resolve(id, { open: 'false' })).toMatchObject({ resolved: 0 });
});

it('what was resolved stays so when it was undone too late, or opened and closed since', async () => {
  await webhook(...some(20));
  const { id } = await ofStorm();
  const { undo } = await resolve(id);
  bridge.clock.advance(31 * SECOND);
  expect((await bridge.request('POST', `${NOTIFICATIONS}/restore`, { undo })).status).toBe(410);
  await webhook(...some(20).map((alert) => ({ ...alert, rule: 'HighCPU' })));
  const { undo: second } = await resolve(id);
  await webhook({ instance: 1, resolved: true });
  const { restored } = await bridge.call('POST', `${NOTIFICATIONS}/restore`, { undo: second });
  expect((await ofStorm()).figures).toMatchObject({ open: restored - 1 });
});

it('named ones: their threads are resolved once each', async () => {
  await webhook(...some(3));
  await webhook({ instance: 0, severity: 'critical' });
  const ids = (await bridge.list()).map(({ id }) => id);
  expect(await bridge.call('POST', `${NOTIFICATIONS}/resolve`, { ids: [...ids, 999_999] })).toMatchObject({
    resolved: 3,
  });
});

it('are marked as unread, for everyone and for one user', async () => {
  await webhook(...some(600));
  const { id } = await ofStorm();
  const [anna, ben] = ['anna', 'ben'].map((login) => new GrafanaPerson(() => bridge, login));
  const query = `/seen?latest=true&burst=${id}`;
  const mark = (seen: boolean, as?: GrafanaPerson) =>
    as ? as.call('PUT', query, { seen }) : bridge.call('PUT', NOTIFICATIONS + query, { seen });
  const unread = async (as?: GrafanaPerson) => {
    const [row] = await (as ? as.list('latest=true&bursts=collapsed') : rows());
    return row!.thread.burst!.unread;
  };
  await unread(anna);
  await mark(true);
  expect([await unread(), await unread(anna)]).toEqual([0, 600]);
  expect(await mark(false)).toEqual({ changed: 600 });
  expect(await unread()).toBe(600);
  await mark(true, anna);
  expect(await mark(false, anna)).toEqual({ changed: 600 });
  expect([await unread(anna), await unread()]).toEqual([600, 0]);
  expect(await unread(ben)).toBe(0);
  expect((await bridge.request('PUT', `${NOTIFICATIONS}/seen`, { seen: false })).status).toBe(400);
});
