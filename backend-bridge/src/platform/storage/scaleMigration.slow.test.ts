/** Readers, deletions and threads of a database of version 0008 are the same in the baseline. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toMember } from '../../inbox/notifications/rows.ts';
import { place, type Point } from '../../inbox/notifications/thread.ts';
import { restore } from '../../inbox/notifications/deletions.ts';
import { unreadNotifications } from '../../inbox/readers/unread.ts';
import type { Database } from './engine.ts';
import { databasePath } from './sqlite/database.ts';
import { migrate, openDatabase } from '../database.ts';
import { writeEarlier } from './sqlite/migrations/earlier.testing.ts';
import type { NotificationRow } from './schema.ts';

let directory: string;
let db: Database;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-scale-'));
  writeEarlier(databasePath(directory), '0008');
  db = openDatabase(databasePath(directory));
  for (const table of ['notifications', 'trash', 'readers', 'unread', 'unread_trash']) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
});
afterEach(async () => {
  await db.destroy();
  await rm(directory, { recursive: true, force: true });
});

/** Without the columns that came later. */
const row = (id: number, thread_id: number, more: Partial<NotificationRow> = {}) =>
  ({
    id,
    thread_id,
    ts: id,
    title: 'T',
    body: 'B',
    category: 'other',
    dnp_name: 'geth.dnp',
    priority: 0,
    status: 'triggered',
    status_given: 1,
    correlation_id: `thread ${thread_id}`,
    is_banner: 0,
    banner: 0,
    seen: 0,
    muted: 0,
    hidden: 0,
    source: 'api',
    cta_title: null,
    cta_url: null,
    icon: null,
    errors: null,
    extra: null,
    ...more,
  }) as NotificationRow;

it('each reader has the same unread, also after a deletion from before is undone', async () => {
  await db
    .insertInto('notifications')
    .values([1, 2, 3].map((id) => row(id, id)))
    .execute();
  await db
    .insertInto('trash')
    .values([4, 5].map((id) => ({ ...row(id, id), deletion: 'd', expires_ts: 100 })))
    .execute();
  await sql`update series set last = 5 where name in ('notification', 'thread')`.execute(db);
  await sql`insert into readers (id, key, first_ts, last_ts) values (1, 'anna', 1, 1), (2, 'bert', 1, 1)`.execute(db);
  await sql`insert into unread (reader, thread_id, id) values (1, 1, 1), (1, 3, 3), (2, 2, 2)`.execute(db);
  await sql`insert into unread_trash (deletion, reader, id) values ('d', 1, 5), ('gone', 2, 77)`.execute(db);
  await migrate(db);
  const lists = async () =>
    Promise.all(
      [1, 2].map(async (reader) => {
        const { rows } = await sql<{ id: number }>`select id from ${unreadNotifications(reader)} order by id`.execute(
          db
        );
        return rows.map(({ id }) => id);
      })
    );
  expect(await lists()).toEqual([[1, 3], [2]]);
  const undone = await db.transaction().execute((trx) => restore(trx, { deletion: 'd', now: 99, limit: 10 }));
  expect(undone.result).toMatchObject({ restored: 2, more: false });
  expect(await lists()).toEqual([[1, 3, 5], [2]]);
});

it('each member has the kind that the rule gives it', async () => {
  const flags = fc.constantFrom<(0 | 1)[]>(0, 0, 1);
  const members = fc.sample(
    fc.record({
      status: fc.constantFrom('triggered', 'resolved'),
      muted: flags,
      hidden: flags,
      given: flags,
      thread: fc.nat(20),
    }),
    400
  );
  const rows = members.map(({ status, muted, hidden, given, thread }, index) =>
    row(index + 1, thread + 1, { status, muted, hidden, status_given: status === 'resolved' ? 1 : given })
  );
  await db.insertInto('notifications').values(rows).execute();
  await migrate(db);
  const points = new Map<number, Point>();
  const expected = rows.map((one) => {
    const before = points.get(one.thread_id) ?? { state: 'event', banner: false, hasHead: false };
    const { kind, after } = place(before, toMember(one));
    points.set(one.thread_id, after);
    return { id: one.id, thread_id: one.thread_id, kind };
  });
  expect(await db.selectFrom('thread_members').select(['id', 'thread_id', 'kind']).orderBy('id').execute()).toEqual(
    expected
  );
});
