/** Steps that have ended, routes that move in their file, and reminders of what is acknowledged. */
import { expect, test } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { deliveriesOf, fileOf, FIRES, isOver, isTold, RESOLVES, sceneAt, send, told, until } from './onCall.testing.ts';
import { DAY, HOUR, MINUTE, SECOND } from './support.ts';

const NIGHT = '2030-01-09T03:00:00+01:00';

test('after the last step, a repeat does not begin them again; a higher priority and a new alert do', async () => {
  const scene = await sceneAt(NIGHT, { route: '{ onCall: database, escalation: [{ after: 10m, people: [bob] }] }' });
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered' });
  await isOver(scene, id);
  const repeat = await send(scene, { ...FIRES, title: 'Still down' });
  // It is sent where the alert was announced.
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered,triggered' });
  bridge.clock.advance(DAY);
  expect((await deliveriesOf(scene, repeat)).join()).not.toContain('held');
  await send(scene, { ...FIRES, priority: 'critical' });
  await isTold(scene, { ada: 'triggered,triggered,triggered', bob: 'triggered,triggered' });
  await send(scene, RESOLVES);
  const all = 'triggered,triggered,triggered,resolved';
  await isTold(scene, { ada: all, bob: 'triggered,triggered,resolved' });
  await send(scene, FIRES);
  await isTold(scene, { ada: `${all},triggered`, bob: 'triggered,triggered,resolved' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: `${all},triggered`, bob: 'triggered,triggered,resolved,triggered' });
});

test('an acknowledgement that is withdrawn before the last step lets a repeat begin them again', async () => {
  const scene = await sceneAt(NIGHT);
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  const path = `/api/v1/notifications/${id}/acknowledge`;
  await bridge.request('POST', path, undefined, fromGrafana('ada'));
  bridge.clock.advance(HOUR);
  await isOver(scene, id);
  expect((await bridge.request('DELETE', path, undefined, fromGrafana('ada'))).status).toBeLessThan(300);
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered,triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered' });
});

test('a route that is inserted before it, and other times, leave what runs', async () => {
  const scene = await sceneAt(NIGHT);
  const { bridge, folder, hooks } = scene;
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  const other = '{ channels: [cleo-hook], categories: [hardware], onCall: database }';
  const route = `${other}, { onCall: database, escalation: [{ after: 15m, people: [bob] }] }`;
  await folder.write({ 'calls.yaml': fileOf(hooks, { route }) });
  await until(async () => {
    const { routes } = await bridge.call<{ routes: object[] }>('GET', '/api/v1/channels');
    expect(routes).toHaveLength(2);
  });
  const repeat = await send(scene, { ...FIRES, title: 'Still down' });
  await isTold(scene, { ada: 'triggered,triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered', everybody: 'triggered' });
  await isOver(scene, repeat);
  expect(told(scene)).toEqual({ ada: 'triggered,triggered', bob: 'triggered', everybody: 'triggered' });
});

test('steps that begin again have not ended: withdrawn after the first time, a repeat begins them', async () => {
  const scene = await sceneAt(NIGHT, { route: '{ onCall: database, repeatEvery: 30m }' });
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  const path = `/api/v1/notifications/${id}/acknowledge`;
  await bridge.request('POST', path, undefined, fromGrafana('ada'));
  bridge.clock.advance(HOUR);
  await isOver(scene, id);
  await bridge.request('DELETE', path, undefined, fromGrafana('ada'));
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered,triggered' });
  bridge.clock.advance(30 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered,triggered' });
});

test('what is acknowledged is sent again to whoever has acknowledged it, until it resolves', async () => {
  const other = '{ categories: [hardware], escalation: [{ after: 0m, people: [bob] }] }';
  const scene = await sceneAt(NIGHT, { route: `${other}, { channels: [everybody], remindAcknowledged: 4h }` });
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { everybody: 'triggered' });
  let events = 0;
  /** Steps are sent in the order in which they are due: what was due before this one has been sent. */
  const remindersUntilNow = async (): Promise<number> => {
    events += 1;
    await send(scene, { ...FIRES, category: 'hardware', correlationId: `event-${events}` });
    await until(() => expect(scene.hooks.bob!.accepted).toHaveLength(events));
    return (await deliveriesOf(scene, id)).filter((text) => text.startsWith('cleo-hook')).length;
  };
  bridge.clock.advance(5 * HOUR);
  expect(await remindersUntilNow()).toBe(0);
  bridge.clock.advance(HOUR);
  await bridge.request('POST', `/api/v1/notifications/${id}/acknowledge`, undefined, fromGrafana('cleo'));
  // In between it is looked at: it was acknowledged after it could have been due.
  bridge.clock.advance(3 * HOUR);
  expect(await remindersUntilNow()).toBe(0);
  bridge.clock.advance(HOUR - SECOND);
  expect(await remindersUntilNow()).toBe(0);
  bridge.clock.advance(SECOND);
  expect(await remindersUntilNow()).toBe(1);
  await bridge.restart();
  bridge.clock.advance(4 * HOUR - SECOND);
  expect(await remindersUntilNow()).toBe(1);
  bridge.clock.advance(SECOND);
  expect(await remindersUntilNow()).toBe(2);
  await send(scene, RESOLVES);
  const bob = Array.from({ length: events }, () => 'triggered').join();
  await isTold(scene, { everybody: 'triggered,resolved', bob, cleo: 'triggered,triggered,resolved' });
  bridge.clock.advance(DAY);
  await isOver(scene, id);
  expect(told(scene)).toMatchObject({ everybody: 'triggered,resolved', cleo: 'triggered,triggered,resolved' });
});

test('reminders go on after a day, and wait for the end of a maintenance window', async () => {
  const scene = await sceneAt(NIGHT, { route: '{ channels: [everybody], remindAcknowledged: 4h }' });
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { everybody: 'triggered' });
  await bridge.request('POST', `/api/v1/notifications/${id}/acknowledge`, undefined, fromGrafana('cleo'));
  bridge.clock.advance(DAY + HOUR);
  await isTold(scene, { everybody: 'triggered', cleo: 'triggered' });
  await bridge.restart();
  const [startsAt, endsAt] = [0, 5 * HOUR].map((ms) => new Date(bridge.clock.now + ms).toISOString());
  await bridge.call('POST', '/api/v1/maintenance', { name: 'Move', matchers: 'package="postgres"', startsAt, endsAt });
  const suppressedBy = async () =>
    (await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`)).thread.suppressed?.by;
  await until(async () => expect(await suppressedBy()).toBe('maintenance'));
  bridge.clock.advance(4 * HOUR + 30 * MINUTE);
  // A step that is due later shows that the reminder has been looked at.
  await send(scene, { ...FIRES, category: 'hardware', correlationId: 'other', dnpName: 'geth' });
  await isTold(scene, { everybody: 'triggered,triggered', cleo: 'triggered' });
  bridge.clock.advance(31 * MINUTE);
  await until(async () => expect(await suppressedBy()).toBeUndefined());
  // In a window, it is looked at each minute.
  bridge.clock.advance(MINUTE);
  await isTold(scene, { everybody: 'triggered,triggered', cleo: 'triggered,triggered' });
});

test('two steps to one channel at the same time are one message, after which a repeat does not begin them again', async () => {
  const steps = '[{ after: 10m, people: [bob] }, { after: 10m, people: [bob] }]';
  const scene = await sceneAt(NIGHT, { route: `{ onCall: database, escalation: ${steps} }` });
  const { bridge } = scene;
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered' });
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered,triggered' });
  bridge.clock.advance(10 * MINUTE);
  await send(scene, { ...FIRES, correlationId: 'other' });
  await isTold(scene, { ada: 'triggered,triggered,triggered', bob: 'triggered,triggered' });
});

test('a reminder of a person without channels goes to the channels of the route; a snooze for all postpones it', async () => {
  const scene = await sceneAt(NIGHT, { route: '{ channels: [everybody], onCall: database, remindAcknowledged: 1h }' });
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered', everybody: 'triggered' });
  await bridge.request('POST', `/api/v1/notifications/${id}/acknowledge`, undefined, fromGrafana('dora'));
  const snooze = (until: string | null) =>
    bridge.request('PUT', `/api/v1/notifications/${id}/snooze`, { until, for: 'all' }, fromGrafana('dora'));
  expect((await snooze(new Date(bridge.clock.now + DAY).toISOString())).status).toBe(200);
  bridge.clock.advance(HOUR);
  // Steps are sent in the order in which they are due: this one after the reminder.
  await send(scene, { ...FIRES, correlationId: 'other' });
  await isTold(scene, { ada: 'triggered,triggered', everybody: 'triggered,triggered' });
  expect((await snooze(null)).status).toBe(200);
  bridge.clock.advance(HOUR);
  await isTold(scene, { ada: 'triggered,triggered,triggered', everybody: 'triggered,triggered,triggered' });
});
