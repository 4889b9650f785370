/** Kind `gotify` against a receiver with the rules of its API (api/message.go, auth/authentication.go, error/handler.go). */
import { expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../receivers.testing.ts';
import { make, send } from './kinds.testing.ts';
import { LINES, LONG, RICH, started } from './services.testing.ts';

const TOKEN = 'AbCdEf123.token';
const failed = (errorCode: number, error: string, errorDescription: string) => ({
  status: errorCode,
  body: { error, errorCode, errorDescription },
});

const startGotify = (): Promise<Receiver> =>
  startReceiver(({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/message') {
      return failed(404, 'Not Found', 'page not found');
    }
    if (headers['x-gotify-key'] !== TOKEN) {
      return failed(
        401,
        'Unauthorized',
        'you need to provide a valid access token or user credentials to access this api'
      );
    }
    if (typeof json.message !== 'string' || json.message === '') {
      return failed(400, 'Bad Request', "Field 'message' is required");
    }
    return { status: 200, body: { id: 25, appid: 5, date: '2026-11-21T10:00:00Z', ...json } };
  });

const withGotify = async (token = TOKEN) => {
  const gotify = await started(startGotify());
  return { gotify, channel: make({ type: 'gotify', url: `${gotify.url}/`, token }) };
};

test('text and links are shown as they are, and a click opens the link', async () => {
  const { gotify, channel } = await withGotify();
  expect(await send(channel, RICH)).toEqual({ kind: 'delivered' });
  expect(gotify.accepted[0]!.json).toEqual({
    title: `Important: ${RICH.title}`,
    message: `${RICH.body}\n\ngeth.example.eth · hardware\n${LINES}`,
    priority: 7,
    extras: {
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: RICH.callToAction.url } },
    },
  });
});

test.each([
  [{ priority: 'critical' }, 10],
  [{ priority: 'low' }, 2],
  [{ priority: 'critical', status: 'resolved' }, 2],
] as const)('%j has the priority %i', async (change, priority) => {
  const { gotify, channel } = await withGotify();
  await send(channel, change);
  expect(gotify.accepted[0]!.json).toMatchObject({ priority });
});

test('a long text is cut, its links are whole', async () => {
  const { gotify, channel } = await withGotify();
  await send(channel, { ...RICH, ...LONG });
  const { title, message } = gotify.accepted[0]!.json as { title: string; message: string };
  expect([title.length, message.length]).toEqual([250, 8000]);
  expect(message.endsWith(`…\n${LINES}`)).toBe(true);
});

test('a wrong token is retried, as it can be replaced; what is wrong in a message is final', async () => {
  const { gotify, channel } = await withGotify('wrong');
  expect(await send(channel)).toEqual({
    kind: 'retry',
    reason:
      'The server responds with 401: you need to provide a valid access token or user credentials to access this api.',
  });
  gotify.reject(failed(400, 'Bad Request', "Field 'message' is required"));
  expect(await send(channel)).toEqual({
    kind: 'refused',
    reason: "The server responds with 400: Field 'message' is required.",
  });
});
