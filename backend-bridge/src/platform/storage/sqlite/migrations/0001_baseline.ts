/** The whole schema. Columns: platform/storage/schema.ts. */
const NOTIFICATION_COLUMNS = `
  id integer primary key,
  thread_id integer not null,
  ts integer not null,
  title text not null,
  body text not null,
  category text not null,
  dnp_name text not null,
  priority integer not null,
  status text not null,
  status_given integer not null,
  correlation_id text not null,
  is_banner integer not null,
  banner integer not null,
  seen integer not null,
  muted integer not null,
  hidden integer not null,
  source text not null,
  cta_title text,
  cta_url text,
  icon text,
  errors text,
  extra text`;

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
    id integer primary key,
    dnp_name text not null,
    correlation_id text not null,
    state text not null,
    opened_ts integer,
    closed_ts integer,
    last_ts integer not null,
    closed_by_hand integer not null,
    banner integer not null,
    head_id integer,
    head_ts integer,
    category text not null,
    priority integer not null,
    count integer not null,
    unseen integer not null,
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
    scope integer not null,
    span integer not null,
    slot integer not null,
    hidden integer not null,
    muted integer not null,
    seen integer not null,
    category text not null,
    dnp_name text not null,
    priority integer not null,
    state text not null,
    banner integer not null,
    n integer not null,
    primary key (scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner)) without rowid`,

  `create table receipts (
    scope text not null,
    key text not null,
    hash text,
    notification_id integer not null,
    ts integer not null,
    primary key (scope, key)) without rowid`,
  'create index receipts_age on receipts (scope, ts)',
  'create table categories (category text primary key, enabled integer not null, ts integer not null, file text) without rowid',
  'create table events (id integer primary key, type text not null, data text not null)',
  `create table trash (${NOTIFICATION_COLUMNS}, deletion text not null, expires_ts integer not null)`,
  'create index trash_deletion on trash (deletion)',
  'create table series (name text primary key, last integer not null) without rowid',
  "insert into series values ('notification', 0), ('thread', 0), ('event', 0), ('indexed', 0), ('arrivals', 0)",

  // External content: the text is stored once. A search returns rows in order of rowid, the order of arrival. Prefixes of three
  // letters have an index of their own, since a short prefix matches many words.
  `create virtual table notifications_text using fts5(
    title, body, dnp_name, content='notifications', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='3')`,
  // Arrivals are indexed later, in bulk (platform/storage/textIndex.ts), up to the id in the series "indexed". Up to that id, a row that is
  // restored or deleted has to be added or removed at once.
  `create trigger notifications_text_insert after insert on notifications
    when new.id <= (select last from series where name = 'indexed') begin
    insert into notifications_text (rowid, title, body, dnp_name) values (new.id, new.title, new.body, new.dnp_name);
  end`,
  `create trigger notifications_text_delete after delete on notifications
    when old.id <= (select last from series where name = 'indexed') begin
    insert into notifications_text (notifications_text, rowid, title, body, dnp_name)
    values ('delete', old.id, old.title, old.body, old.dnp_name);
  end`,

  // Only the SHA-256 of a token is stored, so that the database cannot be used to send.
  `create table sender_tokens (
    id text primary key,
    name text not null,
    hash text not null unique,
    packages text not null,
    created_ts integer not null,
    last_used_ts integer,
    revoked_ts integer,
    file text) without rowid`,

  `create table packages (
    dnp_name text primary key,
    revision text not null,
    version text not null,
    type text not null,
    dialect text not null,
    manifest text not null,
    notifications text,
    compose text,
    targets text,
    dashboards text,
    files_dir text,
    origin_file text,
    registered_ts integer not null,
    registered_by text,
    updated_ts integer not null) without rowid`,
  // Approvals and history are kept when the package is removed.
  `create table package_approvals (
    dnp_name text not null,
    seq integer not null,
    ts integer not null,
    version text not null,
    message text not null,
    approved_by text,
    primary key (dnp_name, seq)) without rowid`,
  `create table package_history (
    dnp_name text not null,
    seq integer not null,
    ts integer not null,
    action text not null,
    version text not null,
    from_version text,
    done_by text,
    primary key (dnp_name, seq)) without rowid`,

  // Kept when the package is removed, and applied again when it returns.
  `create table settings (
    dnp_name text not null,
    correlation_id text not null,
    member text not null,
    file text not null,
    value real not null,
    shipped real,
    subject text,
    ts integer not null,
    set_by text,
    primary key (dnp_name, correlation_id, member, file)) without rowid`,
  `create table settings_history (
    id integer primary key,
    ts integer not null,
    set_by text,
    file text,
    category text,
    dnp_name text,
    correlation_id text,
    member text not null,
    old_value real,
    new_value real)`,
  'create index settings_history_package on settings_history (dnp_name, id)',
  `create table shipped_off (
    dnp_name text not null,
    correlation_id text not null,
    primary key (dnp_name, correlation_id)) without rowid`,
  // A node in this table that is behind after a restart of the bridge has fallen behind; it is not in its first sync.
  'create table synced_nodes (dnp_name text primary key) without rowid',

  // A number is given out once: it never comes to mean another reader.
  `create table readers (
    id integer primary key autoincrement,
    key text not null unique,
    first_ts integer not null,
    last_ts integer not null,
    watermark integer not null default 0)`,
  // By thread first: a row of the list needs the unread members of its thread. A deleted notification stays until it is purged, so that a
  // deletion costs the same for any number of readers.
  `create table unread (
    reader integer not null,
    thread_id integer not null,
    id integer not null,
    primary key (reader, thread_id, id)) without rowid`,
  'create index unread_id on unread (id)',
  // Recent shown notifications, once for all readers: unread are those above the reader's watermark, and those in `unread`.
  'create table arrivals (id integer primary key, thread_id integer not null)',
  'create index arrivals_thread on arrivals (thread_id)',

  // The kinds are those of inbox/notifications/thread.ts. The newest member of a kind is one lookup in the primary key.
  `create table thread_members (
    thread_id integer not null,
    kind integer not null,
    id integer not null,
    primary key (thread_id, kind, id)) without rowid`,
  // Members from `from_id` on still have to be updated after an earlier change.
  `create table thread_repairs (
    thread_id integer not null,
    from_id integer not null,
    restored integer not null,
    primary key (thread_id, from_id)) without rowid`,
  // One row for a deletion, however many rows and transactions it took.
  `create table deletions (
    deletion text primary key,
    expires_ts integer not null,
    restoring integer not null) without rowid`,
];
