import { expect, test } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { Senders } from './service.ts';
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

const NOT_ROTATED = { previous_used_ts: null, previous_used_from: null };
const ROW: SenderTokenRow = {
  ...NOT_ROTATED,
  id: 'a',
  name: 'a',
  hash: 'h',
  packages: '[]',
  created_ts: 0,
  last_used_ts: null,
  last_used_from: null,
  previous_hash: null,
  previous_until_ts: null,
  revoked_ts: null,
  file: null,
  node: '',
};
const storeOf = (...rows: SenderTokenRow[]) => ({
  all: () => Promise.resolve(rows),
  has: () => Promise.resolve(false),
});

test('a token is found by its hash after it was stored, and what is stored does not hold it', async () => {
  const writes = remember();
  const senders = await Senders.open(storeOf(), writes, () => 1000);
  const { token, id } = await senders.create({ name: 'ci', packages: ['a.eth', 'a.eth'] }, null);
  expect(token).toMatch(/^nbs_[\w-]{43}$/);
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  expect(JSON.stringify(writes.calls)).not.toContain(token);
  expect(writes.calls).toMatchObject([
    ['createToken', { row: { hash: hashToken(token), packages: '["a.eth"]' }, by: null }],
  ]);
  expect(senders.find(hashToken(token))).toEqual({ id, name: 'ci', packages: ['a.eth'] });
  expect(senders.find(hashToken(`${token}x`))).toBeUndefined();
  expect(JSON.stringify(senders.list())).not.toMatch(new RegExp(`${token}|${hashToken(token)}`));
});

test('a token that could not be stored is not good', async () => {
  const writes = { submit: (() => Promise.reject(new Error('full'))) as WriteQueue['submit'] };
  const senders = await Senders.open(storeOf(), writes, () => 1000);
  await expect(senders.create({ name: 'ci' }, null)).rejects.toThrow('full');
  expect(senders.list()).toEqual([]);
});

test('a revoked token is refused at once, and stays in the list', async () => {
  const writes = remember();
  let now = 1000;
  const senders = await Senders.open(storeOf(), writes, () => now);
  const { token, id } = await senders.create({ name: 'ci' }, null);
  now = 2000;
  expect(await senders.revoke(id, null)).toMatchObject({ revokedAt: '1970-01-01T00:00:02.000Z' });
  expect(senders.find(hashToken(token))).toBe('revoked');
  now = 3000;
  expect(await senders.revoke(id, null)).toMatchObject({ revokedAt: '1970-01-01T00:00:02.000Z' });
  expect(writes.calls.map(([name]) => name)).toEqual(['createToken', 'revokeToken']);
  expect(await senders.revoke('nothing', null)).toBeUndefined();
  expect(senders.list()).toMatchObject([{ id, revokedAt: '1970-01-01T00:00:02.000Z' }]);
});

test('tokens of the database are known from the start', async () => {
  const row = { ...ROW, hash: hashToken('nbs_x'), packages: '["p"]', last_used_ts: 5 };
  const senders = await Senders.open(storeOf(row), remember(), () => 1000);
  expect(senders.find(hashToken('nbs_x'))).toEqual({ id: 'a', name: 'a', packages: ['p'] });
});

test('the last use is seen at once and stored now and then, only of tokens that were used', async () => {
  const writes = remember();
  const senders = await Senders.open(storeOf(), writes, () => 60_000);
  const used = await senders.create({ name: 'used' }, null);
  await senders.create({ name: 'idle' }, null);
  for (let sends = 0; sends < 100; sends += 1) {
    senders.find(hashToken(used.token), '192.0.2.1');
  }
  expect(senders.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual(['1970-01-01T00:01:00.000Z', null]);
  await senders.keepUse();
  await senders.keepUse();
  expect(writes.calls.slice(2)).toEqual([
    ['keepUsedTokens', [{ id: used.id, last_used_ts: 60_000, last_used_from: '192.0.2.1', ...NOT_ROTATED }]],
  ]);
});

test('a revoked token is removed after 90 days, by the bridge’s own clock; a provisioned one stays', async () => {
  const DAY = 86_400_000;
  const writes = remember();
  const clock = { now: 1000 * DAY, steady: 1000 * DAY };
  const senders = await Senders.open(
    storeOf(),
    writes,
    () => clock.now,
    () => clock.steady
  );
  const { id, token } = await senders.create({ name: 'created' }, null);
  const inUse = await senders.create({ name: 'in use' }, null);
  const provisioned = { name: 'provisioned', packages: [], hash: hashToken('a word') };
  senders.provision('f.yaml', [provisioned]);
  senders.provision('f.yaml', []);
  await senders.revoke(id, null);
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

test('of provisioned tokens that were revoked, the newest are kept', async () => {
  const writes = remember();
  let now = 1000;
  const senders = await Senders.open(
    storeOf(),
    writes,
    () => now,
    () => now
  );
  const count = LIMITS.revokedProvisionedTokens.value + 2;
  for (let index = 0; index < count; index += 1) {
    now += 1;
    senders.provision('f.yaml', [{ name: 'n', packages: [], hash: `hash-${index}` }]);
  }
  await senders.removeRevoked();
  expect(senders.list()).toHaveLength(count - 1);
  expect(writes.calls.filter(([name]) => name === 'removeRevokedTokens')).toHaveLength(1);
  expect([0, 1, count - 1].map((index) => senders.find(`hash-${index}`))).toEqual([
    undefined,
    'revoked',
    expect.objectContaining({ name: 'n' }),
  ]);
});

test('the last use is not lost when it could not be stored', async () => {
  const writes = remember();
  let broken = true;
  const submit: WriteQueue['submit'] = (write, args) =>
    broken && write.name === 'keepUsedTokens' ? Promise.reject(new Error('full')) : writes.submit(write, args);
  const senders = await Senders.open(storeOf(), { submit }, () => 60_000);
  const { id, token } = await senders.create({ name: 'used' }, null);
  senders.find(hashToken(token));
  await expect(senders.keepUse()).rejects.toThrow('full');
  broken = false;
  await senders.keepUse();
  expect(writes.calls.at(-1)).toEqual([
    'keepUsedTokens',
    [{ id, last_used_ts: 60_000, last_used_from: null, ...NOT_ROTATED }],
  ]);
});

test('a rotated token is valid for its grace period, and its use is kept apart', async () => {
  let now = 1000;
  const writes = remember();
  const submit: WriteQueue['submit'] = async (write, args) => {
    await writes.submit(write, args);
    return true as never;
  };
  const senders = await Senders.open(storeOf(), { submit }, () => now);
  const { id, token } = await senders.create({ name: 'ci' }, null);
  const rotated = await senders.rotate(id, { graceHours: 1 }, null);
  expect(rotated).toMatchObject({ id, previous: { validUntil: '1970-01-01T01:00:01.000Z', lastUsedAt: null } });
  expect(JSON.stringify(writes.calls)).not.toMatch(new RegExp(`${token}|${rotated!.token}`));
  now = 3_600_999;
  expect(senders.find(hashToken(token), '192.0.2.7')).toMatchObject({ id });
  expect(senders.list()).toMatchObject([
    { lastUsedAt: null, previous: { lastUsedAt: '1970-01-01T01:00:00.999Z', lastUsedFrom: '192.0.2.7' } },
  ]);
  now = 3_601_000;
  expect(senders.find(hashToken(token))).toBe('revoked');
  expect(senders.find(hashToken(rotated!.token))).toMatchObject({ id });
  const again = await senders.rotate(id, { graceHours: 0 }, null);
  expect([token, rotated!.token].map((one) => senders.find(hashToken(one)))).toEqual([undefined, 'revoked']);
  await senders.revoke(id, null);
  expect(senders.find(hashToken(again!.token))).toBe('revoked');
  await expect(senders.rotate(id, {}, null)).rejects.toMatchObject({ status: 409 });
  expect(await senders.rotate('nothing', {}, null)).toBeUndefined();
});

test('of a provisioned sender both tokens are valid as long as the file names both', async () => {
  const senders = await Senders.open(storeOf(), remember(), () => 1000);
  const [old, current] = [hashToken('the old word'), hashToken('the new word')];
  const set = (...list: { hash: string; previousHash?: string }[]) =>
    senders.provision(
      'f.yaml',
      list.map((one) => ({ name: 'p', packages: [], ...one }))
    );
  set({ hash: old });
  set({ hash: current, previousHash: old });
  expect([old, current].map((one) => senders.find(one))).toMatchObject([{ name: 'p' }, { name: 'p' }]);
  set({ hash: current });
  expect([old, current].map((one) => senders.find(one))).toMatchObject(['revoked', { name: 'p' }]);
});

test('reload takes what another bridge changed, and keeps what is not stored yet of the last use', async () => {
  const rows: SenderTokenRow[] = [];
  const senders = await Senders.open(
    { all: () => Promise.resolve(rows), has: () => Promise.resolve(false) },
    remember(),
    () => 1000
  );
  const { id, token } = await senders.create({ name: 'ci' }, null);
  senders.find(hashToken(token), '192.0.2.1');
  rows.push({ ...ROW, id, name: 'renamed', hash: hashToken(token) });
  await senders.reload();
  expect(senders.list()).toMatchObject([{ name: 'renamed', lastUsedFrom: '192.0.2.1' }]);
});

test('tokens read before a revocation at another replica do not replace those read after it', async () => {
  const slow = Promise.withResolvers<SenderTokenRow[]>();
  const reads = [Promise.resolve([ROW]), slow.promise, Promise.resolve([{ ...ROW, revoked_ts: 2 }])];
  const store = { ...storeOf(), all: () => reads.shift()! };
  const senders = await Senders.open(store, remember(), () => 1000);
  const reloads = [senders.reload(), senders.reload()];
  slow.resolve([{ ...ROW }]);
  await Promise.all(reloads);
  expect(senders.find('h')).toBe('revoked');
});

test('tokens that were read before a revocation here do not undo it', async () => {
  const writes = remember();
  let reload: () => Promise<void> = () => Promise.resolve();
  const submit: WriteQueue['submit'] = async (write, args) => {
    await reload();
    return writes.submit(write, args);
  };
  const stored: SenderTokenRow[] = [];
  const store = { ...storeOf(), all: () => Promise.resolve(stored.map((row) => ({ ...row }))) };
  const senders = await Senders.open(store, { submit }, () => 1000);
  const { id, token } = await senders.create({ name: 'ci' }, null);
  stored.push((writes.calls[0]![1] as { row: SenderTokenRow }).row);
  await senders.reload();
  reload = () => senders.reload();
  await senders.revoke(id, null);
  expect(senders.find(hashToken(token))).toBe('revoked');
});
