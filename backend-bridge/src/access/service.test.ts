import { expect, test } from 'vitest';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { createSenders } from './service.ts';
import { hashToken } from './token.ts';

/** The real writes are tested with the real database (tests/integration/access.test.ts). */
function remember(): { calls: [string, unknown][]; submit: WriteQueue['submit'] } {
  const calls: [string, unknown][] = [];
  const submit: WriteQueue['submit'] = (write, args) => {
    calls.push([write.name, args]);
    return Promise.resolve(undefined as never);
  };
  return { calls, submit };
}

const storeOf = (...rows: SenderTokenRow[]) => ({ all: () => Promise.resolve(rows) });

test('a token is found by its hash after it was stored, and what is stored does not hold it', async () => {
  const writes = remember();
  const senders = await createSenders(storeOf(), writes, () => 1000);
  const { token, id } = await senders.create({ name: 'ci', packages: ['a.eth', 'a.eth'] });
  expect(token).toMatch(/^nbs_[\w-]{43}$/);
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  expect(JSON.stringify(writes.calls)).not.toContain(token);
  expect(writes.calls).toMatchObject([['createToken', { hash: hashToken(token), packages: '["a.eth"]' }]]);
  expect(senders.find(hashToken(token))).toEqual({ id, name: 'ci', packages: ['a.eth'] });
  expect(senders.find(hashToken(`${token}x`))).toBeUndefined();
  expect(JSON.stringify(senders.list())).not.toMatch(new RegExp(`${token}|${hashToken(token)}`));
});

test('a token that could not be stored is not good', async () => {
  const writes = { submit: (() => Promise.reject(new Error('full'))) as WriteQueue['submit'] };
  const senders = await createSenders(storeOf(), writes, () => 1000);
  await expect(senders.create({ name: 'ci' })).rejects.toThrow('full');
  expect(senders.list()).toEqual([]);
});

test('a revoked token is refused at once, and stays in the list', async () => {
  const writes = remember();
  let now = 1000;
  const senders = await createSenders(storeOf(), writes, () => now);
  const { token, id } = await senders.create({ name: 'ci' });
  now = 2000;
  expect(await senders.revoke(id)).toMatchObject({ revokedAt: '1970-01-01T00:00:02.000Z' });
  expect(senders.find(hashToken(token))).toBe('revoked');
  now = 3000;
  expect(await senders.revoke(id)).toMatchObject({ revokedAt: '1970-01-01T00:00:02.000Z' });
  expect(writes.calls.map(([name]) => name)).toEqual(['createToken', 'revokeToken']);
  expect(await senders.revoke('nothing')).toBeUndefined();
  expect(senders.list()).toMatchObject([{ id, revokedAt: '1970-01-01T00:00:02.000Z' }]);
});

test('tokens of the database are known from the start', async () => {
  const row = {
    id: 'a',
    name: 'a',
    hash: hashToken('nbs_x'),
    packages: '["p"]',
    created_ts: 0,
    last_used_ts: 5,
    revoked_ts: null,
    file: null,
  };
  const senders = await createSenders(storeOf(row), remember(), () => 1000);
  expect(senders.find(hashToken('nbs_x'))).toEqual({ id: 'a', name: 'a', packages: ['p'] });
});

test('the last use is seen at once and stored now and then, only of tokens that were used', async () => {
  const writes = remember();
  const senders = await createSenders(storeOf(), writes, () => 60_000);
  const used = await senders.create({ name: 'used' });
  await senders.create({ name: 'idle' });
  for (let sends = 0; sends < 100; sends += 1) {
    senders.find(hashToken(used.token));
  }
  expect(senders.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual(['1970-01-01T00:01:00.000Z', null]);
  await senders.keepUse();
  await senders.keepUse();
  expect(writes.calls.slice(2)).toEqual([['keepUsedTokens', [[used.id, 60_000]]]]);
});

test('a revoked token is removed after 90 days, by the bridge’s own clock; a provisioned one stays', async () => {
  const DAY = 86_400_000;
  const writes = remember();
  const clock = { now: 1000 * DAY, steady: 1000 * DAY };
  const senders = await createSenders(
    storeOf(),
    writes,
    () => clock.now,
    () => clock.steady
  );
  const { id, token } = await senders.create({ name: 'created' });
  const inUse = await senders.create({ name: 'in use' });
  const provisioned = { name: 'provisioned', packages: [], hash: hashToken('a word') };
  await senders.provision('f.yaml', [provisioned], () => Promise.resolve());
  await senders.provision('f.yaml', [], () => Promise.resolve());
  await senders.revoke(id);
  clock.now += 1000 * DAY;
  clock.steady += 90 * DAY;
  await senders.removeRevoked();
  expect(senders.list()).toHaveLength(3);
  clock.steady += 1;
  await senders.removeRevoked();
  await senders.removeRevoked();
  expect(senders.list().map(({ name }) => name)).toEqual(['in use', 'provisioned']);
  expect(writes.calls.filter(([name]) => name === 'removeRevokedTokens')).toEqual([['removeRevokedTokens', [id]]]);
  expect([token, inUse.token, 'a word'].map((one) => senders.find(hashToken(one)))).toEqual([
    undefined,
    expect.objectContaining({ name: 'in use' }),
    'revoked',
  ]);
});

test('the last use is not lost when it could not be stored', async () => {
  const writes = remember();
  let broken = true;
  const submit: WriteQueue['submit'] = (write, args) =>
    broken && write.name === 'keepUsedTokens' ? Promise.reject(new Error('full')) : writes.submit(write, args);
  const senders = await createSenders(storeOf(), { submit }, () => 60_000);
  const { id, token } = await senders.create({ name: 'used' });
  senders.find(hashToken(token));
  await expect(senders.keepUse()).rejects.toThrow('full');
  broken = false;
  await senders.keepUse();
  expect(writes.calls.at(-1)).toEqual(['keepUsedTokens', [[id, 60_000]]]);
});
