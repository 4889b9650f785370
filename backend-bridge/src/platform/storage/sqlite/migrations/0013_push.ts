/** Web push: the bridge's own keys, and the devices that have subscribed. platform/storage/schema.ts. */
export const PUSH = [
  "insert into series values ('device', 0)",
  `create table push_keys (
    id integer primary key,
    public_key text not null,
    private_key text not null,
    created_ts integer not null)`,
  `create table push_devices (
    id integer primary key,
    person text not null,
    login text not null,
    name text not null,
    endpoint text not null,
    fingerprint text not null unique,
    p256dh text not null,
    auth text not null,
    created_ts integer not null,
    visited_ts integer not null)`,
  'create index push_devices_person on push_devices (person)',
];
