/**
 * What keeps the cost of a change independent of how much is stored: arrivals that all readers share, the place of each member in its
 * thread, and one row for each deletion.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Shown notifications that arrived lately, once for all readers. A reader has not read those above the watermark, nor what
  // `unread` lists.
  'create table arrivals (id integer primary key, thread_id integer not null)',
  'create index arrivals_thread on arrivals (thread_id)',
  'alter table readers add column watermark integer not null default 0',
  "update readers set watermark = (select last from series where name = 'notification')",
  // Up to this id, arrivals have been discarded.
  "insert into series values ('arrivals', 0)",

  // A deleted notification stays in the list until it is purged, so that a deletion costs the same for any number of readers.
  `insert or ignore into unread (reader, thread_id, id)
    select b.reader, t.thread_id, b.id from unread_trash b join trash t on t.id = b.id where b.reader in (select id from readers)`,
  'drop table unread_trash',
  'create index unread_id on unread (id)',

  // The kinds are those of notifications/thread.ts. With them the newest member of a kind is one look at the index.
  `create table thread_members (
    thread_id integer not null,
    kind integer not null,
    id integer not null,
    primary key (thread_id, kind, id)) without rowid`,
  `insert into thread_members (thread_id, kind, id)
    with members as (
      select thread_id, id, muted, hidden, status, case when status_given = 0 then 'event' else status end as said,
        min(case when muted = 0 and hidden = 0 then id end) over (partition by thread_id order by id) is not null as shown_before
      from notifications),
    speaking as (
      select thread_id, id, muted,
        said <> lag(said, 1, 'event') over (partition by thread_id order by id) as turns
      from members where hidden = 0 and not (muted = 1 and status <> 'resolved' and shown_before))
    select thread_id, iif(muted = 1, 2, 4) + turns, id from speaking
    union all
    select thread_id, iif(hidden = 1, 0, 1), id from members where hidden = 1 or (muted = 1 and status <> 'resolved' and shown_before)
    order by 1, 2, 3`,
  // Where members of a thread still have to be brought in line with what changed before them.
  `create table thread_repairs (
    thread_id integer not null,
    from_id integer not null,
    restored integer not null,
    primary key (thread_id, from_id)) without rowid`,

  // Until when a deletion can be undone, in one place, however many rows and transactions it took.
  `create table deletions (
    deletion text primary key,
    expires_ts integer not null,
    restoring integer not null) without rowid`,
  'insert into deletions select deletion, max(expires_ts), 0 from trash group by deletion',
  'drop index trash_expires',

  // With all that the page filters by, so that what does not match is passed over without reading its row.
  'drop index notifications_muted',
  'create index notifications_muted on notifications (ts, id, hidden, seen, category, dnp_name, priority, status) where muted = 1',
  'drop index notifications_hidden',
  'create index notifications_hidden on notifications (ts, id, muted, seen, category, dnp_name, priority, status) where hidden = 1',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) {
    await sql.raw(statement).execute(db);
  }
}
