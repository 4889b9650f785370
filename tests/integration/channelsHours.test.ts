/** Holding in channels: quiet hours, digests and escalations, with receivers on this machine. */
import { expect, test, vi } from 'vitest';
import type { ChannelList } from '../../backend-bridge/contract/channel.ts';
import type { RouteTestResult } from '../../backend-bridge/contract/routeTest.ts';
import type { Delivery } from '../../backend-bridge/contract/delivery.ts';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { type Receiver, startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';
import { HOUR, MINUTE, SECOND } from './support.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** A bridge whose clock shows this time. */
async function bridgeAt(iso: string, file: string): Promise<Provisioned> {
  const folder = await Folder.make({ 'reach.yaml': `apiVersion: 1\n${file}` });
  const running = await folder.start({ BOT });
  expect(await running.mistakes('reach.yaml')).toEqual([]);
  set(running, iso);
  return running;
}
/** Sets both clocks. */
const set = ({ bridge }: Provisioned, iso: string): void => bridge.clock.advance(Date.parse(iso) - bridge.clock.now);
/** Wakes the senders, whose timers do not follow the clock of the test. */
const tick = ({ bridge }: Provisioned): Promise<unknown> => bridge.call('POST', '/api/v1/channels/undelivered/send');
const send = async ({ bridge }: Provisioned, payload: object): Promise<number> => {
  const { body } = await bridge.post({ title: 'Disk full', body: 'of /data', dnpName: 'geth', ...payload });
  return (body as { id: number }).id;
};
const deliveryOf = async ({ bridge }: Provisioned, id: number): Promise<Delivery[] | undefined> =>
  (await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`)).deliveries;
const isNow = (running: Provisioned, id: number, state: Delivery['state']): Promise<unknown> =>
  until(async () => expect(await deliveryOf(running, id)).toMatchObject([{ state }]));
const titles = (receiver: Receiver): unknown[] => receiver.accepted.map(({ json }) => json.title);

const NIGHT = "{ from: '22:00', to: '07:00', zone: Europe/Berlin }";
const phone = ({ url }: Receiver, more = ''): string =>
  `channels:\n  - { name: phone, type: telegram, url: '${url}', token: $BOT, chatId: 1, inboxUrl: 'https://g.example/inbox', quietHours: [${NIGHT}]${more} }\n`;
const hook = ({ url }: Receiver, more = ''): string =>
  `channels:\n  - { name: hook, type: webhook, url: '${url}'${more} }\n`;
const GETH = 'routes:\n  - { packages: [geth], channels:';

test('in quiet hours only what is critical is sent; the rest is one digest when they end', async () => {
  const telegram = await closing(startTelegram(BOT));
  const running = await bridgeAt('2030-03-30T22:30:00Z', phone(telegram) + `${GETH} [phone] }`);
  const held = await send(running, { title: 'Disk <full>', priority: 'high', category: 'hardware' });
  await send(running, { title: 'Slow', category: 'sync' });
  await send(running, { title: 'Peers', correlationId: 'peers', status: 'triggered', priority: 'high' });
  running.bridge.clock.advance(40 * SECOND);
  await send(running, { title: 'Peers are back', correlationId: 'peers', status: 'resolved' });
  await send(running, { title: 'Down', priority: 'critical' });
  await until(() => expect([...telegram.texts.values()]).toEqual([expect.stringContaining('Critical: Down')]));
  await isNow(running, held, 'held');
  // The clocks go forward in this night: 07:00 is at 05:00 UTC. Also after a restart.
  set(running, '2030-03-31T04:59:00Z');
  await running.bridge.restart();
  await tick(running);
  await isNow(running, held, 'held');
  expect(telegram.texts.size).toBe(1);
  set(running, '2030-03-31T05:00:00Z');
  await tick(running);
  await isNow(running, held, 'merged');
  expect(telegram.texts.size).toBe(2);
  const text = telegram.texts.get(2)!;
  expect(text).toContain('<b>3 notifications, 1 resolved</b>');
  expect(text).toContain('geth · hardware: 1\ngeth · sync: 1');
  expect(text).toContain('- Important: Disk &lt;full&gt;\n- Informational: Slow');
  expect(text).toContain('Resolved: 1\n- Peers are back (fired and resolved, 40 s)');
  expect(text).toContain('https://g.example/inbox');
});

test('what was announced before the quiet hours is resolved silently; nothing passes where that is configured', async () => {
  const telegram = await closing(startTelegram(BOT));
  const running = await bridgeAt('2030-01-07T20:00:00Z', phone(telegram, ', passing: none') + `${GETH} [phone] }`);
  const thread = { correlationId: 'disk', dnpName: 'geth' };
  await send(running, { ...thread, status: 'triggered', priority: 'high' });
  await until(() => expect([...telegram.texts.values()]).toEqual([expect.stringContaining('Important: Disk full')]));
  set(running, '2030-01-07T21:00:00Z');
  const update = await send(running, { ...thread, status: 'triggered', priority: 'critical' });
  await isNow(running, update, 'held');
  const resolve = await send(running, { ...thread, status: 'resolved' });
  await isNow(running, resolve, 'sent');
  expect([...telegram.texts.values()]).toEqual([expect.stringContaining('Resolved: Disk full')]);
  // The update is not part of the digest: its alert has resolved.
  await isNow(running, update, 'merged');
  // A single notification is sent as it is.
  const alone = await send(running, { title: 'Alone' });
  await isNow(running, alone, 'held');
  set(running, '2030-01-08T06:00:00Z');
  await tick(running);
  await isNow(running, alone, 'sent');
  expect(telegram.texts.get(2)).toContain('Informational: Alone');
});

test('a digest by schedule counts by package and category, once, across restarts and clocks that are set', async () => {
  const receiver = await closing(startHook());
  const running = await bridgeAt(
    '2030-01-07T07:30:00Z',
    hook(receiver) + `${GETH} [hook], digest: daily 08:00, dropResolved: true }`
  );
  const first = await send(running, { title: 'First', category: 'hardware', priority: 'medium' });
  await send(running, { title: 'Second', category: 'hardware' });
  const thread = { correlationId: 'disk', dnpName: 'geth' };
  const fired = await send(running, { ...thread, status: 'triggered' });
  await send(running, { ...thread, status: 'resolved' });
  await isNow(running, first, 'held');
  receiver.reject({ status: 503 });
  set(running, '2030-01-07T08:00:00Z');
  await tick(running);
  await until(() => expect(receiver.arrived).toHaveLength(1));
  const later = await send(running, { title: 'Later' });
  // It is retried with the same key, and with nothing that has arrived since.
  await running.bridge.restart();
  await until(() => expect(titles(receiver)).toEqual(['2 notifications']));
  const [failed, sent] = receiver.arrived;
  expect(sent!.headers['idempotency-key']).toBe(failed!.headers['idempotency-key']);
  expect(sent!.json).toMatchObject({
    count: 2,
    priority: 'medium',
    body: expect.stringContaining('geth · hardware: 2'),
  });
  await isNow(running, first, 'merged');
  // It has resolved, and the route drops that.
  expect(await deliveryOf(running, fired)).toBeUndefined();
  await isNow(running, later, 'held');
  // Nothing happened until then: the clock is set back by days, and runs on.
  set(running, '2030-01-04T07:00:00Z');
  await tick(running);
  const early = await send(running, { title: 'Early' });
  await isNow(running, early, 'held');
  set(running, '2030-01-04T08:00:00Z');
  await tick(running);
  await isNow(running, early, 'merged');
  await isNow(running, later, 'merged');
  expect(titles(receiver)).toEqual(['2 notifications', '2 notifications']);
  // A clock that jumps ahead for years sends what there is, once.
  set(running, '2035-01-01T00:00:00Z');
  await tick(running);
  set(running, '2035-01-01T09:00:00Z');
  await tick(running);
  await isNow(running, await send(running, { title: 'New' }), 'held');
  expect(titles(receiver)).toHaveLength(2);
});

test('what a digest has announced is resolved on the channel', async () => {
  const receiver = await closing(startHook());
  const running = await bridgeAt(
    '2030-01-07T07:30:00Z',
    hook(receiver) + `${GETH} [hook], priority: high, digest: hourly }`
  );
  const fired = await send(running, { correlationId: 'disk', status: 'triggered', priority: 'high' });
  await send(running, { title: 'Other', priority: 'high' });
  set(running, '2030-01-07T08:00:00Z');
  await tick(running);
  await isNow(running, fired, 'merged');
  const resolved = await send(running, { correlationId: 'disk', status: 'resolved' });
  await isNow(running, resolved, 'held');
  set(running, '2030-01-07T09:00:00Z');
  await tick(running);
  await isNow(running, resolved, 'sent');
  expect(receiver.accepted.at(-1)!.json).toMatchObject({ status: 'resolved', correlationId: 'disk' });
});

test('an escalation takes what has neither resolved nor been acknowledged in time', async () => {
  const receiver = await closing(startHook());
  const running = await bridgeAt('2030-01-07T12:00:00Z', hook(receiver) + `${GETH} [hook], unacknowledged: 10m }`);
  const inTime = await send(running, { title: 'In time', correlationId: 'a', status: 'triggered' });
  const open = await send(running, { title: 'Open', correlationId: 'b', status: 'triggered' });
  const known = await send(running, { title: 'Known', correlationId: 'c', status: 'triggered' });
  running.bridge.clock.advance(5 * MINUTE);
  await running.bridge.call('POST', `/api/v1/notifications/${known}/acknowledge`);
  await send(running, { title: 'In time', correlationId: 'a', status: 'resolved' });
  // It is hidden, and its thread stays open.
  await send(running, { title: 'Hidden', correlationId: 'b', status: 'resolved', errors: 'timeout' });
  const again = await send(running, { title: 'Again', correlationId: 'a', status: 'triggered' });
  running.bridge.clock.advance(5 * MINUTE - SECOND);
  await tick(running);
  // A new period begins, and what waited for the one before ends.
  expect(await deliveryOf(running, inTime)).toBeUndefined();
  expect(receiver.arrived).toEqual([]);
  running.bridge.clock.advance(SECOND);
  await tick(running);
  await isNow(running, open, 'sent');
  expect([await deliveryOf(running, inTime), await deliveryOf(running, known)]).toEqual([undefined, undefined]);
  // Fired again after the resolve: its own time runs.
  await isNow(running, again, 'held');
  // Announced alerts are resolved there; others are not.
  await send(running, { title: 'Open', correlationId: 'b', status: 'resolved' });
  await send(running, { title: 'Again', correlationId: 'a', status: 'resolved' });
  await running.bridge.restart();
  running.bridge.clock.advance(HOUR);
  await tick(running);
  await until(async () => expect(await deliveryOf(running, again)).toBeUndefined());
  const shown = () => receiver.accepted.map(({ json }) => `${String(json.title)} ${String(json.status)}`);
  await until(() => expect(shown()).toEqual(['Open triggered', 'Open resolved']));
});

test('the tester says what would wait, and until when', async () => {
  const telegram = await closing(startTelegram(BOT));
  const running = await bridgeAt(
    '2030-01-07T23:00:00Z',
    `${phone(telegram)}  - { name: hook, type: webhook, url: '${telegram.url}' }\n  - { name: later, type: webhook, url: '${telegram.url}' }\nroutes:\n  - { channels: [phone], continue: true }\n  - { channels: [hook], digest: weekly tue 08:00 Europe/Berlin, continue: true }\n  - { channels: [later], unacknowledged: 2h }`
  );
  const waits = async (priority: string) =>
    (await running.bridge.call<RouteTestResult>('POST', '/api/v1/routes/test', { priority })).waits;
  expect(await waits('high')).toEqual([
    { channel: 'phone', why: 'quiet hours', until: '2030-01-08T06:00:00.000Z' },
    { channel: 'hook', why: 'digest', until: '2030-01-08T07:00:00.000Z' },
    { channel: 'later', why: 'unacknowledged', until: '2030-01-08T01:00:00.000Z' },
  ]);
  expect((await waits('critical')).map(({ channel }) => channel)).toEqual(['hook', 'later']);
});

test('errors say what is allowed', async () => {
  const folder = await Folder.make({
    'reach.yaml': [
      'apiVersion: 1',
      'channels:',
      "  - { name: a, type: webhook, url: 'http://h/', quietHours: [{ days: [someday], from: '24:00', to: '7', zone: +01:00 }] }",
      "  - { name: b, type: webhook, url: 'http://h/', quietHours: [{ from: '00:00', to: '24:00' }], passing: low }",
      'routes:',
      '  - { channels: [a], digest: daily 8, unacknowledged: 10s }',
      '  - { channels: [a], digest: hourly, unacknowledged: 10m }',
    ].join('\n'),
  });
  const running = await folder.start({});
  expect((await running.mistakes('reach.yaml')).map((text) => text.replace(/^\S+ /, ''))).toEqual([
    'channels[0].quietHours[0].days[0] must be mon, tue, wed, thu, fri, sat, sun, or a range such as mon-fri; found someday.',
    "channels[0].quietHours[0].from must be a time from 00:00 to 23:59; found '24:00'.",
    "channels[0].quietHours[0].to must be a time from 00:00 to 24:00; found '7'.",
    'channels[0].quietHours[0].zone must be an IANA time zone such as Europe/Berlin; found +01:00.',
    expect.stringMatching(/^channels\[1\]\.quietHours must be a list of hours that end at some time/),
    expect.stringMatching(/^channels\[1\]\.passing must be one of/),
    expect.stringMatching(/^routes\[0\]\.digest must be hourly, daily 08:00 or weekly mon 08:00, with a time zone/),
    expect.stringMatching(/^routes\[0\]\.digest must be absent beside "unacknowledged"/),
    expect.stringMatching(/^routes\[0\]\.unacknowledged must be a duration such as 10m or 2h/),
    expect.stringMatching(/^routes\[1\]\.digest must be absent beside "unacknowledged"/),
  ]);
});

test('a storm of 10,000 is at most one message a minute beyond the limit, and nothing is lost', async () => {
  const receiver = await closing(startHook());
  const running = await bridgeAt(
    '2030-01-07T12:00:00Z',
    hook(receiver, ', perMinute: 5, secret: s') + `${GETH} [hook] }`
  );
  const { bridge } = running;
  const waiting = async (): Promise<number> =>
    (await bridge.call<ChannelList>('GET', '/api/v1/channels')).channels[0]!.waiting;
  for (let sent = 0; sent < 10_000; sent += 250) {
    await Promise.all(Array.from({ length: 250 }, (_one, index) => send(running, { title: `${sent + index}` })));
    bridge.clock.advance(5 * SECOND);
  }
  await until(async () => {
    bridge.clock.advance(SECOND);
    await tick(running);
    expect(await waiting()).toBe(0);
  });
  // Signed with the time of the bridge at which it is sent.
  const times = receiver.accepted.map(({ headers }) => SECOND * Number(headers['x-grafana-alerting-timestamp']));
  const inMinutes = times.map((at) => times.filter((other) => other >= at && other < at + MINUTE).length);
  expect(Math.max(...inMinutes)).toBeLessThanOrEqual(6);
  const counted = receiver.accepted.reduce((sum, { json }) => sum + ((json.count as number | undefined) ?? 1), 0);
  expect(counted).toBe(10_000);
});

test('a route for persons needs channels of persons', async () => {
  const folder = await Folder.make({
    'reach.yaml': `apiVersion: 1\nchannels: [{ name: hook, type: webhook, url: 'http://h/' }]\nroutes: [{ channels: [hook], persons: [anna] }]`,
  });
  expect(await (await folder.start()).mistakes('reach.yaml')).toEqual([
    'reach.yaml:3:39 Only a channel of type webpush has devices of persons; hook is of another type.',
  ]);
});
