/**
 * Every bound of the bridge in one table: code takes its numbers from here. docs/operate.md lists those
 * that an operator can meet, with these values (`npx vitest run --project integration tests/contract/limits.test.ts -u`).
 */

import { BUSY, bytes, days, INVALID, items, KIB, levels, MIB, ms, OLDEST, pixels, REJECTED } from './limitKinds.ts';
import { UNLISTED } from './limitsUnlisted.ts';

export type { Limit } from './limitKinds.ts';

/** Limits that an operator can meet, by subject; listed in docs/operate.md. */
export const LIMIT_GROUPS = {
  'HTTP requests and responses': {
    connections: items(10_000, 'open connections; fewer if the system allows fewer open files', 'closed at once'),
    bodyBytes: bytes(MIB, 'body of a request', '413'),
    webhookBodyBytes: bytes(16 * MIB, 'body of a webhook or a batch', '413'),
    packageBodyBytes: bytes(4 * MIB, 'body with the files of a package', '413'),
    archiveBodyBytes: bytes(4 * MIB, 'body with archived notifications', '413'),
    bodyDepth: levels(32, 'nested objects and lists of a body', '400; sends and webhooks drop deeper members'),
  },
  Files: {
    fileBytes: bytes(4 * MIB, 'file of a provisioning or package folder', 'an error that names it'),
  },
  'Write queue and store': {
    queuedCalls: items(20_000, 'waiting writes', BUSY),
    queuedBytes: bytes(48 * MIB, 'waiting writes, together', '503 with `Retry-After`; 413 for a larger one'),
    senderCalls: items(10_000, 'waiting writes of one sender, or of one address without a token', BUSY),
    bursts: items(1000, 'bursts of threads that lists can show as one row', 'older ones are not grouped'),
    batchItems: items(1000, 'notifications of one batch', '413; nothing of it is stored'),
    webhookAlerts: items(20_000, 'alerts of one webhook', '413; nothing of it is stored'),
    storeBackups: items(100, 'recorded backups of the store', 'the oldest record is removed; its file is kept'),
    reserveBytes: bytes(24 * MIB, 'disk space kept for deleting while the disk is full', BUSY),
  },
  'Event streams': {
    streams: items(500, 'event streams', BUSY),
    streamsOfPerson: items(20, 'event streams of one person', BUSY),
  },
  'Texts and lists': {
    openAlerts: items(20_000, "firing alerts of Alertmanager's API", '400 for those beyond'),
    openAlertsBytes: bytes(32 * MIB, 'their labels and annotations', '400 for those beyond'),
    openAlertBytes: bytes(64 * KIB, 'labels and annotations of one', 'annotations are truncated; 400 for labels'),
    commentBytes: bytes(4 * KIB, 'a comment, or the reason of an acknowledgement', '400'),
    threadComments: items(200, 'comments on a thread', '409'),
    silenceDays: days(366, 'a silence', '400'),
    snoozeDays: days(366, 'a snooze', '400'),
    resolveAfterDays: days(366, '`resolveAfter` of a notification', 'left out; 400 with `?strict=true`'),
    people: items(1000, 'users of Grafana to whom threads can be assigned', 'those absent longest are removed'),
    listRows: items(1000, 'notifications in one response', '400'),
    keptUnread: items(5000, 'unread notifications kept for one person, at least', 'older ones may count as read'),
    nameBytes: bytes(KIB, 'category, `dnpName` or `correlationId`', 'shortened, with a hash; 400 with `?strict=true`'),
    labels: items(64, 'labels of a notification', 'others are left out; 400 with `?strict=true`'),
    labelNameBytes: bytes(128, 'name of a label', 'left out; 400 with `?strict=true`'),
    labelValueBytes: bytes(KIB, 'value of a label', 'left out; 400 with `?strict=true`'),
    labelSets: items(20_000, 'sets of equal labels that a filter selects', '400'),
    labelValues: items(20_000, 'values of a label that a regular expression is compared with', '400'),
    bodyTextBytes: bytes(64 * KIB, 'body in a response', 'truncated; the whole at `/notifications/{id}/body`'),
    categories: items(5000, 'categories of stored notifications', 'stored as `other`, with a note'),
    packages: items(5000, 'packages of stored notifications', 'stored as `unknown`, in its own thread, with a note'),
  },
  'Senders, webhooks and persons': {
    readers: items(500, 'persons with a read state of their own', 'others share one'),
    newCategoriesPerDay: items(500, 'new categories of one sender in a day (UTC)', 'stored as `other`, with a note'),
    newPackagesPerDay: items(500, 'new packages of one sender in a day (UTC)', 'stored as `unknown`, with a note'),
    newNodesPerDay: items(20, 'new nodes of one sender in a day (UTC), except by token', 'without a node, with a note'),
    viaBridges: items(5, 'bridges through which a notification comes', 'listed as undelivered'),
    nodes: items(500, 'nodes, such as other bridges', 'stored without a node, in its own thread, with a note'),
  },
  'Outgoing requests and backups': {
    backupBytes: bytes(64 * MIB, 'files of one backup of a package', '413'),
    backupFiles: items(10_000, 'files of one backup of a package', '413'),
  },
  Channels: {
    channels: items(100, 'channels of a provisioning file, or of the page', 'the file is rejected; 409'),
    routes: items(200, 'routes of a provisioning file, or of the page', 'the file is rejected; 400'),
    quietHours: items(20, 'quiet hours of a channel or a person', 'the file is rejected, or 400'),
    unacknowledgedDays: days(7, '`unacknowledged`, or `after` of an escalation step', REJECTED),
    escalationSteps: items(20, 'steps of an escalation, and its repeats', 'the file is rejected; 400'),
    onCallLists: items(50, 'schedules, rotations, overrides, or people in one list', 'the file is rejected; 409'),
    calendarBytes: bytes(MIB, 'calendar of a schedule', 'the copy before stays in use'),
    calendarShifts: items(5000, 'shifts of a calendar in the next 180 days', 'the copy before stays in use'),
    channelGiveUpDays: days(30, '`giveUpAfter` of a channel', REJECTED),
    templateTime: ms(100, 'rendering a template', 'the standard text is sent'),
    channelPerMinute: items(30, 'default of `perMinute`; webhooks have none', 'one message that counts them'),
    channelWaiting: items(200_000, 'notifications that wait for a channel', 'the oldest count as undelivered'),
    channelUndelivered: items(10_000, 'undelivered notifications in the list', 'the oldest are removed from the list'),
    windows: items(200, 'maintenance windows that have not expired', 'the file is rejected; 409'),
    inhibitRules: items(200, 'inhibition rules of a provisioning file', REJECTED),
    heartbeats: items(200, 'heartbeats of a provisioning file', REJECTED),
    heartbeatDays: days(31, '`interval` of a heartbeat', REJECTED),
    pushDevices: items(500, 'devices that receive web push', '409'),
    pushDeviceDays: days(180, 'a device on which nobody opens Grafana', 'removed'),
  },
  Icons: {
    iconBytes: bytes(256 * KIB, 'image that the bridge fetches', 'not shown'),
    iconSide: pixels(1024, 'width and height of an image', 'not shown'),
  },
  Retention: {
    undoTime: ms(30_000, 'undo of a deletion', 'deleted for good'),
    keptEvents: items(20_000, 'events in the journal', OLDEST),
    keptSettingChanges: items(10_000, 'changes of settings in the history', OLDEST),
    keptPackageHistory: items(50, 'entries in the history of one package', OLDEST),
    keptApprovals: items(50, 'accepted disclaimers of one package', OLDEST),
    idempotencyKeyDays: days(1, 'an `Idempotency-Key`', 'a repeat is stored again'),
    webhookReceiptDays: days(30, 'the key of an alert, since it was last repeated', 'a repeat is stored again'),
    receiptsPerSender: items(100_000, 'keys of one sender and kind of request', OLDEST),
    readerDays: days(90, 'read state of a person who does not visit', 'removed'),
    revokedTokenDays: days(90, 'a revoked sender token in the list', 'removed, unless provisioned'),
    auditEntries: items(100_000, 'entries of the audit log', OLDEST),
    auditDays: days(400, 'age of an entry of the audit log', 'removed'),
    tokenGraceDays: days(30, 'grace period of a rotated token', '400'),
    retentionRules: items(50, 'rules of retention', INVALID),
    retentionAgeDays: days(3650, 'age in a rule of retention', INVALID),
  },
};

/** All limits by name. */
export const LIMITS = {
  ...LIMIT_GROUPS['HTTP requests and responses'],
  ...LIMIT_GROUPS.Files,
  ...LIMIT_GROUPS['Write queue and store'],
  ...LIMIT_GROUPS['Event streams'],
  ...LIMIT_GROUPS['Texts and lists'],
  ...LIMIT_GROUPS['Senders, webhooks and persons'],
  ...LIMIT_GROUPS['Outgoing requests and backups'],
  ...LIMIT_GROUPS.Channels,
  ...LIMIT_GROUPS.Icons,
  ...LIMIT_GROUPS.Retention,
  ...UNLISTED,
};
