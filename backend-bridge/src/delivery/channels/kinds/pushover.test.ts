/** Kind `pushover` against a receiver with the rules of its documentation (pushover.net/api, pushover.net/api/receipts). */
import { expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../receivers.testing.ts';
import { BRIDGE, make, send } from './kinds.testing.ts';
import { LINES, LONG, RICH, started } from './services.testing.ts';

const TOKEN = 'azGDORePK8gMaC0QOYAMyEEuzJnyUi';
const USER = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG';
const LENGTHS = { title: 250, message: 1024, url: 512, url_title: 100 } as const;

const failed = (...errors: string[]) => ({ status: 400, body: { status: 0, request: 'r', errors } });

function startPushover(): Promise<Receiver & { cancelled: string[] }> {
  const cancelled: string[] = [];
  const respond = ({ method, path, json }: Receiver['arrived'][number]) => {
    if (method !== 'POST' || json.token !== TOKEN) {
      return failed('application token is invalid');
    }
    const [, tag] = /^\/1\/receipts\/cancel_by_tag\/([^/]+)\.json$/.exec(path) ?? [];
    if (tag !== undefined) {
      cancelled.push(tag);
      return { status: 200, body: { status: 1, canceled: 1, request: 'r' } };
    }
    if (path !== '/1/messages.json' || json.user !== USER) {
      return failed('user identifier is not a valid user, group, or subscribed user key');
    }
    const long = Object.entries(LENGTHS).filter(
      ([key, max]) => typeof json[key] === 'string' && json[key].length > max
    );
    const [retry, expire] = [Number(json.retry), Number(json.expire)];
    const isEmergency = json.priority === '2';
    if (long.length > 0 || !json.message || !/^(?:-[12]|[012])$/.test(String(json.priority))) {
      return failed('message is invalid');
    }
    if (isEmergency && !(retry >= 30 && expire <= 10_800)) {
      return failed('expire must be supplied with priority=2');
    }
    return { status: 200, body: { status: 1, request: 'r', ...(isEmergency && { receipt: 'r'.repeat(30) }) } };
  };
  return startReceiver(respond).then((receiver) => Object.assign(receiver, { cancelled }));
}

const withPushover = async (given: object = {}) => {
  const pushover = await started(startPushover());
  return { pushover, channel: make({ type: 'pushover', url: pushover.url, token: TOKEN, user: USER, ...given }) };
};

test('the link has its own fields, actions are lines', async () => {
  const { pushover, channel } = await withPushover();
  expect(await send(channel, RICH)).toEqual({ kind: 'delivered' });
  expect(pushover.accepted[0]!.json).toEqual({
    token: TOKEN,
    user: USER,
    title: `Important: ${RICH.title}`,
    message: `${RICH.body}\n\ngeth.example.eth · hardware\n${LINES.split('\n')[1]}`,
    priority: '0',
    timestamp: '1795255200',
    url: RICH.callToAction.url,
    url_title: 'Open <it>',
  });
});

test('a long text is cut; an address that is too long is left out', async () => {
  const { pushover, channel } = await withPushover();
  const long = { title: 'x'.repeat(300), url: `https://g.example/${'a'.repeat(600)}` };
  expect(await send(channel, { ...RICH, ...LONG, callToAction: { ...RICH.callToAction, title: long.title } })).toEqual({
    kind: 'delivered',
  });
  const actions = [{ label: 'Acknowledge', url: `https://g.example/${'a'.repeat(1100)}` }];
  expect(await send(channel, { ...LONG, actions, callToAction: long })).toEqual({ kind: 'delivered' });
  expect(pushover.accepted[1]!.json).not.toHaveProperty('url');
});

test('an emergency repeats for a critical alert, not for its updates; its resolve cancels it', async () => {
  const { pushover, channel } = await withPushover({ emergency: 'critical' });
  const sent = await send(channel, { priority: 'critical' });
  expect(sent).toEqual({ kind: 'delivered', ref: 'nb-3-7-abc' });
  const { ref } = sent as { ref: string };
  await send(channel, { priority: 'critical', ref, key: 'nb-3-8-abd' });
  expect(pushover.cancelled).toEqual([]);
  expect(await send(channel, { status: 'resolved', ref, key: 'nb-3-9-abe' })).toEqual({ kind: 'delivered' });
  expect(pushover.cancelled).toEqual(['nb-3-7-abc']);
  const sentMessages = pushover.accepted.filter(({ path }) => path === '/1/messages.json').map(({ json }) => json);
  expect(sentMessages.map(({ priority }) => priority)).toEqual(['2', '1', '-1']);
  expect(sentMessages[0]).toMatchObject({ tags: 'nb-3-7-abc', retry: '60', expire: '3600' });
});

test('a resolve at another bridge that has the same application does not cancel an emergency', async () => {
  const { pushover, channel } = await withPushover({ emergency: 'critical' });
  const sent = await send(channel, { priority: 'critical', threadId: 3 });
  expect(sent).toEqual({ kind: 'delivered', ref: `nb-${BRIDGE}-3` });
  expect(pushover.accepted[0]!.json).toMatchObject({ tags: `nb-${BRIDGE}-3` });
});

test('without emergencies, a critical alert has a high priority, and nothing is cancelled', async () => {
  const { pushover, channel } = await withPushover();
  expect(await send(channel, { priority: 'critical' })).toEqual({ kind: 'delivered' });
  await send(channel, { status: 'resolved', ref: '' });
  expect(pushover.arrived.map(({ json }) => json.priority)).toEqual(['1', '-1']);
});

test('what could not be cancelled for now is retried; what cannot be cancelled is resolved all the same', async () => {
  const { pushover, channel } = await withPushover({ emergency: 'critical' });
  const resolve = () => send(channel, { status: 'resolved', ref: 'nb-3-7-abc' });
  pushover.reject({ status: 500 });
  expect(await resolve()).toMatchObject({ kind: 'retry' });
  expect(pushover.accepted).toEqual([]);
  pushover.reject({ status: 404 });
  expect(await resolve()).toEqual({ kind: 'delivered' });
});

test.each([
  [failed('user identifier is invalid', 'b'), 'refused', '400: user identifier is invalid; b'],
  [{ status: 429, body: { status: 0, errors: ['message limit reached'] } }, 'retry', '429: message limit reached'],
] as const)('%j: %s', async (reply, kind, reason) => {
  const { pushover, channel } = await withPushover();
  pushover.reject({ ...reply, body: { ...reply.body } });
  expect(await send(channel)).toEqual({ kind, reason: `The server responds with ${reason}.` });
});
