/** The audit log, and what is kept of a rotated sender token. */
export const AUDIT: readonly string[] = [
  `create table audit (
    id integer primary key,
    ts integer not null,
    actor_kind text not null,
    actor text not null,
    actor_key text,
    address text,
    action text not null,
    object text not null,
    before text,
    after text)`,
  // For changes that add to their entry, and for states that are recorded only if they differ.
  'create index audit_object on audit (object, action)',
  "insert into series values ('audit', 0)",
  'alter table sender_tokens add column last_used_from text',
  'alter table sender_tokens add column previous_hash text',
  'alter table sender_tokens add column previous_until_ts integer',
  'alter table sender_tokens add column previous_used_ts integer',
  'alter table sender_tokens add column previous_used_from text',
];
