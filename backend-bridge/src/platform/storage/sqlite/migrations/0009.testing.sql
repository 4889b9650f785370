BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO migrations VALUES('0001_initial','2026-11-22T09:47:31.172Z');
INSERT INTO migrations VALUES('0002_sender_tokens','2026-11-22T09:47:31.258Z');
INSERT INTO migrations VALUES('0003_packages','2026-11-22T09:47:31.316Z');
INSERT INTO migrations VALUES('0004_provisioning','2026-11-22T09:47:31.352Z');
INSERT INTO migrations VALUES('0005_settings','2026-11-22T09:47:31.384Z');
INSERT INTO migrations VALUES('0006_chains','2026-11-22T09:47:31.413Z');
INSERT INTO migrations VALUES('0007_readers','2026-11-22T09:47:31.541Z');
INSERT INTO migrations VALUES('0008_receipt_age','2026-11-22T09:47:31.547Z');
INSERT INTO migrations VALUES('0009_scale','2026-11-22T09:47:31.639Z');
CREATE TABLE IF NOT EXISTS "migrations_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO migrations_lock VALUES('migration_lock',0);
CREATE TABLE notifications (
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
  extra text);
INSERT INTO notifications VALUES(1,1,1795176000000,'Title 1','Body 1 disk','hardware','geth.dnp',3,'triggered',1,'disk',1,1,0,0,0,'api',NULL,NULL,NULL,NULL,NULL);
INSERT INTO notifications VALUES(2,2,1795176000000,'Title 2','Body 2 disk','hardware','geth.dnp',0,'triggered',1,'cpu',0,0,1,0,0,'api',NULL,NULL,NULL,NULL,NULL);
INSERT INTO notifications VALUES(3,3,1795176000000,'Title 3','Body 3 disk','noise','geth.dnp',0,'triggered',0,'3',0,0,0,1,0,'api',NULL,NULL,NULL,NULL,NULL);
INSERT INTO notifications VALUES(4,4,1795176000000,'Title 4','Body 4 disk','hardware','geth.dnp',0,'triggered',0,'4',0,0,0,0,1,'api','Open','https://example.org','https://example.org/i.png','bad link',NULL);
INSERT INTO notifications VALUES(5,5,1795176000000,'Title 5','Body 5 disk','hardware','geth.dnp',0,'triggered',0,'5',0,0,0,0,0,'api',NULL,NULL,NULL,NULL,'{"unknown":1}');
INSERT INTO notifications VALUES(6,1,1795262400000,'Title 6','Body 6 disk','hardware','geth.dnp',0,'resolved',1,'disk',0,1,0,0,0,'api',NULL,NULL,NULL,NULL,NULL);
INSERT INTO notifications VALUES(7,6,1795262400000,'Title 7','Body 7 disk','hardware','dms.dnp',0,'triggered',1,'cpu',0,0,0,0,0,'api',NULL,NULL,NULL,NULL,NULL);
INSERT INTO notifications VALUES(9,8,1795262400000,'Title 9','Body 9 disk','hardware','geth.dnp',0,'triggered',0,'9',0,0,0,0,0,'api',NULL,NULL,NULL,NULL,NULL);
CREATE TABLE threads (
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
    unique (correlation_id, dnp_name));
INSERT INTO threads VALUES(1,'geth.dnp','disk','resolved',1795176000000,1795262400000,1795262400000,0,1,6,1795262400000,'hardware',0,2,2);
INSERT INTO threads VALUES(2,'geth.dnp','cpu','open',1795176000000,NULL,1795176000000,0,0,2,1795176000000,'hardware',0,1,0);
INSERT INTO threads VALUES(3,'geth.dnp','3','event',NULL,NULL,1795176000000,0,0,NULL,NULL,'',0,0,0);
INSERT INTO threads VALUES(4,'geth.dnp','4','event',NULL,NULL,1795176000000,0,0,NULL,NULL,'',0,0,0);
INSERT INTO threads VALUES(5,'geth.dnp','5','event',NULL,NULL,1795176000000,0,0,5,1795176000000,'hardware',0,1,1);
INSERT INTO threads VALUES(6,'dms.dnp','cpu','open',1795262400000,NULL,1795262400000,0,0,7,1795262400000,'hardware',0,1,1);
INSERT INTO threads VALUES(8,'geth.dnp','9','event',NULL,NULL,1795262400000,0,0,9,1795262400000,'hardware',0,1,1);
CREATE TABLE counts (
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
    primary key (scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner)) without rowid;
INSERT INTO counts VALUES(0,0,0,0,0,0,'hardware','dms.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,0,0,0,0,0,'hardware','geth.dnp',0,'resolved',1,1);
INSERT INTO counts VALUES(0,0,0,0,0,0,'hardware','geth.dnp',0,'triggered',0,2);
INSERT INTO counts VALUES(0,0,0,0,0,0,'hardware','geth.dnp',3,'triggered',1,1);
INSERT INTO counts VALUES(0,0,0,0,0,1,'hardware','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,0,0,0,1,0,'noise','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,0,0,1,0,0,'hardware','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,1,20777,0,0,0,'hardware','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,1,20777,0,0,0,'hardware','geth.dnp',3,'triggered',1,1);
INSERT INTO counts VALUES(0,1,20777,0,0,1,'hardware','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,1,20777,0,1,0,'noise','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,1,20777,1,0,0,'hardware','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,1,20778,0,0,0,'hardware','dms.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(0,1,20778,0,0,0,'hardware','geth.dnp',0,'resolved',1,1);
INSERT INTO counts VALUES(0,1,20778,0,0,0,'hardware','geth.dnp',0,'triggered',0,1);
INSERT INTO counts VALUES(1,0,0,0,0,0,'hardware','dms.dnp',0,'open',0,1);
INSERT INTO counts VALUES(1,0,0,0,0,0,'hardware','geth.dnp',0,'event',0,2);
INSERT INTO counts VALUES(1,0,0,0,0,0,'hardware','geth.dnp',0,'resolved',1,1);
INSERT INTO counts VALUES(1,0,0,0,0,1,'hardware','geth.dnp',0,'open',0,1);
INSERT INTO counts VALUES(1,1,20777,0,0,0,'hardware','geth.dnp',0,'event',0,1);
INSERT INTO counts VALUES(1,1,20777,0,0,1,'hardware','geth.dnp',0,'open',0,1);
INSERT INTO counts VALUES(1,1,20778,0,0,0,'hardware','dms.dnp',0,'open',0,1);
INSERT INTO counts VALUES(1,1,20778,0,0,0,'hardware','geth.dnp',0,'event',0,1);
INSERT INTO counts VALUES(1,1,20778,0,0,0,'hardware','geth.dnp',0,'resolved',1,1);
CREATE TABLE receipts (
    scope text not null,
    key text not null,
    hash text,
    notification_id integer not null,
    ts integer not null,
    primary key (scope, key)) without rowid;
INSERT INTO receipts VALUES('key:t1','k1','x',5,1795176000000);
CREATE TABLE categories (category text primary key, enabled integer not null, ts integer not null, file text) without rowid;
INSERT INTO categories VALUES('noise',0,1795176000000,NULL);
CREATE TABLE events (id integer primary key, type text not null, data text not null);
INSERT INTO events VALUES(1,'settings','{"category":"noise"}');
INSERT INTO events VALUES(2,'notification','{"id":1}');
INSERT INTO events VALUES(3,'notification','{"id":2}');
INSERT INTO events VALUES(4,'notification','{"id":3}');
INSERT INTO events VALUES(5,'notification','{"id":4}');
INSERT INTO events VALUES(6,'notification','{"id":5}');
INSERT INTO events VALUES(7,'notification','{"id":6}');
INSERT INTO events VALUES(8,'notification','{"id":7}');
INSERT INTO events VALUES(9,'notification','{"id":8}');
INSERT INTO events VALUES(10,'notification','{"id":9}');
INSERT INTO events VALUES(11,'read','{"ids":[2],"read":true,"reader":"anna"}');
INSERT INTO events VALUES(12,'seen','{"ids":[2],"seen":true}');
INSERT INTO events VALUES(13,'deleted','{"ids":[8]}');
CREATE TABLE trash (
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
  extra text, deletion text not null, expires_ts integer not null);
INSERT INTO trash VALUES(8,7,1795262400000,'Title 8','Body 8 disk','hardware','geth.dnp',0,'triggered',0,'8',0,0,0,0,0,'api',NULL,NULL,NULL,NULL,NULL,'d1',1795262430000);
CREATE TABLE series (name text primary key, last integer not null) without rowid;
INSERT INTO series VALUES('arrivals',0);
INSERT INTO series VALUES('clock',1795176000000);
INSERT INTO series VALUES('event',13);
INSERT INTO series VALUES('indexed',5);
INSERT INTO series VALUES('notification',9);
INSERT INTO series VALUES('thread',8);
INSERT INTO series VALUES('touch',1);
CREATE VIRTUAL TABLE notifications_text using fts5(
    title, body, dnp_name, content='notifications', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='3');
INSERT INTO notifications_text (rowid, title, body, dnp_name) SELECT id, title, body, dnp_name FROM notifications WHERE id <= 5;
CREATE TABLE sender_tokens (
    id text primary key,
    name text not null,
    hash text not null unique,
    packages text not null,
    created_ts integer not null,
    last_used_ts integer,
    revoked_ts integer, file text) without rowid;
INSERT INTO sender_tokens VALUES('t1','backup script','h1','["geth.dnp"]',1795176000000,NULL,NULL,NULL);
CREATE TABLE packages (
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
    updated_ts integer not null) without rowid;
CREATE TABLE package_approvals (
    dnp_name text not null,
    seq integer not null,
    ts integer not null,
    version text not null,
    message text not null,
    approved_by text,
    primary key (dnp_name, seq)) without rowid;
CREATE TABLE package_history (
    dnp_name text not null,
    seq integer not null,
    ts integer not null,
    action text not null,
    version text not null,
    from_version text,
    done_by text,
    primary key (dnp_name, seq)) without rowid;
CREATE TABLE settings (
    dnp_name text not null,
    correlation_id text not null,
    member text not null,
    file text not null,
    value real not null,
    shipped real,
    subject text,
    ts integer not null,
    set_by text,
    primary key (dnp_name, correlation_id, member, file)) without rowid;
CREATE TABLE settings_history (
    id integer primary key,
    ts integer not null,
    set_by text,
    file text,
    category text,
    dnp_name text,
    correlation_id text,
    member text not null,
    old_value real,
    new_value real);
INSERT INTO settings_history VALUES(1,1795176000000,'anna',NULL,'noise',NULL,NULL,'enabled',1.0,0.0);
CREATE TABLE shipped_off (
    dnp_name text not null,
    correlation_id text not null,
    primary key (dnp_name, correlation_id)) without rowid;
CREATE TABLE synced_nodes (dnp_name text primary key) without rowid;
CREATE TABLE readers (
    id integer primary key autoincrement,
    key text not null unique,
    first_ts integer not null,
    last_ts integer not null, watermark integer not null default 0);
INSERT INTO readers VALUES(1,'anna',1795176000000,1795176000000,9);
INSERT INTO readers VALUES(2,'bert',1795176000000,1795176000000,9);
CREATE TABLE unread (
    reader integer not null,
    thread_id integer not null,
    id integer not null,
    primary key (reader, thread_id, id)) without rowid;
INSERT INTO unread VALUES(1,1,1);
INSERT INTO unread VALUES(2,1,1);
INSERT INTO unread VALUES(1,5,5);
INSERT INTO unread VALUES(2,5,5);
INSERT INTO unread VALUES(1,1,6);
INSERT INTO unread VALUES(2,1,6);
INSERT INTO unread VALUES(1,6,7);
INSERT INTO unread VALUES(2,6,7);
INSERT INTO unread VALUES(1,7,8);
INSERT INTO unread VALUES(2,7,8);
INSERT INTO unread VALUES(1,8,9);
INSERT INTO unread VALUES(2,8,9);
CREATE TABLE arrivals (id integer primary key, thread_id integer not null);
INSERT INTO arrivals VALUES(1,1);
INSERT INTO arrivals VALUES(2,2);
INSERT INTO arrivals VALUES(5,5);
INSERT INTO arrivals VALUES(6,1);
INSERT INTO arrivals VALUES(7,6);
INSERT INTO arrivals VALUES(8,7);
INSERT INTO arrivals VALUES(9,8);
CREATE TABLE thread_members (
    thread_id integer not null,
    kind integer not null,
    id integer not null,
    primary key (thread_id, kind, id)) without rowid;
INSERT INTO thread_members VALUES(1,5,1);
INSERT INTO thread_members VALUES(1,5,6);
INSERT INTO thread_members VALUES(2,5,2);
INSERT INTO thread_members VALUES(3,2,3);
INSERT INTO thread_members VALUES(4,0,4);
INSERT INTO thread_members VALUES(5,4,5);
INSERT INTO thread_members VALUES(6,5,7);
INSERT INTO thread_members VALUES(8,4,9);
CREATE TABLE thread_repairs (
    thread_id integer not null,
    from_id integer not null,
    restored integer not null,
    primary key (thread_id, from_id)) without rowid;
CREATE TABLE deletions (
    deletion text primary key,
    expires_ts integer not null,
    restoring integer not null) without rowid;
INSERT INTO deletions VALUES('d1',1795262430000,0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('readers',2);
CREATE INDEX notifications_thread on notifications (thread_id, id);
CREATE INDEX notifications_ts on notifications (ts, id, hidden, muted, seen, category, dnp_name, priority, status, banner);
CREATE INDEX notifications_category on notifications (category, ts, id) where muted = 0 and hidden = 0;
CREATE INDEX notifications_package on notifications (dnp_name, ts, id) where muted = 0 and hidden = 0;
CREATE INDEX notifications_rank on notifications (priority, ts, id) where muted = 0 and hidden = 0 and priority > 0;
CREATE INDEX notifications_resolved on notifications (ts, id) where muted = 0 and hidden = 0 and status = 'resolved';
CREATE INDEX notifications_seen on notifications (seen, ts, id) where muted = 0 and hidden = 0;
CREATE INDEX notifications_banner on notifications (ts, id) where banner = 1;
CREATE INDEX threads_head on threads (head_ts, head_id, category, dnp_name, priority, state, banner, unseen) where head_id is not null;
CREATE INDEX threads_category on threads (category, head_ts, head_id, unseen, state, last_ts) where head_id is not null;
CREATE INDEX threads_package on threads (dnp_name, head_ts, head_id) where head_id is not null;
CREATE INDEX threads_rank on threads (priority, head_ts, head_id) where head_id is not null and priority > 0;
CREATE INDEX threads_open on threads (last_ts, category, priority, dnp_name, unseen, banner, head_ts, head_id) where head_id is not null and state = 'open';
CREATE INDEX threads_resolved on threads (head_ts, head_id) where head_id is not null and state = 'resolved';
CREATE INDEX threads_unseen on threads (head_ts, head_id) where head_id is not null and unseen > 0;
CREATE INDEX threads_seen on threads (head_ts, head_id) where head_id is not null and unseen = 0;
CREATE INDEX threads_banner on threads (head_ts, head_id) where head_id is not null and banner = 1;
CREATE INDEX trash_deletion on trash (deletion);
CREATE TRIGGER notifications_text_insert after insert on notifications
    when new.id <= (select last from series where name = 'indexed') begin
    insert into notifications_text (rowid, title, body, dnp_name) values (new.id, new.title, new.body, new.dnp_name);
  end;
CREATE TRIGGER notifications_text_delete after delete on notifications
    when old.id <= (select last from series where name = 'indexed') begin
    insert into notifications_text (notifications_text, rowid, title, body, dnp_name)
    values ('delete', old.id, old.title, old.body, old.dnp_name);
  end;
CREATE INDEX settings_history_package on settings_history (dnp_name, id);
CREATE INDEX receipts_age on receipts (scope, ts);
CREATE INDEX arrivals_thread on arrivals (thread_id);
CREATE INDEX unread_id on unread (id);
CREATE INDEX notifications_muted on notifications (ts, id, hidden, seen, category, dnp_name, priority, status) where muted = 1;
CREATE INDEX notifications_hidden on notifications (ts, id, muted, seen, category, dnp_name, priority, status) where hidden = 1;
COMMIT;
