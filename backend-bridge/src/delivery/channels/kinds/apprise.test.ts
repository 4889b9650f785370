/** Kind `apprise` against a receiver with the responses of apprise-api 1.13 (api/views.py, `NotifyView`). */
import { expect, test } from 'vitest';
import { type Receiver, type Reply, startReceiver } from '../receivers.testing.ts';
import { make, send } from './kinds.testing.ts';
import { LINES, LONG, RICH, started } from './services.testing.ts';

const AT = '2026-11-26 20:12:31,381';
const SENT = ['INFO', AT, 'Sent JSON POST notification.'];
const NOT_SENT = ['WARNING', AT, 'Failed to send JSON POST notification: Internal server error.'];
const failed = (...details: string[][]): Reply => ({
  status: 424,
  body: { error: 'One or more notification could not be sent', details },
});

const startApprise = (): Promise<Receiver> =>
  startReceiver(({ method, path, headers, json }) => {
    if (method !== 'POST' || !/^\/notify\/[\w-]{1,128}$/.test(path)) {
      return { status: 404 };
    }
    const { body, type, format } = json;
    if (!body || !['info', 'success', 'warning', 'failure'].includes(String(type)) || format !== 'text') {
      return { status: 400, body: { error: 'Payload lacks minimum requirements' } };
    }
    if (headers.accept !== 'application/json' || path !== '/notify/known') {
      return { status: 204 };
    }
    return { status: 200, body: { error: null, details: [SENT] } };
  });

const withApprise = async (given: object = {}) => {
  const apprise = await started(startApprise());
  return { apprise, channel: make({ type: 'apprise', url: apprise.url, key: 'known', ...given }) };
};

test('links are lines', async () => {
  const { apprise, channel } = await withApprise({ tag: 'a, b' });
  expect(await send(channel, RICH)).toEqual({ kind: 'delivered' });
  expect(apprise.accepted[0]!.json).toEqual({
    title: `Important: ${RICH.title}`,
    body: `${RICH.body}\n\ngeth.example.eth · hardware\n${LINES}`,
    type: 'warning',
    format: 'text',
    tag: 'a, b',
  });
});

test.each([
  [{ priority: 'low' }, 'info'],
  [{ priority: 'critical' }, 'failure'],
  [{ priority: 'critical', status: 'resolved' }, 'success'],
] as const)('%j has the type %s', async (change, type) => {
  const { apprise, channel } = await withApprise();
  await send(channel, { ...LONG, ...change });
  expect(apprise.accepted[0]!.json).toMatchObject({ type });
});

test('a key without configuration is an error', async () => {
  const { channel } = await withApprise({ key: 'unknown' });
  expect(await send(channel)).toEqual({
    kind: 'refused',
    reason: 'The Apprise server has no configuration with this key, or an empty one.',
  });
});

const FAILURE = 'One or more notification could not be sent';
const WHY = `${FAILURE}: Failed to send JSON POST notification: Internal server error`;
test.each([
  ['no service has received it', failed(NOT_SENT), 'retry', WHY],
  ['one of two has received it', failed(SENT, NOT_SENT), 'refused', WHY],
  ['no service has the tag', failed(['INFO', AT, 'Loaded 2 entries']), 'refused', FAILURE],
  ['a server without details', { status: 424, body: { error: FAILURE } }, 'retry', FAILURE],
] as const)('%s', async (_, reply, kind, reason) => {
  const { apprise, channel } = await withApprise();
  apprise.reject(reply);
  expect(await send(channel)).toEqual({ kind, reason: `The server responds with 424: ${reason}.` });
});
