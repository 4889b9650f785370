/** Pauses and tries of listeners; the pauses are recorded instead of waited for. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { startHomeserver } from '../matrix.testing.ts';
import type { Reply } from '../receivers.testing.ts';
import { startTelegram, TELEGRAM } from '../telegram.testing.ts';
import { StoreUnavailable } from '../../../platform/storage/storeError.ts';
import type { Press } from './channel.ts';
import { CHATS, startSlack } from './chats.testing.ts';
import { make } from './kinds.testing.ts';
import { PollError } from './listening.ts';
import { started } from './services.testing.ts';

vi.mock(import('node:timers/promises'), async (original) => ({ ...(await original()), setTimeout: vi.fn() }));

const WAIT = { timeout: 20_000, interval: 10 };
const ROOM = '#alerts:example.org';
afterEach(() => {
  vi.mocked(wait).mockReset();
});

const SERVICES = {
  telegram: async () => {
    const service = await started(startTelegram(CHATS.token));
    return { service, channel: make({ type: 'telegram', url: service.url, token: CHATS.token, chatId: '42' }) };
  },
  matrix: async () => {
    const service = await started(startHomeserver(CHATS.token, ROOM));
    return { service, channel: make({ type: 'matrix', url: service.url, token: CHATS.token, roomId: ROOM }) };
  },
  slack: async () => {
    const service = await started(startSlack());
    const { token, channel, appToken } = CHATS;
    return { service, channel: make({ type: 'slack', url: `${service.url}/api`, token, channel, appToken }) };
  },
};

/** @param on acts for a press */
function listen({ presses }: ReturnType<typeof make>, on: (press: Press) => Promise<string>) {
  const failures: string[] = [];
  const ending = new AbortController();
  const running = presses!.listen(on, (reason) => failures.push(reason), ending.signal);
  const end = async () => {
    ending.abort();
    await running;
  };
  return { failures, end };
}

const limited = (body: object, headers: Record<string, string> = {}): Reply => ({ status: 429, body, headers });
const HEADER = { 'retry-after': '90' };
const LIMITED = { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests' };

test.each([
  ['telegram', '"retry_after"', TELEGRAM.flood(90)],
  ['telegram', 'the header', limited({ ok: false, description: 'Too Many Requests' }, HEADER)],
  ['matrix', '"retry_after_ms"', limited({ ...LIMITED, retry_after_ms: 90_000 })],
  ['matrix', 'the header', limited(LIMITED, HEADER)],
  ['slack', 'the header', limited({ ok: false, error: 'ratelimited' }, HEADER)],
] as const)('%s: a pause demanded by %s is kept', async (type, _, reply) => {
  const { service, channel } = await SERVICES[type]();
  service.reject(reply);
  const pause = Promise.withResolvers<void>();
  vi.mocked(wait).mockReturnValue(pause.promise);
  const { failures, end } = listen(channel, () => Promise.resolve(''));
  await vi.waitFor(() => expect(wait).toHaveBeenCalledOnce(), WAIT);
  expect(vi.mocked(wait).mock.calls[0]![0]).toBe(90_000);
  expect(failures[0]).toContain('429');
  expect(service.arrived).toHaveLength(1);
  pause.resolve();
  await end();
});

test('a demanded pause has a limit', async () => {
  const { service, channel } = await SERVICES.telegram();
  service.reject(TELEGRAM.flood(1e9));
  const pause = Promise.withResolvers<void>();
  vi.mocked(wait).mockReturnValue(pause.promise);
  const { end } = listen(channel, () => Promise.resolve(''));
  await vi.waitFor(() => expect(wait).toHaveBeenCalledOnce(), WAIT);
  expect(vi.mocked(wait).mock.calls[0]![0]).toBe(60 * 60_000);
  pause.resolve();
  await end();
});

/** Fails for one token. */
function failingFor(broken: string) {
  const taken: string[] = [];
  const on = ({ token }: Press): Promise<string> => {
    taken.push(token);
    return token === broken ? Promise.reject(new Error('The disk is full.')) : Promise.resolve('Done.');
  };
  return { taken, on };
}
const DISCARDED = 'A press is discarded after 3 tries. The disk is full.';

test('telegram: a press that fails is given up after three tries, and holds up no other', async () => {
  const { service, channel } = await SERVICES.telegram();
  vi.mocked(wait).mockResolvedValue(undefined);
  const { taken, on } = failingFor('bad');
  service.press('bad', { first_name: 'Eve' });
  service.press('good', { first_name: 'Ada' });
  const { failures, end } = listen(channel, on);
  await vi.waitFor(() => expect(service.updates).toEqual([]), WAIT);
  expect(taken).toEqual(['bad', 'good', 'bad', 'bad']);
  expect(service.answers).toEqual(['Done.']);
  expect(failures).toEqual(['The disk is full.', 'The disk is full.', DISCARDED]);
  service.press('next', { first_name: 'Ada' });
  await vi.waitFor(() => expect(taken.at(-1)).toBe('next'), WAIT);
  await end();
});

test('matrix: a press that fails is given up after three tries, and holds up no other', async () => {
  const { service, channel } = await SERVICES.matrix();
  vi.mocked(wait).mockResolvedValue(undefined);
  const { taken, on } = failingFor('bad');
  for (const [id, token] of Object.entries({ $bad: 'bad', $good: 'good' })) {
    const content = { body: '', 'm.mentions': {}, 'nodebell.actions': { acknowledge: token } };
    service.events.set(id, content);
  }
  service.data.set('nodebell.presses', { since: '0' });
  service.react('$bad', '✅');
  service.react('$good', '✅');
  const { failures, end } = listen(channel, on);
  await vi.waitFor(() => expect(service.data.get('nodebell.presses')).toEqual({ since: '2' }), WAIT);
  expect(taken).toEqual(['bad', 'good', 'bad', 'bad']);
  expect(failures).toEqual(['The disk is full.', 'The disk is full.', DISCARDED]);
  await end();
});

test.each([
  ['a pause that is demanded', new PollError({ url: '', status: 429, headers: HEADER, body: Buffer.from('') }, '', 0)],
  ['a store that cannot write', new StoreUnavailable('The store is full.')],
])('%s is no failed try', async (_, error) => {
  const { service, channel } = await SERVICES.telegram();
  vi.mocked(wait).mockResolvedValue(undefined);
  const on = vi.fn<(press: Press) => Promise<string>>().mockResolvedValue('Done.');
  for (let index = 0; index < 5; index += 1) {
    on.mockRejectedValueOnce(error);
  }
  service.press('good', { first_name: 'Ada' });
  const { end } = listen(channel, on);
  await vi.waitFor(() => expect(service.answers).toEqual(['Done.']), WAIT);
  await end();
});
