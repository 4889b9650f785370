/** Retention: its policy, and which notifications had arrived at each hour of the bridge's own clock. */
export const RETENTION = [
  'create table retention (file text primary key, policy text not null, ts integer not null, set_by text) without rowid',
  'create table arrival_marks (ts integer primary key, last_id integer not null)',
];
