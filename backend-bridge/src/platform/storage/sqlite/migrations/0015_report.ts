/** Figures of the report by week, and the alerts that are open in it. platform/storage/schema.ts. */
export const REPORT = [
  // Until which notification it is counted.
  "insert into series values ('reported', 0)",
  `create table report_kinds (
    id integer primary key,
    source text not null,
    rule text not null,
    dnp_name text not null,
    category text not null,
    last_id integer not null,
    last_week integer not null,
    unique (source, rule, dnp_name, category))`,
  `create table report_weeks (
    week integer not null,
    kind integer not null,
    notifications integer not null,
    fired integer not null,
    flapping integer not null,
    resolved integer not null,
    not_acted_on integer not null,
    acknowledged integer not null,
    open_ms integer not null,
    longest_ms integer not null,
    acknowledge_ms integer not null,
    primary key (week, kind)) without rowid`,
  `create table report_spells (
    thread_id integer primary key,
    kind integer not null,
    opened_ts integer not null,
    closed_ts integer)`,
  'create index report_spells_closed on report_spells (closed_ts) where closed_ts is not null',
];
