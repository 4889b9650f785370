/** A wrong system clock: data with an expiry is kept for its full period. */
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { Person } from '../../backend-bridge/src/platform/http/guard.ts';
import { createInbox, type Inbox } from '../../backend-bridge/src/inbox/notifications/inbox.ts';
import { createSelections } from '../../backend-bridge/src/inbox/notifications/selections.ts';
import { NotificationStore } from '../../backend-bridge/src/inbox/notifications/store.ts';
import type { Incoming } from '../../backend-bridge/src/inbox/notifications/receive.ts';
import { createReaders, type Readers } from '../../backend-bridge/src/inbox/readers/service.ts';
import { findReader } from '../../backend-bridge/src/inbox/readers/unread.ts';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { createSteadyClock } from '../../backend-bridge/src/platform/storage/steadyClock.ts';
import { readsInProcess } from '../../backend-bridge/src/platform/storage/read.ts';
import { createTextIndexer } from '../../backend-bridge/src/platform/storage/textIndex.ts';
import { WriteQueue } from '../../backend-bridge/src/platform/storage/writeQueue.ts';
import { WRITES } from '../../backend-bridge/src/writes.ts';
import { DAY, HOUR, MINUTE, SECOND, START } from './support.ts';

const ANNA: Person = { key: 'org:1/user:a', login: 'a', orgId: 1, role: 'Viewer', anonymous: false, verified: false };

interface Parts {
  inbox: Inbox;
  readers: Readers;
  close: () => Promise<void>;
}
let directory: string;
/** The system clock, and the time that has really elapsed. */
const clock = { wall: START, elapsed: 0 };
let parts: Parts;

const pass = (ms: number): void => {
  clock.wall += ms;
  clock.elapsed += ms;
};

async function start(): Promise<Parts> {
  const file = databasePath(directory);
  const writes = await WriteQueue.open({ path: file, writes: WRITES });
  const db = openDatabase(file, { readonly: true });
  const now = (): number => clock.wall;
  const { read: steady } = await createSteadyClock(db, now, () => clock.elapsed);
  const textIndex = createTextIndexer(db, writes);
  const store = new NotificationStore(db, now, textIndex);
  const selections = createSelections({ db, reads: readsInProcess(db, now), store });
  return {
    inbox: createInbox({ writes, store, selections, now, steady }),
    readers: createReaders({ readState: 'each', writes, find: (key) => findReader(db, key), now: steady }),
    close: async () => {
      textIndex.close();
      await writes.close();
      await db.destroy();
    },
  };
}

beforeEach(async () => {
  directory = temporaryFolder();
  Object.assign(clock, { wall: START, elapsed: 0 });
  parts = await start();
});
afterEach(async () => {
  await parts.close();
});

async function restart(): Promise<void> {
  await parts.close();
  parts = await start();
}
function sql<T>(statement: string): T[] {
  const sqlite = new SqliteDatabase(databasePath(directory));
  try {
    const prepared = sqlite.prepare<[], T>(statement);
    return prepared.reader ? prepared.all() : (prepared.run(), []);
  } finally {
    sqlite.close();
  }
}
const count = (table: string): number => sql<{ n: number }>(`select count(*) as n from ${table}`)[0]!.n;
/** Cleaning runs every few seconds; this is one minute. */
async function cleaned(): Promise<void> {
  pass(MINUTE);
  await parts.inbox.purge();
}
const keyed = (key: string): Incoming => ({
  payload: { title: key, body: '' },
  source: 'api',
  once: { scope: 'key:sender', key, hash: 'h' },
});
const outcome = async (key: string): Promise<string> => (await parts.inbox.receive([keyed(key)]))[0]!.outcome;

describe.each([100 * DAY, -100 * DAY, -20_000 * DAY])('a clock that is %d ms off for a moment', (off) => {
  it('removes no read state, key or undo, whatever runs meanwhile', async () => {
    const reader = await parts.readers.of(ANNA);
    expect(await outcome('before')).toBe('stored');
    const { undo } = await parts.inbox.remove({ ids: [(await parts.inbox.receive([keyed('gone')]))[0]!.id] }, null);
    clock.wall += off;
    pass(20 * SECOND);
    await parts.inbox.purge();
    expect(await outcome('meanwhile')).toBe('stored');
    expect(await parts.readers.of(ANNA)).toEqual(reader);
    clock.wall -= off;
    await parts.inbox.purge();
    expect(await parts.inbox.restore(undo, null)).toBe(1);
    await cleaned();
    expect([count('readers'), await outcome('before'), await outcome('meanwhile')]).toEqual([
      1,
      'duplicate',
      'duplicate',
    ]);
  });

  it('nor at startup', async () => {
    await parts.readers.of(ANNA);
    await outcome('before');
    await cleaned();
    clock.wall += off;
    await restart();
    await cleaned();
    clock.wall -= off;
    await restart();
    await cleaned();
    expect([count('readers'), await outcome('before')]).toEqual([1, 'duplicate']);
  });
});

it('time in which the bridge is stopped does not count', async () => {
  await parts.readers.of(ANNA);
  await cleaned();
  await parts.close();
  pass(200 * DAY);
  parts = await start();
  await cleaned();
  expect(count('readers')).toBe(1);
});

it('data expires after its period, even if the clock stays wrong', async () => {
  clock.wall -= 300 * DAY;
  await parts.readers.of(ANNA);
  await outcome('key');
  const { undo } = await parts.inbox.remove({ ids: [1] }, null);
  pass(31 * SECOND);
  await parts.inbox.purge();
  expect([count('trash'), await parts.inbox.restore(undo, null)]).toEqual([0, 0]);
  pass(25 * HOUR);
  await parts.inbox.purge();
  expect([count('receipts'), count('readers')]).toEqual([0, 1]);
  pass(90 * DAY);
  await parts.inbox.purge();
  expect(count('readers')).toBe(0);
});
