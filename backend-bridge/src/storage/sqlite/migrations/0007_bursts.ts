/** Bursts of threads: storage/schema.ts. The indexes hold only threads of bursts, so that others cost nothing more. */
export const BURSTS = [
  'alter table threads add column burst integer',
  'alter table trash add column burst integer',
  `create table sources (
    key text primary key,
    recent text not null,
    burst integer,
    ts integer not null) without rowid`,
  `create table bursts (
    id integer primary key,
    name text not null,
    dnp_name text not null,
    category text not null,
    ts integer not null)`,
  // The newest thread of a burst, of those that are open, and of those with unseen members. The first includes what rows count.
  'create index threads_burst on threads (burst, head_ts, head_id, state, last_ts, unseen, priority) where burst is not null and head_id is not null',
  "create index threads_burst_open on threads (burst, head_ts, head_id, last_ts) where burst is not null and head_id is not null and state = 'open'",
  'create index threads_burst_unseen on threads (burst, head_ts, head_id) where burst is not null and head_id is not null and unseen > 0',
];
