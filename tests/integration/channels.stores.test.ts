/** Channels of a whole bridge: provisioned, with receivers on this machine. */
import { expect, test, vi } from 'vitest';
import type { ChannelList, Undelivered } from '../../backend-bridge/contract/channel.ts';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { type Receiver, startHook, startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram, TELEGRAM } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { checkSignature } from '../../backend-bridge/src/platform/access/signature.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';
import { HOUR, MINUTE, SECOND } from './support.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';
const SECRET = 'the-secret-of-the-hook';
/** The clock of the bridge runs on meanwhile, so that what is retried becomes due. */
const later = ({ bridge }: Provisioned, check: () => unknown, step = SECOND): Promise<unknown> =>
  until(() => {
    bridge.clock.advance(step);
    return check();
  });
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });

async function bridgeWith(file: string, env: Record<string, string> = {}): Promise<Provisioned> {
  const folder = await Folder.make({ 'reach.yaml': `apiVersion: 1\n${file}` });
  return folder.start(env);
}

const hookAnd = (routes: string, hook: Receiver): string =>
  `channels:\n  - { name: hook, type: webhook, url: '${hook.url}/in?key=1', secret: $HOOK_SECRET }\nroutes:\n${routes}`;

const send = async ({ bridge }: Provisioned, payload: object): Promise<number> => {
  const { body } = await bridge.post({ title: 'Disk full', body: 'of /data', dnpName: 'geth', ...payload });
  return (body as { id: number }).id;
};
const titles = (receiver: Receiver): unknown[] => receiver.accepted.map(({ json }) => json.title);
const channelsOf = ({ bridge }: Provisioned) => bridge.call<ChannelList>('GET', '/api/v1/channels');

test('a notification that matches goes out signed, once; another stays', async () => {
  const hook = await closing(startHook());
  const running = await bridgeWith(hookAnd('  - { channels: [hook], priority: high, categories: [hardware] }', hook), {
    HOOK_SECRET: SECRET,
  });
  await send(running, { title: 'low', category: 'hardware' });
  await send(running, { title: 'other', priority: 'critical' });
  const id = await send(running, { title: 'hot', priority: 'critical', category: 'Hardware' });
  await until(() => expect(titles(hook)).toEqual(['hot']));
  const { headers, text, json } = hook.accepted[0]!;
  expect(json).toMatchObject({ version: 1, channel: 'hook', id, title: 'hot', priority: 'critical', dnpName: 'geth' });
  const signed = {
    body: Buffer.from(text),
    signature: String(headers['x-grafana-alerting-signature']),
    timestamp: String(headers['x-grafana-alerting-timestamp']),
  };
  expect(checkSignature(signed, SECRET, running.bridge.clock.read())).toBe('valid');
  expect(headers['idempotency-key']).toMatch(/^[0-9a-f]{12}-hook-1-/);
  await until(async () => expect((await channelsOf(running)).channels[0]).toMatchObject({ state: 'ok', waiting: 0 }));
  const list = await channelsOf(running);
  expect(list.channels[0]).toMatchObject({
    name: 'hook',
    type: 'webhook',
    target: new URL(hook.url).host,
    file: 'reach.yaml',
  });
  expect(JSON.stringify(list)).not.toContain(SECRET);
  expect(JSON.stringify(list)).not.toContain('key=1');
  const detail = await running.bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
  expect(detail.deliveries).toMatchObject([{ channel: 'hook', state: 'sent', attempts: 0, reason: null }]);
  const metrics = String((await running.bridge.request('GET', '/metrics')).body);
  expect(metrics).toContain('nodebell_channel_sent_total{channel="hook"} 1');
  expect(metrics).toContain('nodebell_channel_waiting{channel="hook"} 0');
});

test('the details say when somebody first saw in the inbox what went out', async () => {
  const hook = await closing(startHook());
  const running = await bridgeWith(hookAnd('  - { channels: [hook], categories: [hardware] }', hook), {
    HOOK_SECRET: SECRET,
  });
  const { bridge } = running;
  const id = await send(running, { title: 'hot', category: 'hardware' });
  const inboxOnly = await send(running, { title: 'other' });
  await until(() => expect(titles(hook)).toEqual(['hot']));
  const seenAt = async (of: number) =>
    (await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${of}`)).seenAt;
  expect(await seenAt(id)).toBeUndefined();
  bridge.clock.advance(HOUR);
  const first = bridge.clock.iso;
  for (const one of [id, inboxOnly]) {
    await bridge.request(
      'PATCH',
      `/api/v1/notifications/${one}`,
      { seen: true },
      fromGrafana('anna', { OrgRole: 'Viewer' })
    );
  }
  expect([await seenAt(id), await seenAt(inboxOnly)]).toEqual([first, undefined]);
  // The first one counts, also if it is marked as unread in between.
  bridge.clock.advance(HOUR);
  await bridge.call('PATCH', `/api/v1/notifications/${id}`, { seen: false });
  await bridge.call('PATCH', `/api/v1/notifications/${id}`, { seen: true });
  expect(await seenAt(id)).toBe(first);
});

test('muted and hidden notifications do not go out', async () => {
  const hook = await closing(startHook());
  const running = await bridgeWith(`categories: { quiet: false }\n${hookAnd('  - { channels: [hook] }', hook)}`, {
    HOOK_SECRET: SECRET,
  });
  await send(running, { title: 'muted', category: 'quiet' });
  await send(running, { title: 'hidden', errors: 'DNS' });
  await send(running, { title: 'shown' });
  await until(() => expect(titles(hook)).toEqual(['shown']));
});

test('an alert that is muted while it is open: its resolve closes the message, and nothing else goes out', async () => {
  const hook = await closing(startHook());
  const running = await bridgeWith(hookAnd('  - { channels: [hook] }', hook), { HOOK_SECRET: SECRET });
  const alert = { category: 'hardware', correlationId: 'disk' };
  await send(running, { ...alert, title: 'fires', status: 'triggered' });
  await until(() => expect(titles(hook)).toEqual(['fires']));
  await running.bridge.call('PUT', '/api/v1/categories/hardware', { enabled: false });
  await send(running, { ...alert, title: 'again', status: 'triggered' });
  await send(running, { ...alert, title: 'another', status: 'resolved', correlationId: 'unknown' });
  await send(running, { ...alert, title: 'resolves', status: 'resolved' });
  await until(() => expect(titles(hook)).toEqual(['fires', 'resolves']));
});

test('a failing channel is retried in order; what it rejects is listed and can be sent again', async () => {
  const hook = await closing(startHook());
  const running = await bridgeWith(hookAnd('  - { channels: [hook] }', hook), { HOOK_SECRET: SECRET });
  hook.reject({ status: 503, headers: { 'retry-after': '1' } });
  const thread = { correlationId: 'disk', status: 'triggered' };
  await send(running, { ...thread, title: 'first' });
  await send(running, { ...thread, title: 'second' });
  await later(running, () => expect(titles(hook)).toEqual(['first', 'second']));

  hook.reject({ status: 400 });
  await send(running, { title: 'refused' });
  await until(async () => {
    const { undelivered } = await running.bridge.call<Undelivered>('GET', '/api/v1/channels/undelivered');
    expect(undelivered).toMatchObject([
      { channel: 'hook', title: 'refused', state: 'undelivered', reason: 'The server responds with 400.' },
    ]);
  });
  // In the inbox, and not over the channel itself.
  await until(async () =>
    expect(await running.bridge.call<object[]>('GET', '/api/v1/notifications?dnpName=nodebell')).toMatchObject([
      { title: 'The channel hook does not deliver', status: 'triggered' },
    ])
  );
  const { undelivered } = await running.bridge.call<Undelivered>('GET', '/api/v1/channels/undelivered');
  await running.bridge.call('POST', `/api/v1/channels/undelivered/${undelivered[0]!.id}/send`);
  await later(running, () => expect(titles(hook)).toEqual(['first', 'second', 'refused']));
  await until(async () =>
    expect(await running.bridge.call<object[]>('GET', '/api/v1/notifications?dnpName=nodebell')).toMatchObject([
      { title: 'The channel hook works again', status: 'resolved', thread: { state: 'resolved' } },
      { title: 'The channel hook does not deliver' },
    ])
  );
  expect(titles(hook)).not.toContain('The channel hook does not deliver');
});

test('while one channel fails, another one has the same alert once', async () => {
  const [bad, good] = [await closing(startHook()), await closing(startHook())];
  const running = await bridgeWith(
    `channels:\n  - { name: bad, type: webhook, url: '${bad.url}/in' }\n  - { name: good, type: webhook, url: '${good.url}/in' }
routes:\n  - { channels: [bad, good] }`
  );
  bad.broken = { status: 503 };
  await send(running, { title: 'disk', correlationId: 'disk', status: 'triggered' });
  await until(() => expect(titles(good)).toEqual(['disk']));
  await later(running, () => expect(bad.arrived.length).toBeGreaterThan(2));
  bad.broken = undefined;
  await later(running, () => expect(titles(bad)).toEqual(['disk']));
  await send(running, { title: 'mark' });
  await until(() =>
    expect([titles(good), titles(bad)]).toEqual([
      ['disk', 'mark'],
      ['disk', 'mark'],
    ])
  );
});

test('a file that changes while an alert fires sends nothing again', async () => {
  const hook = await closing(startHook());
  const folder = await Folder.make({ 'reach.yaml': `apiVersion: 1\n${hookAnd('  - { channels: [hook] }', hook)}` });
  const running = await folder.start({ HOOK_SECRET: SECRET });
  await send(running, { title: 'disk', correlationId: 'disk', status: 'triggered' });
  await until(() => expect(titles(hook)).toEqual(['disk']));
  const routes = hookAnd('  - { channels: [hook], priority: low }\n  - { channels: [hook], packages: [nas] }', hook);
  await folder.write({ 'reach.yaml': `apiVersion: 1\n${routes}` });
  await until(async () => expect((await channelsOf(running)).routes).toHaveLength(2));
  await send(running, { title: 'mark' });
  await until(() => expect(titles(hook)).toEqual(['disk', 'mark']));
});

test('a thread is one message: the resolve changes it, also with a lower priority', async () => {
  const telegram = await closing(startTelegram(BOT));
  const running = await bridgeWith(
    `channels:\n  - { name: phone, type: telegram, url: '${telegram.url}', token: $BOT, chatId: -1001 }\nroutes:\n  - { channels: [phone], priority: high }`,
    { BOT }
  );
  const thread = { correlationId: 'disk', title: 'Disk <full> & hot' };
  await send(running, { ...thread, status: 'triggered', priority: 'critical' });
  await until(() =>
    expect([...telegram.texts.values()]).toEqual([
      expect.stringContaining('<b>Critical: Disk &lt;full&gt; &amp; hot</b>'),
    ])
  );
  await send(running, { ...thread, status: 'resolved', priority: 'low' });
  await until(() => expect([...telegram.texts.values()]).toEqual([expect.stringContaining('<b>Resolved: Disk')]));
  // It fires again: a new message.
  await send(running, { ...thread, status: 'triggered', priority: 'high' });
  await until(() => expect(telegram.texts.size).toBe(2));
  // Resolved by hand.
  const [open] = await running.bridge.call<{ id: number }[]>('GET', '/api/v1/notifications');
  await running.bridge.call('POST', `/api/v1/notifications/${open!.id}/resolve`);
  await until(() => expect(telegram.texts.get(2)).toContain('Resolved'));
});

test('on a route without resolves, an alert that fires again is a new message', async () => {
  const telegram = await closing(startTelegram(BOT));
  const running = await bridgeWith(
    `channels:\n  - { name: phone, type: telegram, url: '${telegram.url}', token: $BOT, chatId: -1001 }\nroutes:\n  - { channels: [phone], statuses: [triggered] }`,
    { BOT }
  );
  const texts = () => [...telegram.texts.values()];
  const shows = (...wanted: string[]) =>
    until(() => expect(texts()).toEqual(wanted.map((one) => expect.stringContaining(one))));
  const thread = { correlationId: 'disk', status: 'triggered', priority: 'critical' };
  await send(running, { ...thread, title: 'one' });
  await shows('one');
  await send(running, { ...thread, title: 'one again' });
  await shows('one again');
  await send(running, { ...thread, status: 'resolved' });
  await send(running, { ...thread, title: 'two', priority: 'low' });
  await shows('one again', 'two');
  await send(running, { ...thread, title: 'two again', priority: 'low' });
  await shows('one again', 'two again');
});

test('what has resolved before it was sent is one message', async () => {
  const ntfy = await closing(startNtfy());
  ntfy.broken = { status: 503 };
  const running = await bridgeWith(
    `channels:\n  - { name: push, type: ntfy, url: '${ntfy.url}', topic: node }\nroutes:\n  - { channels: [push] }`
  );
  const thread = { correlationId: 'disk' };
  const first = await send(running, { ...thread, status: 'triggered' });
  await until(() => expect(ntfy.arrived.length).toBeGreaterThan(0));
  await send(running, { ...thread, status: 'resolved', title: 'Disk has space' });
  ntfy.broken = undefined;
  await later(running, () => expect(ntfy.accepted).toHaveLength(1));
  expect(ntfy.accepted[0]!.json).toMatchObject({ topic: 'node', title: 'Resolved: Disk has space' });
  expect(ntfy.accepted[0]!.json.message).toMatch(/^Fired and resolved, \d+ s\./);
  await until(async () => {
    const { deliveries } = await running.bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${first}`);
    expect(deliveries).toMatchObject([{ state: 'merged' }]);
  });
});

test('a storm is one message that counts, and another sender is not held up', async () => {
  const ntfy = await closing(startNtfy());
  const running = await bridgeWith(
    `channels:\n  - { name: push, type: ntfy, url: '${ntfy.url}', topic: node, perMinute: 5, inboxUrl: 'https://g.example/a/inbox' }\nroutes:\n  - { channels: [push] }\nsenders:\n  - { name: storm, token: the-token-of-the-storm }\n  - { name: calm, token: the-token-of-the-calm }`
  );
  ntfy.broken = { status: 503 };
  await running.send('the-token-of-the-calm', { title: 'calm 1', body: '' });
  await until(() => expect(ntfy.arrived.length).toBeGreaterThan(0));
  await Promise.all(
    Array.from({ length: 200 }, (_one, index) =>
      running.send('the-token-of-the-storm', {
        title: `storm ${index}`,
        body: '',
        priority: index === 77 ? 'high' : 'low',
      })
    )
  );
  ntfy.broken = undefined;
  await later(running, () => expect(titles(ntfy)).toHaveLength(2));
  expect(titles(ntfy)).toEqual(expect.arrayContaining(['200 notifications', 'Informational: calm 1']));
  const storm = ntfy.accepted.find(({ json }) => json.title === '200 notifications')!.json;
  expect(storm).toMatchObject({ priority: 4, click: 'https://g.example/a/inbox' });
  expect(storm.message).toContain('storm 77');
  await until(async () =>
    expect((await channelsOf(running)).channels[0]).toMatchObject({ waiting: 0, undelivered: 0 })
  );
});

test('what Telegram refuses is given up with its reason, without the token', async () => {
  const telegram = await closing(startTelegram(BOT));
  telegram.reject(TELEGRAM.noChat);
  const running = await bridgeWith(
    `channels:\n  - { name: phone, type: telegram, url: '${telegram.url}', token: $BOT, chatId: '@nobody' }\nroutes:\n  - { channels: [phone] }`,
    { BOT }
  );
  await send(running, {});
  await until(async () => {
    const { undelivered } = await running.bridge.call<Undelivered>('GET', '/api/v1/channels/undelivered');
    expect(undelivered).toMatchObject([{ reason: 'The server responds with 400: Bad Request: chat not found.' }]);
  });
  expect(await running.bridge.call('POST', '/api/v1/channels/phone/test')).toEqual({ delivered: true });
});

test('a channel that fails for long is reported, and gives up in the end', async () => {
  const hook = await closing(startHook());
  hook.broken = { status: 500 };
  const running = await bridgeWith(
    `channels:\n  - { name: hook, type: webhook, url: '${hook.url}', giveUpAfter: 2h }\nroutes:\n  - { channels: [hook] }`
  );
  const { bridge } = running;
  const id = await send(running, {});
  const alarms = () => bridge.call<object[]>('GET', '/api/v1/notifications?dnpName=nodebell');
  await until(async () =>
    expect((await channelsOf(running)).channels[0]).toMatchObject({ state: 'failing', waiting: 1 })
  );
  expect(await alarms()).toEqual([]);
  bridge.clock.advance(HOUR);
  await until(async () => expect(await alarms()).toHaveLength(1));
  expect((await channelsOf(running)).channels[0]).toMatchObject({ undelivered: 0, waiting: 1 });
  bridge.clock.advance(HOUR);
  await later(running, async () => {
    const { deliveries } = await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
    expect(deliveries).toMatchObject([{ state: 'undelivered', reason: 'The server responds with 500.' }]);
  });
  expect(await alarms()).toHaveLength(1);
});

test('a channel that still fails is reported again after its thread was closed', async () => {
  const hook = await closing(startHook());
  hook.broken = { status: 500 };
  const running = await bridgeWith(
    `channels:\n  - { name: hook, type: webhook, url: '${hook.url}', giveUpAfter: 30d }\nroutes:\n  - { channels: [hook] }`
  );
  const { bridge } = running;
  await send(running, {});
  const alarm = async () => (await bridge.list('dnpName=nodebell&latest=true'))[0];
  await later(running, async () => expect((await alarm())?.thread).toMatchObject({ state: 'open', count: 1 }), MINUTE);
  await bridge.call('POST', `/api/v1/notifications/${(await alarm())!.id}/resolve`);
  expect((await alarm())!.thread).toMatchObject({ state: 'resolved', count: 2 });
  await later(running, async () => expect((await alarm())!.thread).toMatchObject({ state: 'open', count: 3 }), MINUTE);
  hook.broken = undefined;
  bridge.clock.advance(HOUR);
  // Wakes the sender.
  await bridge.call('POST', '/api/v1/channels/undelivered/send');
  await until(async () => expect((await alarm())!.thread).toMatchObject({ state: 'resolved', count: 4 }));
});

test('what waits survives a restart and is sent at once after it', async () => {
  const hook = await closing(startHook());
  hook.broken = { status: 500 };
  const running = await bridgeWith(hookAnd('  - { channels: [hook] }', hook), { HOOK_SECRET: SECRET });
  await send(running, { title: 'waits' });
  await until(() => expect(hook.arrived.length).toBeGreaterThan(0));
  await running.bridge.stop();
  hook.broken = undefined;
  await running.bridge.start();
  await until(() => expect(titles(hook)).toEqual(['waits']));
});

test('routes are tested with reasons', async () => {
  const hook = await closing(startHook());
  const running = await bridgeWith(
    hookAnd(
      '  - { channels: [hook], priority: high, continue: true }\n  - { channels: [hook], packages: [geth] }\n  - { channels: [hook] }',
      hook
    ),
    { HOOK_SECRET: SECRET }
  );
  const result = await running.bridge.call('POST', '/api/v1/routes/test', { dnpName: 'geth', priority: 'low' });
  expect(result).toMatchObject({
    channels: ['hook'],
    routes: [
      { file: 'reach.yaml', index: 0, matches: false, reached: true, why: ['priority low is below high'] },
      {
        index: 1,
        comparisons: [{ what: 'package', found: 'geth', allowed: ['geth'], holds: true }],
        matches: true,
        reached: true,
        why: ['package geth is one of geth'],
      },
      { index: 2, matches: true, reached: false },
    ],
  });
});

test('what is held is listed, by the reason, and until when', async () => {
  const hook = await closing(startHook());
  const routes =
    '  - { channels: [hook], packages: [geth], digest: hourly }\n  - { channels: [hook], unacknowledged: 10m }';
  const running = await bridgeWith(hookAnd(routes, hook), { HOOK_SECRET: SECRET });
  const holds = async () => (await channelsOf(running)).channels[0];
  expect(await holds()).toMatchObject({ held: 0, holds: [] });
  await send(running, { title: 'a', dnpName: 'geth' });
  await send(running, { title: 'b', dnpName: 'geth' });
  await send(running, { title: 'c', dnpName: 'besu' });
  const { now } = running.bridge.clock;
  const hour = 3_600_000;
  const due = new Date((Math.floor(now / hour) + 1) * hour).toISOString();
  await until(async () =>
    expect(await holds()).toMatchObject({
      held: 3,
      holds: expect.arrayContaining([
        { why: 'digest', count: 2, until: due },
        { why: 'unacknowledged', count: 1, until: new Date(now + 600_000).toISOString() },
      ]) as unknown,
    })
  );
});

test('errors are reported with line and column, and never with a secret', async () => {
  const running = await bridgeWith(
    [
      'channels:',
      "  - { name: hook, type: webhook, url: 'http://user:pass@h/', secret: $HOOK_SECRET }",
      '  - { name: phone, type: telegram, chatId: 1 }',
      '  - { name: mail, type: email, host: h, from: \'a@b\', to: ["a@b\\r\\nBcc: c@d"], topic: x }',
    ].join('\n'),
    { HOOK_SECRET: SECRET }
  );
  expect(await running.mistakes('reach.yaml')).toEqual([
    'reach.yaml:3:39 channels[0].url must be an address without user name and password; found something else.',
    'reach.yaml:4:5 channels[1].token is missing: it must be given for a channel of type telegram, or "tokenFile".',
    expect.stringMatching(/^reach\.yaml:5:\d+ channels\[2\]\.to\[0\] must be a mail address/),
    expect.stringMatching(/^reach\.yaml:5:\d+ channels\[2\]\.topic must be absent: a channel of type email has host/),
  ]);
  const other = await bridgeWith(
    "channels: [{ name: hook, type: webhook, url: 'http://h/', topic: x }]\nroutes:\n  - { channels: [hok] }"
  );
  expect(await other.mistakes('reach.yaml')).toEqual([
    expect.stringMatching(
      /^reach\.yaml:2:\d+ channels\[0\]\.topic must be absent: a channel of type webhook has url, secret/
    ),
  ]);
  const unknown = await bridgeWith(
    "channels: [{ name: hook, type: webhook, url: 'http://h/' }]\nroutes:\n  - { channels: [hok] }"
  );
  expect(await unknown.mistakes('reach.yaml')).toEqual([
    'reach.yaml:4:18 There is no channel "hok" in this file. Did you mean "hook"?',
  ]);
});

test('removing the resolved notification does not make the alert fire again', async () => {
  const hook = await closing(startHook());
  const running = await bridgeWith(hookAnd('  - { channels: [hook] }', hook), { HOOK_SECRET: SECRET });
  const { bridge } = running;
  const alert = { correlationId: 'disk', category: 'hardware' };
  await send(running, { ...alert, title: 'fires', status: 'triggered' });
  const resolve = await send(running, { ...alert, title: 'resolved', status: 'resolved' });
  await until(() => expect(titles(hook)).toEqual(['fires', 'resolved']));
  const before = (await bridge.get(resolve)).thread;
  const open = async () => [(await bridge.list('open=true')).length, (await bridge.facets()).categories[0]?.open];
  expect(await open()).toEqual([0, 0]);

  const undo = await bridge.remove(resolve);
  const [left] = await bridge.list('latest=true');
  expect(left).toMatchObject({ title: 'fires', thread: { ...before, count: 1, unseen: 1 } });
  expect(await open()).toEqual([0, 0]);
  await bridge.restore(undo);
  expect((await bridge.get(resolve)).thread).toEqual(before);

  await bridge.remove(resolve);
  bridge.clock.advance(MINUTE);
  // Sent last, so that anything about the alert would be there before it.
  await send(running, { title: 'other' });
  await later(running, () => expect(titles(hook)).toEqual(['fires', 'resolved', 'other']));
  expect(await open()).toEqual([0, 0]);
});

test('hosts of channels are written in any way: the bridge starts, and the others send', async () => {
  const hook = await closing(startHook());
  const odd = ['hook.svc.cluster.local.', 'host-', 'a~b'].map(
    (host, index) => `  - { name: odd${index}, type: webhook, url: 'http://${host}/' }\n`
  );
  const running = await bridgeWith(
    `channels:\n${odd.join('')}  - { name: hook, type: webhook, url: '${hook.url}' }\nroutes:\n  - { channels: [odd0, odd1, odd2, hook] }`
  );
  await send(running, {});
  await until(() => expect(titles(hook)).toEqual(['Disk full']));
  expect(await running.mistakes('reach.yaml')).toEqual([]);
});
