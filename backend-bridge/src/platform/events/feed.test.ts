import { expect, test } from 'vitest';
import type { JournalEvent } from '../storage/events.ts';
import { createSharedFeed } from './feed.ts';

const event = (id: number): JournalEvent => ({ id, type: 'settings', data: {} });

/** A journal that other replicas append to, and a write queue that reports commits of this one. */
async function setUp(kept: number[]) {
  const stored = kept.map(event);
  let newest = kept.at(-1) ?? 0;
  let commit: (events: JournalEvent[]) => void = () => undefined;
  const reads: number[] = [];
  let looks = 0;
  const queue = { onEvents: (listener: typeof commit) => (commit = listener) };
  const feed = await createSharedFeed({
    journal: {
      newest() {
        looks += 1;
        return Promise.resolve(newest);
      },
      after(id, limit) {
        reads.push(id);
        return Promise.resolve(stored.filter((one) => one.id > id).slice(0, limit));
      },
    },
    writes: queue,
    log: { error: () => undefined },
  });
  const delivered: number[] = [];
  const resets: number[] = [];
  feed.onEvents((events, isComplete) => {
    delivered.push(...events.map(({ id }) => id));
    if (!isComplete) {
      resets.push(delivered.length);
    }
  });
  const append = (...ids: number[]): void => {
    stored.push(...ids.map(event));
    newest = ids.at(-1)!;
  };
  return {
    feed,
    delivered,
    resets,
    reads,
    looks: () => looks,
    append,
    commit: (...ids: number[]): void => {
      append(...ids);
      commit(ids.map(event));
    },
    rewind: (id: number): void => {
      stored.splice(0);
      newest = id;
    },
  };
}

test('what this bridge commits is delivered without a read, in order', async () => {
  const { feed, commit, delivered, reads } = await setUp([1, 2]);
  commit(3, 4);
  commit(5);
  expect(delivered).toEqual([3, 4, 5]);
  expect(reads).toEqual([]);
  await feed.close();
});

test('a signal of events that were delivered costs no query', async () => {
  const { feed, append, commit, delivered, looks } = await setUp([]);
  append(1);
  feed.signal(1);
  await expect.poll(() => delivered).toEqual([1]);
  commit(2);
  const before = looks();
  feed.signal(2);
  expect(looks()).toBe(before);
  await feed.close();
});

test('a signal of fewer events than were delivered shows that the database is an older one', async () => {
  const { feed, commit, rewind, resets } = await setUp([]);
  commit(1, 2, 3);
  feed.signal(3);
  rewind(2);
  feed.signal(2);
  await expect.poll(() => resets).toEqual([3]);
  await feed.close();
});

test('events of other replicas come before the own ones that follow them', async () => {
  const { feed, append, commit, delivered, resets } = await setUp([]);
  append(1, 2);
  commit(3);
  await expect.poll(() => delivered).toEqual([1, 2, 3]);
  append(4);
  feed.check();
  append(5);
  feed.check();
  await expect.poll(() => delivered).toEqual([1, 2, 3, 4, 5]);
  expect(resets).toEqual([]);
  await feed.close();
});

test('a signal that is lost costs a second, not an event', async () => {
  const { feed, append, delivered } = await setUp([]);
  append(1);
  await expect.poll(() => delivered, { timeout: 60_000 }).toEqual([1]);
  await feed.close();
});

test('events that are no longer stored are reported as missing', async () => {
  const { feed, append, delivered, resets } = await setUp([1]);
  append(7, 8);
  feed.check();
  await expect.poll(() => delivered).toEqual([7, 8]);
  expect(resets).toEqual([2]);
  await feed.close();
});

test('an older database, after a failover, starts over from there', async () => {
  const { feed, rewind, append, delivered, resets } = await setUp([1, 2, 3]);
  rewind(1);
  append(2);
  feed.check();
  await expect.poll(() => resets).toEqual([0]);
  append(3);
  feed.check();
  await expect.poll(() => delivered).toEqual([3]);
  await feed.close();
});

test('a listener that throws does not keep the events from the others', async () => {
  const { feed, commit } = await setUp([]);
  feed.onEvents(() => {
    throw new Error('broken');
  });
  const after: number[] = [];
  feed.onEvents((events) => after.push(...events.map(({ id }) => id)));
  commit(1);
  expect(after).toEqual([1]);
  await feed.close();
});
