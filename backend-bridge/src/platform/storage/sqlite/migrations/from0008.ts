/** From the schema of migration 0008 to the baseline, which explains the tables. */
export const FROM_0008 = [
  'create table arrivals (id integer primary key, thread_id integer not null)',
  'create index arrivals_thread on arrivals (thread_id)',
  'alter table readers add column watermark integer not null default 0',
  "update readers set watermark = (select last from series where name = 'notification')",
  "insert into series values ('arrivals', 0)",

  `insert or ignore into unread (reader, thread_id, id)
    select b.reader, t.thread_id, b.id from unread_trash b join trash t on t.id = b.id where b.reader in (select id from readers)`,
  'drop table unread_trash',
  'create index unread_id on unread (id)',

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
  `create table thread_repairs (
    thread_id integer not null,
    from_id integer not null,
    restored integer not null,
    primary key (thread_id, from_id)) without rowid`,

  `create table deletions (
    deletion text primary key,
    expires_ts integer not null,
    restoring integer not null) without rowid`,
  'insert into deletions select deletion, max(expires_ts), 0 from trash group by deletion',
  'drop index trash_expires',

  'drop index notifications_muted',
  'create index notifications_muted on notifications (ts, id, hidden, seen, category, dnp_name, priority, status) where muted = 1',
  'drop index notifications_hidden',
  'create index notifications_hidden on notifications (ts, id, muted, seen, category, dnp_name, priority, status) where hidden = 1',
];
