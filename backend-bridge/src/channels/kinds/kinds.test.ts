/** Each kind against a receiver that is held to what the service documents. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Channel, ChannelSettings, Message, Network, Outcome } from '../channel.ts';
import { NTFY, startHook, startMail, startNtfy, startTelegram, TELEGRAM } from '../receivers.testing.ts';
import { KINDS } from './index.ts';
import { retryAfterMs } from './http.ts';

const NETWORK: Network = { allow: [], now: () => 1_700_000_000_000 };
const TOKEN = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';

const message = (change: Partial<Message> = {}): Message => ({
  id: 7,
  timestamp: '2026-11-21T10:00:00.000Z',
  title: 'Disk full',
  body: 'Only 1 % of /data is left.',
  category: 'hardware',
  dnpName: 'geth.example.eth',
  priority: 'high',
  status: 'triggered',
  correlationId: 'disk',
  key: 'nb-3-7-abc',
  ref: undefined,
  ...change,
});

type Given = Partial<ChannelSettings> & Pick<ChannelSettings, 'type'>;
const make = (given: Given): Channel =>
  KINDS[given.type].create({ name: 'chan', giveUpAfter: '24h', perMinute: undefined, ...given }, NETWORK);
const send = (channel: Channel, change?: Partial<Message>): Promise<Outcome> =>
  channel.send(message(change), { signal: AbortSignal.timeout(20_000), idempotencyKey: 'chan-1' });

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});
async function started<T extends { close(): Promise<void> }>(receiver: Promise<T>): Promise<T> {
  const one = await receiver;
  closers.push(() => one.close());
  return one;
}

describe('webhook', () => {
  const withHook = async () => {
    const hook = await started(startHook());
    return { hook, channel: make({ type: 'webhook', url: `${hook.url}/in`, secret: 's' }) };
  };

  test.each([
    [{ status: 204 }, { kind: 'delivered' }],
    [{ status: 500 }, { kind: 'retry', reason: 'The server responds with 500.' }],
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'retry', reason: 'The server responds with 429.', afterMs: 7000 },
    ],
    [{ status: 401 }, { kind: 'retry', reason: 'The server responds with 401.' }],
    [{ status: 404 }, { kind: 'refused', reason: 'The server responds with 404.' }],
  ])('%j', async (reply, outcome) => {
    const { hook, channel } = await withHook();
    hook.reject(reply);
    expect(await send(channel)).toEqual(outcome);
  });

  test('a redirect is not followed: the body is for this host', async () => {
    const { hook, channel } = await withHook();
    hook.reject({ status: 307, headers: { location: 'http://169.254.169.254/' } });
    expect(await send(channel)).toMatchObject({ kind: 'retry' });
    expect(hook.arrived).toHaveLength(1);
  });

  test('the key of a retry is the same', async () => {
    const { hook, channel } = await withHook();
    hook.reject({ status: 503 });
    await send(channel);
    await send(channel);
    expect(hook.arrived.map(({ headers }) => headers['idempotency-key'])).toEqual(['chan-1', 'chan-1']);
  });
});

test('Retry-After is seconds or a date', () => {
  expect(retryAfterMs('120', 0)).toBe(120_000);
  expect(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4000)).toBe(6000);
  expect(retryAfterMs('soon', 0)).toBeUndefined();
  expect(retryAfterMs(undefined, 0)).toBeUndefined();
});

describe('ntfy', () => {
  test('publishes as JSON, whatever a title contains, and updates by its sequence id', async () => {
    const ntfy = await started(startNtfy());
    const channel = make({ type: 'ntfy', url: ntfy.url, topic: 'node', token: 'tk_secret' });
    const body = '€'.repeat(5000);
    expect(await send(channel, { title: 'Two\r\nX-Delay: 3d', body })).toEqual({
      kind: 'delivered',
      ref: 'nb-3-7-abc',
    });
    expect(await send(channel, { id: 8, key: 'nb-3-8-abd', ref: 'nb-3-7-abc', status: 'resolved' })).toEqual({
      kind: 'delivered',
      ref: 'nb-3-7-abc',
    });
    const [first, second] = ntfy.accepted;
    expect(first!.headers.authorization).toBe('Bearer tk_secret');
    expect(first!.headers).not.toHaveProperty('x-delay');
    expect(first!.json).toMatchObject({ topic: 'node', title: 'Important: Two X-Delay: 3d', priority: 4 });
    expect(second!.json).toMatchObject({
      sequence_id: first!.json.sequence_id,
      title: 'Resolved: Disk full',
      priority: 2,
    });
  });

  test.each([
    [NTFY.flood, { kind: 'retry', reason: 'The server responds with 429: limit reached: too many requests.' }],
    [NTFY.forbidden, { kind: 'refused', reason: 'The server responds with 403: forbidden.' }],
  ])('%j', async (reply, outcome) => {
    const ntfy = await started(startNtfy());
    ntfy.reject(reply);
    expect(await send(make({ type: 'ntfy', url: ntfy.url, topic: 'node' }))).toEqual(outcome);
  });
});

describe('telegram', () => {
  const withBot = async (token = TOKEN) => {
    const telegram = await started(startTelegram(TOKEN));
    return { telegram, channel: make({ type: 'telegram', url: telegram.url, token, chatId: '42' }) };
  };

  test('entities are escaped, also in the link', async () => {
    const { telegram, channel } = await withBot();
    const link = { title: 'Open <it>', url: 'https://g.example/d?a=1&b="2"' };
    const sent = await send(channel, { title: '<b>a</b> & "b"', body: '</b><script>', callToAction: link });
    expect(sent).toEqual({ kind: 'delivered', ref: '1' });
    expect(telegram.texts.get(1)).toContain('&lt;b&gt;a&lt;/b&gt; &amp; &quot;b&quot;');
    expect(telegram.accepted[0]!.json).toMatchObject({ chat_id: '42' });
  });

  test('a long text is cut before it is escaped', async () => {
    const { channel } = await withBot();
    expect(await send(channel, { title: '<'.repeat(9000), body: '&'.repeat(9000) })).toMatchObject({
      kind: 'delivered',
    });
  });

  test('the message is edited; one that is gone is replaced; one that is the same counts as delivered', async () => {
    const { telegram, channel } = await withBot();
    await send(channel);
    expect(await send(channel, { ref: '1', status: 'resolved' })).toEqual({ kind: 'delivered', ref: '1' });
    expect(await send(channel, { ref: '1', status: 'resolved' })).toEqual({ kind: 'delivered', ref: '1' });
    expect(telegram.texts.size).toBe(1);
    expect(await send(channel, { ref: '99', status: 'resolved' })).toEqual({ kind: 'delivered', ref: '2' });
  });

  test.each([
    [
      TELEGRAM.flood(17),
      { kind: 'retry', afterMs: 17_000, reason: 'The server responds with 429: Too Many Requests: retry after 17.' },
    ],
    [
      TELEGRAM.blocked,
      { kind: 'refused', reason: 'The server responds with 403: Forbidden: bot was blocked by the user.' },
    ],
    [TELEGRAM.noChat, { kind: 'refused', reason: 'The server responds with 400: Bad Request: chat not found.' }],
  ])('%j', async (reply, outcome) => {
    const { telegram, channel } = await withBot();
    telegram.reject(reply);
    expect(await send(channel)).toEqual(outcome);
  });

  test('the token is in no reason', async () => {
    const { telegram, channel } = await withBot('1:wrong');
    expect(await send(channel)).toMatchObject({ kind: 'retry', reason: 'The server responds with 401: Unauthorized.' });
    telegram.reject({ status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: bot1:wrong' } });
    expect(JSON.stringify(await send(channel))).not.toContain('1:wrong');
    await telegram.close();
    closers.length = 0;
    const unreachable = await send(channel);
    expect(unreachable).toMatchObject({ kind: 'retry', reason: expect.stringContaining('ECONNREFUSED') });
    expect(JSON.stringify(unreachable)).not.toContain('1:wrong');
  });
});

describe('email', () => {
  const plain = {
    type: 'email',
    host: '127.0.0.1',
    tls: 'none',
    from: 'Nodebell <bell@example.org>',
    to: ['admin@example.org'],
  } as const;

  test('a thread is one conversation', async () => {
    const mail = await started(startMail({ disabledCommands: ['STARTTLS', 'AUTH'] }));
    const channel = make({ ...plain, port: mail.port, to: ['admin@example.org', 'Op <op@example.org>'] });
    const sent = await send(channel, { priority: 'critical' });
    expect(sent).toEqual({ kind: 'delivered', ref: '<nb-3-7-abc.chan@example.org>' });
    const ref = (sent as { ref: string }).ref;
    await send(channel, { id: 8, key: 'nb-3-8-abd', ref, status: 'resolved' });
    const [first, second] = mail.mails;
    expect(first!.to).toEqual(['admin@example.org', 'op@example.org']);
    expect(first!.headers).toMatchObject({
      subject: 'Critical: Disk full',
      'message-id': ref,
      'list-id': 'Nodebell <chan.nodebell.example.org>',
      'auto-submitted': 'auto-generated',
    });
    expect(first!.headers).not.toHaveProperty('in-reply-to');
    expect(second!.headers).toMatchObject({ subject: 'Resolved: Disk full', 'in-reply-to': ref, references: ref });
    expect(second!.headers['message-id']).not.toBe(ref);
  });

  test('nothing of a notification becomes a header', async () => {
    const mail = await started(startMail({ disabledCommands: ['STARTTLS', 'AUTH'] }));
    const channel = make({ ...plain, port: mail.port });
    const title = 'Hot\r\nBcc: victim@example.org\r\n\r\n<script>\u2028X: y';
    await send(channel, { title, body: '.\r\nRCPT TO:<victim@example.org>\r\n.\r\n' });
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]!.to).toEqual(['admin@example.org']);
    expect(mail.mails[0]!.headers).not.toHaveProperty('bcc');
    expect(mail.mails[0]!.headers.subject).toContain('Hot Bcc: victim@example.org');
  });

  test.each([
    [451, 'retry'],
    [554, 'refused'],
  ])('%i: %s', async (status, kind) => {
    const mail = await started(startMail({ disabledCommands: ['STARTTLS', 'AUTH'] }));
    mail.reject(status);
    expect(await send(make({ ...plain, port: mail.port }))).toMatchObject({
      kind,
      reason: `The mail server 127.0.0.1 rejects the mail: ${status} not now.`,
    });
  });

  test('without TLS nothing is sent, unless the operator says so', async () => {
    const mail = await started(startMail({ disabledCommands: ['STARTTLS'] }));
    expect(await send(make({ ...plain, tls: 'starttls', port: mail.port }))).toMatchObject({
      kind: 'retry',
      reason: expect.stringMatching(/^No encrypted connection to 127\.0\.0\.1/),
    });
    expect(mail.mails).toEqual([]);
  });

  test('a certificate that nobody trusts is not accepted', async () => {
    // smtp-server has a self-signed certificate of its own.
    const mail = await started(startMail());
    expect(await send(make({ ...plain, tls: 'starttls', port: mail.port }))).toMatchObject({ kind: 'retry' });
    const implicit = await started(startMail({ secure: true }));
    expect(await send(make({ ...plain, tls: 'implicit', port: implicit.port }))).toMatchObject({ kind: 'retry' });
    expect([...mail.mails, ...implicit.mails]).toEqual([]);
  });

  test('a wrong password is retried, and in no reason', async () => {
    const mail = await started(
      startMail({
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: ({ password }, _session, callback) => callback(new Error(`Invalid password ${password}`)),
      })
    );
    const outcome = await send(make({ ...plain, port: mail.port, username: 'bell', password: 'hunter2-secret' }));
    expect(outcome).toMatchObject({ kind: 'retry', reason: expect.stringMatching(/^Authentication failed at 127/) });
    expect(JSON.stringify(outcome)).not.toContain('hunter2-secret');
  });

  test('a server that is silent, or gone, is retried', async () => {
    const silent = createServer((socket) => socket.end());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    expect(await send(make({ ...plain, port }))).toMatchObject({ kind: 'retry' });
    expect(await send(make({ ...plain, port: 1 }))).toMatchObject({ kind: 'retry' });
  });
});
