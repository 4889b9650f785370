/**
 * The whole schema. Columns: platform/storage/schema.ts. Texts compare by code point, as in SQLite. Tables and indexes are explained in
 * platform/storage/sqlite/migrations/0001_baseline.ts; parity.postgres.test.ts holds them to the same shape.
 */
const NOTIFICATION_COLUMNS = `
  id bigint primary key,
  thread_id bigint not null,
  ts bigint not null,
  title text collate "C" not null,
  body text collate "C" not null,
  category text collate "C" not null,
  dnp_name text collate "C" not null,
  priority smallint not null,
  status text collate "C" not null,
  status_given smallint not null,
  correlation_id text collate "C" not null,
  is_banner smallint not null,
  banner smallint not null,
  seen smallint not null,
  muted smallint not null,
  hidden smallint not null,
  source text collate "C" not null,
  cta_title text collate "C",
  cta_url text collate "C",
  icon text collate "C",
  errors text collate "C",
  extra text collate "C"`;

export const BASELINE = [
  `create table notifications (${NOTIFICATION_COLUMNS})`,
  // The common view is "shown": neither muted nor with errors. The rare ones have partial indexes of their own.
  'create index notifications_thread on notifications (thread_id, id)',
  // Includes what facets count: the days that a range cuts into are counted from this index.
  'create index notifications_ts on notifications (ts, id, hidden, muted, seen, category, dnp_name, priority, status, banner)',
  'create index notifications_category on notifications (category, ts, id) where muted = 0 and hidden = 0',
  'create index notifications_package on notifications (dnp_name, ts, id) where muted = 0 and hidden = 0',
  'create index notifications_rank on notifications (priority, ts, id) where muted = 0 and hidden = 0 and priority > 0',
  "create index notifications_resolved on notifications (ts, id) where muted = 0 and hidden = 0 and status = 'resolved'",
  'create index notifications_seen on notifications (seen, ts, id) where muted = 0 and hidden = 0',
  'create index notifications_banner on notifications (ts, id) where banner = 1',
  // Includes the columns of all filters, so that rows that do not match are skipped without reading them.
  'create index notifications_muted on notifications (ts, id, hidden, seen, category, dnp_name, priority, status) where muted = 1',
  'create index notifications_hidden on notifications (ts, id, muted, seen, category, dnp_name, priority, status) where hidden = 1',

  `create table threads (
    id bigint primary key,
    dnp_name text collate "C" not null,
    correlation_id text collate "C" not null,
    state text collate "C" not null,
    opened_ts bigint,
    closed_ts bigint,
    last_ts bigint not null,
    closed_by_hand smallint not null,
    banner smallint not null,
    head_id bigint,
    head_ts bigint,
    category text collate "C" not null,
    priority smallint not null,
    count bigint not null,
    unseen bigint not null,
    unique (correlation_id, dnp_name))`,
  'create index threads_head on threads (head_ts, head_id, category, dnp_name, priority, state, banner, unseen) where head_id is not null',
  // Includes what separates open, unread and read, so that a page of one of them is found without reading rows of the others.
  'create index threads_category on threads (category, head_ts, head_id, unseen, state, last_ts) where head_id is not null',
  'create index threads_package on threads (dnp_name, head_ts, head_id) where head_id is not null',
  'create index threads_rank on threads (priority, head_ts, head_id) where head_id is not null and priority > 0',
  "create index threads_open on threads (last_ts, category, priority, dnp_name, unseen, banner, head_ts, head_id) where head_id is not null and state = 'open'",
  "create index threads_resolved on threads (head_ts, head_id) where head_id is not null and state = 'resolved'",
  'create index threads_unseen on threads (head_ts, head_id) where head_id is not null and unseen > 0',
  'create index threads_seen on threads (head_ts, head_id) where head_id is not null and unseen = 0',
  'create index threads_banner on threads (head_ts, head_id) where head_id is not null and banner = 1',

  `create table counts (
    scope smallint not null,
    span smallint not null,
    slot bigint not null,
    hidden smallint not null,
    muted smallint not null,
    seen smallint not null,
    category text collate "C" not null,
    dnp_name text collate "C" not null,
    priority smallint not null,
    state text collate "C" not null,
    banner smallint not null,
    n bigint not null,
    primary key (scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner))`,

  `create table receipts (
    scope text collate "C" not null,
    key text collate "C" not null,
    hash text collate "C",
    notification_id bigint not null,
    ts bigint not null,
    primary key (scope, key))`,
  'create index receipts_age on receipts (scope, ts)',
  'create table categories (category text collate "C" primary key, enabled smallint not null, ts bigint not null, file text collate "C")',
  'create table events (id bigint primary key, type text collate "C" not null, data text collate "C" not null)',
  `create table trash (${NOTIFICATION_COLUMNS}, deletion text collate "C" not null, expires_ts bigint not null)`,
  'create index trash_deletion on trash (deletion)',
  'create table series (name text collate "C" primary key, last bigint not null)',
  "insert into series values ('notification', 0), ('thread', 0), ('event', 0), ('indexed', 0), ('arrivals', 0)",

  // The words of each notification that is indexed (text.ts), searched by id from the newest, or by word.
  'create table notifications_text (id bigint primary key, words tsvector not null)',
  'create index notifications_text_words on notifications_text using gin (words)',
  // Deleted rows leave the index in the same statement; a restore indexes its rows itself.
  `create function notifications_text_delete() returns trigger language plpgsql as $$ begin
    delete from notifications_text where id in (select id from gone);
    return null;
  end $$`,
  `create trigger notifications_text_delete after delete on notifications
    referencing old table as gone for each statement execute function notifications_text_delete()`,

  // Only the SHA-256 of a token is stored, so that the database cannot be used to send.
  `create table sender_tokens (
    id text collate "C" primary key,
    name text collate "C" not null,
    hash text collate "C" not null unique,
    packages text collate "C" not null,
    created_ts bigint not null,
    last_used_ts bigint,
    revoked_ts bigint,
    file text collate "C")`,

  `create table packages (
    dnp_name text collate "C" primary key,
    revision text collate "C" not null,
    version text collate "C" not null,
    type text collate "C" not null,
    dialect text collate "C" not null,
    manifest text collate "C" not null,
    notifications text collate "C",
    compose text collate "C",
    targets text collate "C",
    dashboards text collate "C",
    files_dir text collate "C",
    origin_file text collate "C",
    registered_ts bigint not null,
    registered_by text collate "C",
    updated_ts bigint not null)`,
  // Approvals and history are kept when the package is removed.
  `create table package_approvals (
    dnp_name text collate "C" not null,
    seq bigint not null,
    ts bigint not null,
    version text collate "C" not null,
    message text collate "C" not null,
    approved_by text collate "C",
    primary key (dnp_name, seq))`,
  `create table package_history (
    dnp_name text collate "C" not null,
    seq bigint not null,
    ts bigint not null,
    action text collate "C" not null,
    version text collate "C" not null,
    from_version text collate "C",
    done_by text collate "C",
    primary key (dnp_name, seq))`,

  // Kept when the package is removed, and applied again when it returns.
  `create table settings (
    dnp_name text collate "C" not null,
    correlation_id text collate "C" not null,
    member text collate "C" not null,
    file text collate "C" not null,
    value double precision not null,
    shipped double precision,
    subject text collate "C",
    ts bigint not null,
    set_by text collate "C",
    primary key (dnp_name, correlation_id, member, file))`,
  `create table settings_history (
    id bigint primary key,
    ts bigint not null,
    set_by text collate "C",
    file text collate "C",
    category text collate "C",
    dnp_name text collate "C",
    correlation_id text collate "C",
    member text collate "C" not null,
    old_value double precision,
    new_value double precision)`,
  'create index settings_history_package on settings_history (dnp_name, id)',
  `create table shipped_off (
    dnp_name text collate "C" not null,
    correlation_id text collate "C" not null,
    primary key (dnp_name, correlation_id))`,
  // A node in this table that is behind after a restart of the bridge has fallen behind; it is not in its first sync.
  'create table synced_nodes (dnp_name text collate "C" primary key)',

  // A number is given out once: it never comes to mean another reader.
  `create table readers (
    id bigint generated by default as identity primary key,
    key text collate "C" not null unique,
    first_ts bigint not null,
    last_ts bigint not null,
    watermark bigint not null default 0)`,
  // By thread first: a row of the list needs the unread members of its thread. A deleted notification stays until it is purged, so that a
  // deletion costs the same for any number of readers.
  `create table unread (
    reader bigint not null,
    thread_id bigint not null,
    id bigint not null,
    primary key (reader, thread_id, id))`,
  'create index unread_id on unread (id)',
  // Recent shown notifications, once for all readers: unread are those above the reader's watermark, and those in `unread`.
  'create table arrivals (id bigint primary key, thread_id bigint not null)',
  'create index arrivals_thread on arrivals (thread_id)',

  // The kinds are those of inbox/notifications/thread.ts. The newest member of a kind is one lookup in the primary key.
  `create table thread_members (
    thread_id bigint not null,
    kind smallint not null,
    id bigint not null,
    primary key (thread_id, kind, id))`,
  // Members from `from_id` on still have to be updated after an earlier change.
  `create table thread_repairs (
    thread_id bigint not null,
    from_id bigint not null,
    restored smallint not null,
    primary key (thread_id, from_id))`,
  // One row for a deletion, however many rows and transactions it took.
  `create table deletions (
    deletion text collate "C" primary key,
    expires_ts bigint not null,
    restoring smallint not null)`,
];
