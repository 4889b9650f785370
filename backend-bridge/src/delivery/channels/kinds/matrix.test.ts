/** Kind `matrix` against a receiver with the rules of the client-server API; its responses are those of Synapse. */
import { expect, test } from 'vitest';
import { failed, startHomeserver } from '../matrix.testing.ts';
import { make, send } from './kinds.testing.ts';
import { LONG, RICH, started } from './services.testing.ts';

const TOKEN = 'syt_YnJpZGdl_secret';
const ALIAS = '#alerts:example.org';
const withMatrix = async (given: object = {}) => {
  const matrix = await started(startHomeserver(TOKEN, ALIAS));
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
