/** Retention: its policy, and which notifications had arrived at each hour of the bridge's own clock. */
export const RETENTION = [
  'create table retention (file text collate "C" primary key, policy text not null, ts bigint not null, set_by text)',
  'create table arrival_marks (ts bigint primary key, last_id bigint not null)',
];
