/** Telegram against a receiver that is held to its Bot API. */
import { afterEach, describe, expect, test } from 'vitest';
import { startTelegram, TELEGRAM } from '../telegram.testing.ts';
import { make, send } from './kinds.testing.ts';

const TOKEN = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe('telegram', () => {
  const withBot = async (token = TOKEN) => {
    const telegram = await startTelegram(TOKEN);
    closers.push(() => telegram.close());
    return { telegram, channel: make({ type: 'telegram', url: telegram.url, token, chatId: '42' }) };
  };

  test('entities are escaped, also in the link', async () => {
    const { telegram, channel } = await withBot();
    const link = { title: 'Open <it>', url: 'https://g.example/d?a=1&b="2"' };
    const sent = await send(channel, { title: '<b>a</b> & "b"', body: '</b><script>', callToAction: link });
    expect(sent).toEqual({ kind: 'delivered', ref: '1:42' });
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
    expect(await send(channel, { ref: '99', status: 'resolved' })).toEqual({ kind: 'delivered', ref: '2:42' });
  });

  test('once the channel has another chat, no message of that chat is edited in place of one of the chat before', async () => {
    const { telegram, channel } = await withBot();
    const { ref } = (await send(channel)) as { ref: string };
    const moved = make({ type: 'telegram', url: telegram.url, token: TOKEN, chatId: '-1007' });
    expect(await send(moved, { ref, status: 'resolved' })).toEqual({ kind: 'delivered', ref });
    expect(telegram.accepted[1]).toMatchObject({
      path: expect.stringMatching(/\/editMessageText$/) as string,
      json: { chat_id: '42', message_id: 1 },
    });
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
