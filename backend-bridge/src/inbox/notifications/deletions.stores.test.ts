/** The row of a thread while its notifications are deleted, restored and purged. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Change, emptyStore } from '../../emptyStore.testing.ts';
import type { Status } from '../../../contract/notification.ts';
import '../../arrivals.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { deleteForGood, purge, remove, restore } from './deletions.ts';
import { receiveRows } from './receiveRows.ts';
import { allowReopening, reopen, resolve, undoOf } from './resolving.ts';
import { membersOf } from './writes.ts';

const START = 1_795_000_000_000;
const UNTIL = 1000;
let db: Database;
let write: Change;
let now: number;
beforeEach(async () => {
  now = START;
  ({ db, write } = await emptyStore());
  await db.insertInto('categories').values({ category: 'off', enabled: 0, ts: 1 }).execute();
});

/** A second after the one before. @returns its id */
async function receive(status?: Status, category = 'on'): Promise<number> {
  now += 1000;
  const payload = { title: 'T', body: 'B', category, correlationId: 'c', ...(status && { status }) };
  const { results } = await write((trx) => receiveRows(trx, [{ now, incoming: [{ payload, source: 'api' }] }]));
  return results[0]![0]!.id;
}
const deleting = (deletion: string, ...ids: number[]) =>
  write((trx) => remove(trx, { ids, deletion, expiresTs: UNTIL }));
const undo = (deletion: string, limit = 100) => write((trx) => restore(trx, { deletion, now: 1, limit }));
const forGood = (...ids: number[]) => write(async (trx) => deleteForGood(trx, await membersOf(trx, ids)));
const purgeAll = () => write((trx) => purge(trx, { now: UNTIL, limit: 100 }));
const thread = () => db.selectFrom('threads').selectAll().executeTakeFirst();

it('stays until the last notification is purged, and is restored as it was', async () => {
  const ids = [await receive('triggered'), await receive('resolved')];
  const before = await thread();
  await deleting('a', ...ids);
  expect(await thread()).toMatchObject({ state: 'resolved', count: 0, unseen: 0, head_id: null });
  await undo('a');
  expect(await thread()).toEqual(before);
  await deleting('b', ids[1]!);
  await forGood(ids[0]!);
  expect(await thread()).toMatchObject({ state: 'resolved', count: 0, head_id: null });
  await undo('b');
  expect(await thread()).toEqual({ ...before, count: 1, unseen: 1 });
  await deleting('c', ids[1]!);
  await purgeAll();
  expect(await thread()).toBeUndefined();
});

it('goes with the last notification that is deleted for good', async () => {
  const ids = [await receive('triggered'), await receive('resolved')];
  await forGood(ids[0]!);
  expect(await thread()).toMatchObject({ state: 'resolved', opened_ts: START + 1000, count: 1 });
  await forGood(ids[1]!);
  expect(await thread()).toBeUndefined();
});

it('is not changed by an undo that was interrupted and is finished later', async () => {
  const ids = [await receive('triggered'), await receive('resolved'), await receive('triggered')];
  const before = await thread();
  await deleting('a', ...ids);
  await undo('a', 2);
  expect(await thread()).toMatchObject({ state: 'open', count: 2, head_id: ids[1] });
  await purgeAll();
  await undo('a', 2);
  expect(await thread()).toEqual(before);
});

it('restored notifications join the thread that has begun meanwhile; without one they do not fire again', async () => {
  const old = await receive('triggered');
  await deleting('a', old);
  const fresh = await receive('resolved');
  await undo('a');
  expect(await thread()).toMatchObject({ state: 'resolved', opened_ts: null, count: 2, head_id: fresh });
  await deleting('b', old, fresh);
  const newest = await receive('triggered');
  await forGood(newest);
  expect(await thread()).toBeUndefined();
  await undo('b');
  expect(await thread()).toMatchObject({ state: 'resolved', count: 2, head_id: fresh });
});

it('its head is the newest shown notification, with its category; the burst is restored with it', async () => {
  const first = await receive('triggered', 'on');
  const second = await receive('triggered', 'other');
  await receive('triggered', 'off');
  await db.updateTable('threads').set({ burst: 7 }).execute();
  const before = await thread();
  await deleting('a', second);
  expect(await thread()).toMatchObject({ head_id: first, category: 'on', burst: null, count: 1 });
  await undo('a');
  expect(await thread()).toEqual(before);
});

describe('closing by hand, taken back', () => {
  /** @returns what takes it back */
  async function close(id: number): Promise<() => Promise<unknown>> {
    now += 1000;
    const change = { ids: [id], resolution: '00000000-0000-4000-8000-000000000000', of: {}, by: null, now };
    const { result } = await write((trx) => resolve(trx, change));
    const deletion = undoOf(change.resolution, result.range!);
    await write((trx) => allowReopening(trx, { undo: deletion, expiresTs: UNTIL }));
    return () => write((trx) => reopen(trx, { deletion, now: 1, limit: 100 }));
  }

  it('opens the thread as it was', async () => {
    const id = await receive('triggered');
    const before = await thread();
    const back = await close(id);
    expect(await thread()).toMatchObject({ state: 'resolved', closed_by_hand: 1, last_ts: now });
    await back();
    expect(await thread()).toEqual(before);
  });

  it('also after a muted repeat, which changes no state', async () => {
    const id = await receive('triggered');
    const before = await thread();
    const back = await close(id);
    await receive('triggered', 'off');
    await back();
    expect(await thread()).toEqual({ ...before, last_ts: now });
  });

  it('not after it was resolved by its sender, even if that notification is deleted', async () => {
    const back = await close(await receive('triggered'));
    await deleting('a', await receive('resolved'));
    await back();
    expect(await thread()).toMatchObject({ state: 'resolved', count: 1 });
  });

  it('not after it has fired and closed again', async () => {
    const back = await close(await receive('triggered'));
    await receive('triggered');
    const closed = await receive('resolved');
    await back();
    expect(await thread()).toMatchObject({ state: 'resolved', closed_ts: now, count: 3, head_id: closed });
  });
});
