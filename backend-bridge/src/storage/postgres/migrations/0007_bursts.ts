/** Bursts of threads: storage/schema.ts. The indexes hold only threads of bursts, so that others cost nothing more. */
export const BURSTS = [
  'alter table threads add column burst bigint',
  'alter table trash add column burst bigint',
  `create table sources (
    key text collate "C" primary key,
    recent text collate "C" not null,
    burst bigint,
    ts bigint not null)`,
  `create table bursts (
    id bigint primary key,
    name text collate "C" not null,
    dnp_name text collate "C" not null,
    category text collate "C" not null,
    ts bigint not null)`,
  // The newest thread of a burst, of those that are open, and of those with unseen members. The first includes what rows count.
  'create index threads_burst on threads (burst, head_ts, head_id, state, last_ts, unseen, priority) where burst is not null and head_id is not null',
  "create index threads_burst_open on threads (burst, head_ts, head_id, last_ts) where burst is not null and head_id is not null and state = 'open'",
  'create index threads_burst_unseen on threads (burst, head_ts, head_id) where burst is not null and head_id is not null and unseen > 0',
];
