/** A store with retention in a folder of its own, and clocks that the test controls. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type { NotificationPayload } from '../../../contract/notification.ts';
import type { RetentionPolicy } from '../../../contract/retention.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { clean } from '../notifications/cleaning.ts';
import { mark } from '../notifications/writes.ts';
import { receive } from '../notifications/receiveRows.ts';
import { openDatabase } from '../../platform/database.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { testAddress } from '../../platform/storage/address.testing.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import { createSteadyClock } from '../../platform/storage/steadyClock.ts';
import { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { WRITES } from '../../writes.ts';
import { type Archive, createArchive } from './archiveFiles.ts';
import { createRetention, type Retention } from './service.ts';
import { createRetentionStore } from './store.ts';

export const START = Date.UTC(2026, 10, 21, 10, 0, 0);
export const HOUR = 3_600_000;
export const DAY = DAY_MS;

export interface World {
  retention: Retention;
  /** Ends the lead. */
  stop(): Promise<void>;
  db: Database;
  writes: WriteQueue;
  dir: string;
  /** Each file's folder. */
  archiveDir: string;
  events: JournalEvent[];
  /** The system's clock, and the time that has really passed. */
  clock: { wall: number; elapsed: number };
  /** Lets time pass on both clocks, in steps after which the bridge records what has arrived. */
  pass(ms: number): Promise<void>;
  send(...payloads: Partial<NotificationPayload>[]): Promise<number[]>;
  read(...ids: number[]): Promise<void>;
  ids(): Promise<number[]>;
  close(): Promise<void>;
}

async function openStore(): Promise<Pick<World, 'dir' | 'writes' | 'events' | 'db'>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'nodebell-retention-'));
  const file = await testAddress(dir);
  const writes = await WriteQueue.open({ path: file, writes: WRITES });
  const events: JournalEvent[] = [];
  writes.onEvents((more) => events.push(...more));
  return { dir, writes, events, db: openDatabase(file, { readonly: true }) };
}

/** @param archive replaces the archive files */
export async function openWorld(archive?: (files: Archive) => Archive): Promise<World> {
  const { dir, writes, events, db } = await openStore();
  const clock = { wall: START, elapsed: 0 };
  const { read: steady } = await createSteadyClock(
    db,
    () => clock.wall,
    () => clock.elapsed
  );
  const archiveDir = path.join(dir, 'archive');
  const files = createArchive(archiveDir, () => clock.wall);
  const retention = createRetention({
    db,
    writes,
    store: createRetentionStore(db),
    archive: archive?.(files) ?? files,
    diskFree: () => 10 * 2 ** 30,
    now: () => clock.wall,
    steady,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    pause: () => Promise.resolve(),
  });
  const stop = retention.lead();
  const tidy = () => writes.submit(clean, { now: steady() });
  await tidy();
  return {
    ...{ retention, stop, db, writes, dir, archiveDir, events, clock },
    async pass(ms) {
      for (let left = ms, step = 0; left > 0; left -= step) {
        step = Math.min(left, left > 2 * DAY ? DAY : HOUR);
        clock.wall += step;
        clock.elapsed += step;
        await tidy();
      }
    },
    async send(...payloads) {
      const incoming = payloads.map(toIncoming);
      const rows = await writes.submit(receive, { incoming, now: clock.wall, steady: steady() });
      return rows.map(({ id }) => id);
    },
    async read(...ids) {
      await writes.submit(mark, { ids, wholeThreads: false, seen: true, limit: ids.length, now: clock.wall });
    },
    async ids() {
      const rows = await db.selectFrom('notifications').select('id').orderBy('id').execute();
      return rows.map(({ id }) => id);
    },
    async close() {
      await stop();
      await retention.close();
      await db.destroy();
      await writes.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const toIncoming = (payload: Partial<NotificationPayload>) => ({
  payload: { title: 'T', body: 'B', ...payload },
  source: 'api' as const,
});

/** Sets a policy, and removes what it no longer keeps. */
export async function apply({ retention }: World, policy: RetentionPolicy): Promise<void> {
  await retention.set(policy, { kind: 'user', name: 'anna' });
  await retention.run();
}

/** Counts that differ from a recount of the rows, and members of threads that do not exist, as text; empty: all is right. */
export async function inconsistencies(db: Database): Promise<string[]> {
  const day = sql.raw(String(DAY_MS));
  const { rows } = await sql<{ what: string }>`
    with actual as (
      select 0 as scope, 0 as span, 0 as slot, hidden, muted, seen, category, dnp_name, priority, status as state, banner from notifications
      union all select 0, 1, ts / ${day}, hidden, muted, seen, category, dnp_name, priority, status, banner from notifications
      union all select 1, 0, 0, 0, 0, case when unseen = 0 then 1 else 0 end, category, dnp_name, priority, state, banner from threads where head_id is not null
      union all select 1, 1, head_ts / ${day}, 0, 0, case when unseen = 0 then 1 else 0 end, category, dnp_name, priority, state, banner from threads where head_id is not null),
    recounted as (select actual.*, count(*) as n from actual group by scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner)
    select 'counted wrongly: ' || category || ' ' || state || ' ' || scope || ' ' || span || ' ' || n as what
      from (select * from recounted except select scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner, n from counts) wrong
    union all select 'counted but gone: ' || category || ' ' || state || ' ' || n
      from (select scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner, n from counts where n <> 0 except select * from recounted) wrong
    union all select 'thread without members ' || t.id from threads t where not exists (select 1 from notifications n where n.thread_id = t.id)
    union all select 'unread but gone ' || u.id from unread u where not exists (select 1 from notifications n where n.id = u.id)
    union all select 'arrival but gone ' || a.id from arrivals a where not exists (select 1 from notifications n where n.id = a.id)`.execute(
    db
  );
  return rows.map(({ what }) => what);
}
