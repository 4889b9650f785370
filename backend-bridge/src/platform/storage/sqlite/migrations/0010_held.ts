/** Notifications held for a digest, the end of quiet hours, or an escalation: platform/storage/schema.ts. The indexes contain held rows only. */
export const HELD = [
  'alter table outbox add column hold text',
  'alter table outbox add column drop_resolved integer not null default 0',
  "create index outbox_held on outbox (channel, hold, due_ts, id) where state = 'held'",
  "create index outbox_held_thread on outbox (thread_id, channel, id) where state = 'held'",
  'create table quiet_hours (person text primary key, hours text not null, passing text not null, ts integer not null) without rowid',
];
