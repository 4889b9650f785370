/** Bursts of threads: platform/storage/schema.ts. The indexes hold only threads of bursts, so that others cost nothing more. */
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
  // The previous indexes with the burst: a list with one row for each walks past its threads without reading them.
  'drop index threads_head',
  'create index threads_head on threads (head_ts, head_id, category, dnp_name, priority, state, banner, unseen, burst) where head_id is not null',
  'drop index threads_category',
  'create index threads_category on threads (category, head_ts, head_id, unseen, state, last_ts, burst) where head_id is not null',
  'drop index threads_open',
  "create index threads_open on threads (last_ts, category, priority, dnp_name, unseen, banner, head_ts, head_id, burst) where head_id is not null and state = 'open'",
  'drop index threads_unseen',
  'create index threads_unseen on threads (head_ts, head_id, burst) where head_id is not null and unseen > 0',
  'drop index threads_seen',
  'create index threads_seen on threads (head_ts, head_id, burst) where head_id is not null and unseen = 0',
];
