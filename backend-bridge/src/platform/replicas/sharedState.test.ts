import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { openStore, type Store } from '../store.ts';
import { READS } from '../../reads.ts';
import { WRITES } from '../../writes.ts';
import { createSharedReader, createSharedWriter } from './sharedState.ts';
import { recordLeader } from './writes.ts';

let dir: string;
let store: Store;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeEach(async () => {
  dir = temporaryFolder();
  store = await openStore({ dataDir: dir, writes: WRITES, reads: READS, now: Date.now, log, onLost: () => undefined });
});
afterEach(async () => {
  await store.close();
});

const begin = async (leader: string) => {
  await store.writes.submit(recordLeader, { leader, value: '{}' });
  return createSharedWriter({ scope: 'chains', leader, writes: store.writes, log });
};
const entries = async (reader = createSharedReader(store.db, 'chains')) => [...(await reader.read())];

test('followers read what the leader has shared, and unchanged entries are the same objects', async () => {
  const reader = createSharedReader<object>(store.db, 'chains');
  const writer = await begin('a');
  writer.set('x', { n: 1 });
  writer.set('y', { n: 1 });
  await writer.flush();
  const before = await reader.read();
  writer.set('x', { n: 2 });
  await writer.flush();
  const after = await reader.read();
  expect([...after]).toEqual([
    ['x', { n: 2 }],
    ['y', { n: 1 }],
  ]);
  expect(after.get('y')).toBe(before.get('y'));
  writer.set('x', undefined);
  await writer.flush();
  expect(await entries(reader)).toEqual([['y', { n: 1 }]]);
});

test('an unchanged entry is not written again', async () => {
  const revision = () => store.db.selectFrom('shared_state').select('revision').where('name', '=', 'x').execute();
  const writer = await begin('a');
  writer.set('x', { n: 1 });
  await writer.flush();
  const before = await revision();
  writer.set('x', { n: 2 });
  writer.set('x', { n: 1 });
  await writer.flush();
  expect(await revision()).toEqual(before);
});

test('the next leader replaces everything, and what the one before still writes is discarded', async () => {
  const first = await begin('a');
  first.set('x', { by: 'a' });
  await first.flush();
  const second = await begin('b');
  second.set('y', { by: 'b' });
  await second.flush();
  first.set('x', { by: 'a, too late' });
  await first.flush();
  expect(await entries()).toEqual([['y', { by: 'b' }]]);
});

test('the end of a term does not hide the leader that has begun since', async () => {
  await begin('a');
  await begin('b');
  await store.writes.submit(recordLeader, { leader: 'a', value: null });
  const rows = store.db.selectFrom('shared_state').select('name').where('scope', '=', 'leader');
  expect(await rows.execute()).toEqual([{ name: 'b' }]);
  await store.writes.submit(recordLeader, { leader: 'b', value: null });
  expect(await rows.execute()).toEqual([]);
});

test('what could not be written is written by the next flush, and only a report without changes is an event', async () => {
  const writer = await begin('a');
  const events: string[] = [];
  store.writes.onEvents((some) => events.push(...some.map(({ type }) => type)));
  let fails = true;
  const failing = createSharedWriter({
    scope: 'chains',
    leader: 'a',
    log,
    writes: {
      submit: (write, args) =>
        fails ? Promise.reject(new Error('the store is not available')) : store.writes.submit(write, args),
    },
  });
  failing.set('x', { n: 1 });
  await failing.flush(true);
  expect(await entries()).toEqual([]);
  fails = false;
  await failing.flush();
  expect(await entries()).toEqual([['x', { n: 1 }]]);
  expect(events).toEqual([]);
  await writer.flush(true);
  expect(events).toEqual(['settings']);
});
