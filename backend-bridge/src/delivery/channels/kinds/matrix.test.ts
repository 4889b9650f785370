/** Kind `matrix` against a receiver with the rules of the client-server API; its responses are those of Synapse. */
import { expect, test } from 'vitest';
import { type Receiver, type Reply, startReceiver } from '../receivers.testing.ts';
import { make, send } from './kinds.testing.ts';
import { LONG, RICH, started } from './services.testing.ts';

const TOKEN = 'syt_YnJpZGdl_secret';
const ROOM = '!WKtVBWkPxssNhhDJCsvTLeufYuJDwX-QPxGHVerNPiA';
const ALIAS = '#alerts:example.org';
const MAX_EVENT = 65_536;
const TAGS = /<\/?strong>|<br>|<a href="[^"<>]*">|<\/a>/g;

const failed = (status: number, errcode: string, error: string, more: object = {}): Reply => ({
  status,
  body: { errcode, error, ...more },
});
const FORBIDDEN = failed(403, 'M_FORBIDDEN', 'You are not invited to this room.');

/** Parts of the paths that it knows: `join`, room; `rooms`, room, `event` or `send`, id or type, transaction. */
const PATH = /^\/_matrix\/client\/v3\/(join|rooms)\/([^/]+)(?:\/(event|send)\/([^/]+)(?:\/([^/]+))?)?$/;
const pathOf = (path: string): (string | undefined)[] =>
  (PATH.exec(path) ?? []).slice(1).map((part: string | undefined) => part && decodeURIComponent(part));

interface Content {
  body: string;
  formatted_body?: string;
  'm.mentions': object;
  'm.new_content'?: Content;
  'm.relates_to'?: { rel_type: string; event_id: string };
}
type Homeserver = Receiver & { events: Map<string, Content | undefined>; shown: (id: string) => Content | undefined };

function startHomeserver(): Promise<Homeserver> {
  const events = new Map<string, Content | undefined>();
  const byTransaction = new Map<string, string>();
  const isWrong = (content: Content): boolean =>
    /[<>]|&(?!(?:lt|gt|amp|quot);)/.test((content.formatted_body ?? '').replaceAll(TAGS, '')) ||
    Object.keys(content['m.mentions']).length > 0;
  const sent = (transaction: string, content: Content): Reply => {
    if (Buffer.byteLength(JSON.stringify(content)) > MAX_EVENT) {
      return failed(413, 'M_TOO_LARGE', 'event too large');
    }
    if (isWrong(content['m.new_content'] ?? content)) {
      return failed(400, 'M_BAD_JSON', 'not escaped');
    }
    const id = byTransaction.get(transaction) ?? `$${events.size + 1}`;
    byTransaction.set(transaction, id);
    events.set(id, content);
    return { status: 200, body: { event_id: id } };
  };
  const respond = ({ method, path, headers, json }: Receiver['arrived'][number]): Reply => {
    const [action, room, what, third, transaction] = pathOf(path);
    if (headers.authorization !== `Bearer ${TOKEN}`) {
      return failed(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.');
    }
    if (method === 'POST' && action === 'join') {
      return room === ALIAS || room === ROOM ? { status: 200, body: { room_id: ROOM } } : FORBIDDEN;
    }
    if (method === 'GET' && what === 'event' && room === ROOM) {
      return events.has(third!)
        ? { status: 200, body: { event_id: third, content: events.get(third!) ?? {} } }
        : failed(404, 'M_NOT_FOUND', 'Event not found.');
    }
    return method === 'PUT' && room === ROOM && third === 'm.room.message'
      ? sent(transaction!, json as unknown as Content)
      : failed(404, 'M_UNRECOGNIZED', 'Unrecognized request');
  };
  const shown = (id: string) =>
    [...events.values()].findLast((one) => one?.['m.relates_to']?.event_id === id)?.['m.new_content'] ?? events.get(id);
  return startReceiver(respond).then((receiver) => Object.assign(receiver, { events, shown }));
}

const withMatrix = async (given: object = {}) => {
  const matrix = await started(startHomeserver());
  return { matrix, channel: make({ type: 'matrix', url: matrix.url, token: TOKEN, roomId: ALIAS, ...given }) };
};

test('markup is escaped, links are links, and nobody is mentioned', async () => {
  const { matrix, channel } = await withMatrix();
  expect(await send(channel, RICH)).toEqual({ kind: 'delivered', ref: '$1' });
  expect(matrix.events.get('$1')).toEqual({
    msgtype: 'm.text',
    body: expect.stringContaining('Important: <b>a</b> & "b"\nfirst\n</b><script>'),
    format: 'org.matrix.custom.html',
    formatted_body:
      '<strong>Important: &lt;b&gt;a&lt;/b&gt; &amp; &quot;b&quot;</strong><br>first<br>&lt;/b&gt;&lt;script&gt;<br><br>' +
      'geth.example.eth · hardware<br><a href="https://g.example/d?a=1&amp;b=2">Open &lt;it&gt;</a> · ' +
      '<a href="https://bridge.example/ack?s=1">Acknowledge</a>',
    'm.mentions': {},
  });
});

test('the largest text fits in an event, also as an edit', async () => {
  const { channel } = await withMatrix();
  const large = { ...LONG, body: '\u0001'.repeat(9000) };
  const sent = await send(channel, large);
  expect(sent).toMatchObject({ kind: 'delivered' });
  expect(await send(channel, { ...large, key: 'nb-3-8-abd', ref: (sent as { ref: string }).ref })).toMatchObject({
    kind: 'delivered',
  });
});

test('a repeat is not another message', async () => {
  const { matrix, channel } = await withMatrix();
  await send(channel);
  expect(await send(channel)).toEqual({ kind: 'delivered', ref: '$1' });
  expect(matrix.events.size).toBe(1);
});

test('the message is edited; one that is gone is replaced', async () => {
  const { matrix, channel } = await withMatrix();
  await send(channel);
  const resolve = (ref: string, key: string) => send(channel, { ref, key, status: 'resolved' });
  expect(await resolve('$1', 'nb-3-8-abd')).toEqual({ kind: 'delivered', ref: '$1' });
  expect(matrix.shown('$1')).toMatchObject({ body: expect.stringContaining('Resolved: Disk full\nOnly 1 %') });
  matrix.events.set('$1', undefined);
  expect(await resolve('$1', 'nb-3-9-abe')).toEqual({ kind: 'delivered', ref: '$3' });
  expect(matrix.events.get('$3')).not.toHaveProperty('m.relates_to');
  expect(await resolve('$99', 'nb-3-10-abf')).toEqual({ kind: 'delivered', ref: '$4' });
});

test('the room is joined once, and again after the account was removed from it', async () => {
  const { matrix, channel } = await withMatrix();
  const joins = () => matrix.arrived.filter(({ path }) => path.includes('/join/')).length;
  await send(channel, { key: 'a' });
  await send(channel, { key: 'b' });
  expect(joins()).toBe(1);
  matrix.reject(failed(403, 'M_FORBIDDEN', 'User @bridge:example.org not in room.'));
  expect(await send(channel, { key: 'c' })).toEqual({
    kind: 'refused',
    reason: 'The server responds with 403: M_FORBIDDEN: User @bridge:example.org not in room.',
  });
  expect(await send(channel, { key: 'd' })).toMatchObject({ kind: 'delivered' });
  expect(joins()).toBe(2);
});

test.each([
  [{ roomId: '#no:example.org' }, 'refused', '403: M_FORBIDDEN: You are not invited to this room'],
  [{ token: 'wrong' }, 'retry', '401: M_UNKNOWN_TOKEN: Invalid access token passed'],
])('%j: %s', async (given, kind, reason) => {
  const { channel } = await withMatrix(given);
  expect(await send(channel)).toEqual({ kind, reason: `The server responds with ${reason}.` });
});

test.each(['joining', 'looking for the message', 'sending'])('a limit of requests while %s', async (step) => {
  const { matrix, channel } = await withMatrix();
  if (step !== 'joining') {
    await send(channel);
  }
  matrix.reject(failed(429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', { retry_after_ms: 3823 }));
  expect(await send(channel, step === 'sending' ? { key: 'x' } : { ref: '$1' })).toEqual({
    kind: 'retry',
    reason: 'The server responds with 429: M_LIMIT_EXCEEDED: Too Many Requests.',
    afterMs: 3823,
  });
});

test('a server that is not a homeserver', async () => {
  const { matrix, channel } = await withMatrix();
  matrix.reject({ status: 200 });
  expect(await send(channel)).toEqual({ kind: 'retry', reason: 'The response is not one of a Matrix homeserver.' });
});
