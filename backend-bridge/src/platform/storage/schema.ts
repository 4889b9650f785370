/** The tables. Times are UTC milliseconds and booleans 0 or 1 in every database, so that stores hold no dialect. */
import type { Generated } from 'kysely';
import type { DeliveryState } from '../../../contract/delivery.ts';
import type { Suppressor } from '../../../contract/respond.ts';

type Flag = 0 | 1;

/** A notification. Ids are in the order of arrival. */
export interface NotificationRow {
  id: number;
  thread_id: number;
  ts: number;
  title: string;
  body: string;
  category: string;
  dnp_name: string;
  /** Rank: position in PRIORITIES. */
  priority: number;
  status: string;
  /** The sender named the status; 0 when the default was taken. */
  status_given: Flag;
  correlation_id: string;
  is_banner: Flag;
  /** As sent, or it resolves a thread that had a banner: selected by `isBanner=true`. */
  banner: Flag;
  seen: Flag;
  muted: Flag;
  /** It has `errors`. */
  hidden: Flag;
  /** Its thread had another state before it. */
  turned: Flag;
  source: string;
  cta_title: string | null;
  cta_url: string | null;
  icon: string | null;
  errors: string | null;
  /** JSON object of members that were not understood. */
  extra: string | null;
  /** The bridge that it comes from; '': none. */
  node: string;
  /** When it was received there, by the sender's word. */
  sent_ts: number | null;
  /** Its {@link LabelSetRow}; 0: without labels. */
  label_set: number;
}

/** Labels that notifications have in common: a series of alerts adds no row. */
export interface LabelSetRow {
  id: number;
  /** Hash of `labels`. */
  hash: string;
  /** JSON object, sorted by name. */
  labels: string;
}

/** A label of a {@link LabelSetRow}. */
export interface LabelRow {
  name: string;
  value: string;
  set_id: number;
}

/** A thread, with what its row in a list shows. The rule: inbox/notifications/thread.ts. */
export interface ThreadRow {
  id: number;
  dnp_name: string;
  correlation_id: string;
  state: string;
  opened_ts: number | null;
  closed_ts: number | null;
  last_ts: number;
  closed_by_hand: Flag;
  banner: Flag;
  /** The newest shown member; null when none is shown. Its fields are repeated here for the indexes. */
  head_id: number | null;
  head_ts: number | null;
  category: string;
  priority: number;
  count: number;
  unseen: number;
  /** The burst of threads that it opened in: {@link BurstRow}. */
  burst: number | null;
  /** Part of its key, beside `dnp_name` and `correlation_id`. */
  node: string;
  /** Labels of the newest shown member. */
  label_set: number;
  /** It has a {@link ResponseRow}. Arrivals do not write it. */
  answered?: Flag | undefined;
}

/** Responses of people to a thread. Kept while the thread is in the trash. */
export interface ResponseRow {
  thread_id: number;
  /** When it was acknowledged, UTC milliseconds; null: it is not. */
  ack_ts: number | null;
  ack_by: string | null;
  ack_key: string | null;
  ack_comment: string | null;
  /** Rank of the thread then: a higher one ends it. */
  ack_priority: number | null;
  /** Person.key. */
  assignee: string | null;
  assignee_name: string | null;
  /** Number of comments. */
  comments: number;
}

/** An entry of the timeline of a thread: a comment, or what somebody did. */
export interface ActivityRow {
  id: number;
  thread_id: number;
  ts: number;
  /** ACTIVITY_KINDS in contract/respond.ts. */
  kind: string;
  /** Name; empty: the bridge. */
  actor: string;
  actor_key: string | null;
  /** The comment, or what the act is about. */
  content: string | null;
  edited_ts: number | null;
}

/** A word of a comment, folded: the text index of comments. */
export interface CommentWordRow {
  word: string;
  /** Id of the activity. */
  id: number;
}

/** A thread that is hidden for a time. */
export interface SnoozeRow {
  thread_id: number;
  /** Id of the reader; 0: all. */
  reader: number;
  /** UTC milliseconds. */
  until_ts: number;
  /** Rank of the thread then: a higher one ends it. */
  priority: number;
  set_ts: number;
  set_by: string;
  /** When it came back, which puts it on top until it is read; null: it is snoozed. */
  woken_ts: number | null;
}

/** A user of Grafana who has been here: for assigning. */
export interface PersonRow {
  /** Person.key. */
  key: string;
  login: string;
  name: string;
  /** Day of the last visit, by the bridge's own clock. */
  last_ts: number;
}

/** Number of notifications (scope 0) and threads (scope 1) of each kind: in total, and by day. */
export interface CountRow {
  scope: 0 | 1;
  /** 0: ever, 1: a day. */
  span: 0 | 1;
  /** Days since 1970 (UTC); 0: no end. */
  slot: number;
  hidden: Flag;
  muted: Flag;
  seen: Flag;
  category: string;
  dnp_name: string;
  priority: number;
  /** Status of a notification, state of a thread. */
  state: string;
  banner: Flag;
  n: number;
}

/** Deduplication key of a notification. */
export interface ReceiptRow {
  scope: string;
  key: string;
  hash: string | null;
  notification_id: number;
  /** Time of receipt, for alerts the day of the last repeat, by the bridge's own clock. */
  ts: number;
}

/** The switch of a category. */
export interface CategoryRow {
  category: string;
  enabled: Flag;
  ts: number;
  /** The provisioning file that sets it; null: an admin did. */
  file: string | null;
}

/** An entry of the journal of events. */
export interface EventRow {
  id: number;
  type: string;
  /** JSON: ids, not contents. */
  data: string;
}

/** A deleted notification until its deletion can no longer be undone; `expires_ts` is superseded by that of {@link DeletionRow}. */
export interface TrashRow extends NotificationRow {
  deletion: string;
  expires_ts: number;
  /** Burst of its thread. */
  burst: number | null;
}

/**
 * The last number given out of each series: `notification`, `thread`, `event`, `audit`, `touch`; `indexed`, see textIndex.ts; `reported`,
 * see inbox/report/writes.ts; `clock` and
 * `clock-server`, see steadyClock.ts; `bridge`, see keptNumber.ts; `actions/…`, see delivery/actions/epochs.ts; `arrivals`, see inbox/readers/writes.ts; `retention-pause`, `size-factor` and
 * `size-measured`, see inbox/retention/writes.ts.
 */
export interface SeriesRow {
  name: string;
  last: number;
}

/** A sender token: its hash, and the restrictions of the sender. */
export interface SenderTokenRow {
  id: string;
  name: string;
  hash: string;
  packages: string;
  created_ts: number;
  last_used_ts: number | null;
  revoked_ts: number | null;
  /** The provisioning file that it comes from; null: an admin made it. */
  file: string | null;
  /** Address from which it was last used. */
  last_used_from: string | null;
  /** The token before the last rotation; null: it was not rotated, or the grace period was ended. */
  previous_hash: string | null;
  /** End of the grace period; null with a `previous_hash`: a provisioning file keeps it valid. */
  previous_until_ts: number | null;
  previous_used_ts: number | null;
  previous_used_from: string | null;
  /** The node of what is sent with it; '': as the sender says. */
  node: string;
}

/** A recorded change. */
export interface AuditRow {
  id: number;
  ts: number;
  /** ACTOR_KINDS in contract/audit.ts. */
  actor_kind: string;
  actor: string;
  actor_key: string | null;
  address: string | null;
  action: string;
  object: string;
  /** JSON without secrets; null: no value. */
  before: string | null;
  after: string | null;
}

/** A registered package: its files as text, nothing derived. */
export interface PackageRow {
  dnp_name: string;
  /** Another with each change of the row. */
  revision: string;
  version: string;
  type: string;
  /** Rules it is validated by. */
  dialect: string;
  /** Texts of its files, as they were registered. */
  manifest: string;
  notifications: string | null;
  compose: string | null;
  /** JSON: a text for each file of Prometheus targets. */
  targets: string | null;
  /** JSON: `{ path, text }` for each dashboard that it ships. */
  dashboards: string | null;
  /** Where its files are, for backups. */
  files_dir: string | null;
  /** The provisioning file that it comes from; null: registered over HTTP. */
  origin_file: string | null;
  registered_ts: number;
  registered_by: string | null;
  updated_ts: number;
}

/** A disclaimer that was approved. Kept after the package is removed. */
export interface PackageApprovalRow {
  dnp_name: string;
  /** Counts the approvals of a package. */
  seq: number;
  ts: number;
  version: string;
  message: string;
  approved_by: string | null;
}

/** Changes of a package. Kept after the package is removed. */
export interface PackageHistoryRow {
  dnp_name: string;
  /** Counts what was done with a package. */
  seq: number;
  ts: number;
  action: string;
  version: string;
  from_version: string | null;
  done_by: string | null;
}

/** One value that is set, for a package or for one of its endpoints. Kept after the package is removed. */
export interface SettingRow {
  dnp_name: string;
  /** Empty: of the package as a whole. */
  correlation_id: string;
  member: 'enabled' | 'threshold';
  /** The provisioning file that sets it; empty: an admin did. The file's value takes precedence. */
  file: string;
  /** The number; 0 or 1 for a switch. */
  value: number;
  /** Value that the package shipped when it was set; null: unknown. */
  shipped: number | null;
  /** Subject of a threshold (monitoring/thresholds/overlay.ts); null: unknown. */
  subject: string | null;
  ts: number;
  set_by: string | null;
}

/** Changes of settings, with their author. */
export interface SettingHistoryRow {
  /** Counts. */
  id: number;
  ts: number;
  set_by: string | null;
  file: string | null;
  /** Category whose switch was set. */
  category: string | null;
  dnp_name: string | null;
  correlation_id: string | null;
  member: string;
  /** Previous value, as in the settings; null: not set. */
  old_value: number | null;
  new_value: number | null;
}

/** An endpoint that its package ships switched off, as it is registered now. */
export interface ShippedOffRow {
  dnp_name: string;
  correlation_id: string;
}

/** The package of a node that has been in sync. Gone with the package. */
export interface SyncedNodeRow {
  dnp_name: string;
  /** Hash of its address and driver; empty: stored before the column was added. */
  address: string;
}

/** Somebody with a read state of their own. */
export interface ReaderRow {
  id: Generated<number>;
  /** Key of the person: see Person.key in platform/access/identity.ts. */
  key: string;
  first_ts: number;
  /** Day of the last visit, by the bridge's own clock. */
  last_ts: number;
  /** Arrivals above this id are unread; up to it, the list in `unread` is complete. */
  watermark: number;
}

/** A shown notification that arrived lately, once for all readers. */
export interface ArrivalRow {
  id: number;
  thread_id: number;
}

/** A source of notifications that opened threads lately: inbox/notifications/burst.ts. */
export interface SourceRow {
  key: string;
  /** JSON: the last threads that opened, `[time, thread]`. */
  recent: string;
  burst: number | null;
  /** Time, by the bridge's own clock. */
  ts: number;
}

/** Threads that one source opened in a short time. The id is that of the notification with which it became a burst. */
export interface BurstRow {
  id: number;
  /** The rule, or the package. */
  name: string;
  /** Package of all its threads. */
  dnp_name: string;
  category: string;
  /** When it became a burst, by the bridge's own clock. */
  ts: number;
}

/** A deletion that can be undone, or that is being undone. */
export interface DeletionRow {
  deletion: string;
  expires_ts: number;
  restoring: Flag;
}

/** State that the leading replica shares with the others (platform/replicas/sharedState.ts). */
export interface SharedStateRow {
  scope: string;
  name: string;
  /** JSON. */
  value: string;
  /** Another with each change. */
  revision: string;
}

/** A shown notification that a reader has not read; also a deleted one, until it is purged. */
export interface UnreadRow {
  reader: number;
  thread_id: number;
  id: number;
}

/** A policy of retention. */
export interface RetentionRow {
  /** The provisioning file that sets it; empty: an admin did. The file's takes precedence. */
  file: string;
  /** JSON: RetentionPolicy. */
  policy: string;
  ts: number;
  set_by: string | null;
}

/** Notifications up to this id had arrived at that time. */
export interface ArrivalMarkRow {
  /** Time of the mark, by the bridge's own clock; one each hour. */
  ts: number;
  last_id: number;
}

/** A backup of the store (platform/backup/record.ts). */
export interface StoreBackupRow {
  /** When its snapshot was taken, UTC milliseconds. */
  created_ts: number;
  /** Where it was written to, on the host of the command. */
  file: string;
  bytes: number;
  /** Number of notifications in it. */
  notifications: number;
}

/** The channels and routes of a provisioning file. */
export interface ChannelFileRow {
  file: string;
  /** JSON: ShownChannel[] (delivery/channels/kinds/channel.ts), without secrets. */
  channels: string;
  /** JSON: Route[]. */
  routes: string;
  /** JSON: OnCallSchedule[] (contract/onCall.ts); null: none. */
  schedules: string | null;
  /** JSON: ChannelPerson[] (contract/onCall.ts); null: none. */
  people: string | null;
  /** JSON: OnCallState by name of the schedule (delivery/schedules/onCallState.ts); null: none. */
  on_call: string | null;
}

/** A notification that goes out over a channel, until long after its delivery. */
export interface OutboxRow {
  id: number;
  /** A step of an escalation that is not due has also whom it notifies (placeName in contract/onCall.ts). */
  channel: string;
  notification_id: number;
  thread_id: number;
  /** Sender: a token or an address; empty: the bridge. */
  sender: string;
  /** When it was received, by the bridge's own clock. */
  ts: number;
  state: DeliveryState;
  /** Failed ones. */
  attempts: number;
  /** Not tried before, by the bridge's own clock; of one that is held for a digest, UTC milliseconds. */
  due_ts: number;
  /** When it was sent or given up, UTC milliseconds. */
  done_ts: number | null;
  /** Why the last attempt failed. */
  reason: string | null;
  /** Reason for holding it (delivery/channels/holds.ts); null: not held. */
  hold: string | null;
  /** Whether it is dropped if it has resolved by then. */
  drop_resolved: Flag;
  /** When the notification was first seen in the inbox, UTC milliseconds. */
  seen_ts: number | null;
  /** Bridges through which it has come (contract/via.ts), without this one; null: none. */
  via: string | null;
  /** JSON: StepMark (delivery/channels/escalation.ts); null: it is no step of an escalation. */
  escalation: string | null;
}

/** The quiet hours of a person. */
export interface QuietHoursRow {
  /** Their key: platform/access/identity.ts. */
  person: string;
  /** A JSON list. */
  hours: string;
  passing: string;
  /** When they were set, UTC milliseconds. */
  ts: number;
}

/** The keys with which the bridge signs its requests to push services (RFC 8292). One row. */
export interface PushKeyRow {
  id: number;
  /** Uncompressed point, base64url. */
  public_key: string;
  /** Base64url. */
  private_key: string;
  created_ts: number;
}

/** A browser that receives web push. */
export interface PushDeviceRow {
  id: number;
  /** {@link Person.key}. */
  person: string;
  login: string;
  name: string;
  /** At the push service: a secret. */
  endpoint: string;
  /** SHA-256 of the endpoint, base64url. */
  fingerprint: string;
  p256dh: string;
  auth: string;
  created_ts: number;
  /** When its page last confirmed the subscription, by the bridge's own clock. */
  visited_ts: number;
}

/** The message of an open thread on a channel. */
export interface ChannelThreadRow {
  channel: string;
  thread_id: number;
  /** Reference that the channel needs to change the message; empty: it cannot. */
  ref: string;
  /** Rank of the highest priority that was announced. */
  priority: number;
  /** Time, by the bridge's own clock. */
  ts: number;
  /** The response that the message shows: when it was acknowledged, or until when it is snoozed; 0: none. UTC milliseconds. */
  response_ts: number;
}

/** The token of a message that was used. */
export interface UsedActionRow {
  /** SHA-256, base64url. */
  token: string;
  /** Time, by the bridge's own clock. */
  ts: number;
}

/** A kind that the report counts under one number. */
export interface ReportKindRow {
  id: number;
  /** SOURCES in contract/notification.ts. */
  source: string;
  /** Name of the rule of an alert; '': none. */
  rule: string;
  dnp_name: string;
  category: string;
  /** The newest notification. */
  last_id: number;
  last_week: number;
}

/** Sums of a week (weekOf in contract/report.ts): contract/report.ts says what is counted. Kept when notifications are removed. */
export interface ReportWeekRow {
  week: number;
  kind: number;
  notifications: number;
  fired: number;
  flapping: number;
  resolved: number;
  not_acted_on: number;
  acknowledged: number;
  open_ms: number;
  longest_ms: number;
  acknowledge_ms: number;
}

/** An alert that is open, or that was resolved in the last hour. */
export interface ReportSpellRow {
  thread_id: number;
  kind: number;
  opened_ts: number;
  closed_ts: number | null;
}

/** A firing alert of Alertmanager's API (intake/alertmanager). */
export interface OpenAlertRow {
  /** Id of the sender's token, or `open`. */
  owner: string;
  fingerprint: string;
  /** JSON objects of texts. */
  labels: string;
  annotations: string;
  generator_url: string;
  starts_ts: number;
  /** When it resolves without news; later news may be in memory only. */
  ends_ts: number;
  updated_ts: number;
  /** The notification as it was received, JSON of `Incoming`. */
  incoming: string;
}

/** A silence of Alertmanager's API. */
export interface SilenceRow {
  id: string;
  /** JSON list of matchers. */
  matchers: string;
  starts_ts: number;
  ends_ts: number;
  updated_ts: number;
  created_by: string;
  /** The comment. */
  content: string;
}

/** A maintenance window (delivery/suppression). */
export interface MaintenanceWindowRow {
  id: string;
  /** Provisioning file; empty: none. */
  file: string;
  /** JSON of `MaintenanceBody`. */
  content: string;
  created_by: string;
  updated_ts: number;
}

/** An override of a schedule that somebody added. */
export interface ScheduleOverrideRow {
  id: string;
  /** Name of the schedule. */
  schedule: string;
  /** Login. */
  person: string;
  /** As in Override (contract/onCall.ts): in the time zone of the schedule. */
  from_local: string;
  to_local: string;
  /** Empty: unknown. */
  created_by: string;
  created_ts: number;
}

/** Inhibition rules of a provisioning file, as a JSON list. */
export interface InhibitRulesRow {
  file: string;
  rules: string;
}

/** A heartbeat of a provisioning file. */
export interface HeartbeatRow {
  name: string;
  file: string;
  /** JSON: ProvisionedHeartbeat (contract/heartbeat.ts). */
  content: string;
}

/** A mapping of a provisioning file. */
export interface MappingRow {
  name: string;
  file: string;
  /** JSON: Mapping (contract/mapping.ts). */
  content: string;
}

/** A notification whose thread inhibits others while it is open. */
export interface InhibitorRow {
  rule: string;
  /** Values of the labels that must be equal, as JSON. */
  equal_key: string;
  thread_id: number;
  notification_id: number;
  /** 1: it matches the targets of the rule as well. */
  is_target: 0 | 1;
}

/** A thread whose newest notification was not sent to channels. */
export interface SuppressedRow {
  thread_id: number;
  suppressor: Suppressor;
  /** Id of the silence or the rule; of a window, followed by a space and a hash of its content. */
  ref: string;
  reason: string;
  /** The thread that inhibits it, and its notification; 0: none. */
  source_thread: number;
  source_id: number;
  /** As in {@link InhibitorRow}; empty: none, or unknown since it is of an earlier version. */
  equal_key: string;
}

/** A thread that resolves without news. */
export interface AutoResolveRow {
  thread_id: number;
  /** The notification that asked for it. */
  notification_id: number;
  /** By the bridge's own clock. */
  due_ts: number;
  /** As sent, such as 30m. */
  after: string;
}

/** An open thread whose alert was found firing at an Alertmanager. */
export interface FoundAlertRow {
  thread_id: number;
  /** See SilenceBody.alertmanager. */
  alertmanager: string;
}

/** All tables. Backups contain all of them (platform/storage/migrations/index.ts). */
export interface Schema {
  notifications: NotificationRow;
  threads: ThreadRow;
  counts: CountRow;
  receipts: ReceiptRow;
  categories: CategoryRow;
  events: EventRow;
  trash: TrashRow;
  label_sets: LabelSetRow;
  labels: LabelRow;
  series: SeriesRow;
  sender_tokens: SenderTokenRow;
  audit: AuditRow;
  packages: PackageRow;
  package_approvals: PackageApprovalRow;
  package_history: PackageHistoryRow;
  settings: SettingRow;
  settings_history: SettingHistoryRow;
  shipped_off: ShippedOffRow;
  synced_nodes: SyncedNodeRow;
  readers: ReaderRow;
  unread: UnreadRow;
  retention: RetentionRow;
  arrival_marks: ArrivalMarkRow;
  arrivals: ArrivalRow;
  deletions: DeletionRow;
  sources: SourceRow;
  bursts: BurstRow;
  shared_state: SharedStateRow;
  store_backups: StoreBackupRow;
  channel_files: ChannelFileRow;
  outbox: OutboxRow;
  channel_threads: ChannelThreadRow;
  used_actions: UsedActionRow;
  quiet_hours: QuietHoursRow;
  responses: ResponseRow;
  timeline: ActivityRow;
  comment_words: CommentWordRow;
  snoozes: SnoozeRow;
  people: PersonRow;
  push_keys: PushKeyRow;
  push_devices: PushDeviceRow;
  report_kinds: ReportKindRow;
  report_weeks: ReportWeekRow;
  report_spells: ReportSpellRow;
  open_alerts: OpenAlertRow;
  silences: SilenceRow;
  maintenance_windows: MaintenanceWindowRow;
  schedule_overrides: ScheduleOverrideRow;
  inhibit_rules: InhibitRulesRow;
  heartbeats: HeartbeatRow;
  mappings: MappingRow;
  inhibitors: InhibitorRow;
  suppressed: SuppressedRow;
  auto_resolve: AutoResolveRow;
  found_alerts: FoundAlertRow;
}
