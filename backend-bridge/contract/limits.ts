/**
 * Every bound of the bridge in one table: code takes its numbers from here. docs/operate.md lists those
 * that an operator can meet, with these values (`npx vitest run --project integration tests/contract/limits.test.ts -u`).
 */

import { bytes, characters, days, items, levels, type Limit, ms, pixels } from './limitKinds.ts';

export type { Limit };

const KIB = 1024;
const MIB = 1024 * KIB;

const BUSY = '503 with `Retry-After`';
const SLOW_DOWN = '429 with `Retry-After`';
const OLDEST = 'the oldest are removed';
const REJECTED = 'the file is rejected';
const INVALID = '400, or an error in the file';

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
    onCallLists: items(50, 'schedules, rotations, overrides, or people in one list', REJECTED),
    channelGiveUpDays: days(30, '`giveUpAfter` of a channel', REJECTED),
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

/** Not in docs/operate.md: rarely met, or named by the response itself. */
const UNLISTED = {
  // HTTP requests and responses
  headersTime: ms(10_000, 'receiving the headers of a request', '408'),
  requestTime: ms(30_000, 'receiving a request', '408'),
  headerBytes: bytes(16 * KIB, 'headers of a request', '400'),
  bodyElements: items(100_000, 'objects, lists and their members in a body', '413'),
  webhookBodyElements: items(500_000, 'objects, lists and their members in the body of a webhook or a batch', '413'),
  batchListed: items(1000, 'errors and changes listed in the response to a batch', 'not listed'),
  alertLabels: items(1000, 'labels, or annotations, of an alert or of a group of alerts', '400'),
  smallBodyHeap: bytes(512 * KIB, 'estimated heap use of a small body', 'it counts as large'),
  smallBodiesHeap: bytes(48 * MIB, 'estimated heap use of all small bodies in progress', BUSY),
  largeBodiesHeap: bytes(128 * MIB, 'estimated heap use of all large bodies in progress', BUSY),
  problemErrors: items(20, 'errors listed in a problem document', '`moreErrors` counts them'),
  countedErrors: items(1000, 'errors collected from one request', 'validation stops'),
  problemText: characters(500, 'each text of a listed error', 'truncated, with `…`'),
  problemDetail: characters(1000, '`detail` of a problem document', 'truncated, with `…`'),
  responseStall: ms(30_000, 'time in which a client reads nothing of a response', 'the connection is closed'),
  unreadResponses: bytes(48 * MIB, 'responses that clients have not read yet', 'the slowest connection is closed'),
  readBytes: bytes(64 * MIB, 'responses to reads that are in progress or unread, at their largest', 'the read waits'),
  readBytesOfOne: bytes(32 * MIB, 'responses to reads of one person, sender or address', 'the read waits'),
  waitingReads: items(1000, 'reads that wait', BUSY),
  waitingReadsOfOne: items(100, 'reads of one person, sender or address that wait', BUSY),
  pipelinedRequests: items(100, 'requests of a connection that wait for the one before', 'the connection is closed'),

  // Write queue and store
  senderBytes: bytes(24 * MIB, 'waiting writes of one sender, together; a single one may be larger', BUSY),
  batchBytes: bytes(4 * MIB, 'writes of one transaction', 'another transaction'),
  sliceBytes: bytes(MIB, 'notifications of a webhook or a batch that one transaction stores', 'another transaction'),
  sliceItems: items(500, 'notifications of a webhook or a batch that one transaction stores', 'another transaction'),
  readingThreads: items(1, 'threads that read an SQLite database', 'reads wait'),
  readingHeap: bytes(128 * MIB, 'heap of a reading thread', 'it is restarted; its read gets 503 with `Retry-After`'),
  readingIdle: ms(300_000, 'time without a read', 'the reading thread ends; the next read starts it again'),
  writerRestarts: items(5, 'restarts of the writer in a row', 'the process exits with 1'),
  sliceRows: items(250, 'notifications that one transaction marks, deletes, restores or purges', 'another transaction'),

  // Event streams
  streamsUnidentified: items(250, 'event streams of anonymous visitors and clients without an identity', BUSY),
  streamUnread: bytes(MIB, 'unread events of one stream', 'the stream is ended; the client resumes'),
  streamsUnread: bytes(32 * MIB, 'unread events of all streams', 'the slowest stream is ended; the client resumes'),
  streamStalled: ms(30_000, 'time in which a stream reads no unread events', 'it is ended; the client resumes'),
  streamReplay: items(1000, 'events replayed to a stream that resumes', 'event `reset`'),
  streamLag: items(10_000, 'events by which all streams may lag behind', 'event `reset`'),
  streamBatch: items(50, 'events sent at once', 'sent in several batches'),
  streamBatchBytes: bytes(256 * KIB, 'events sent at once', 'sent in several batches'),
  eventBytes: bytes(128 * KIB, 'one event', 'event `reset` in its place'),
  eventTextBytes: bytes(KIB, 'title, body and errors in an event, each', 'truncated, with `bodyTruncated`'),
  chainEventNodes: items(50, 'nodes in an event `chain`', 'several events'),

  // Texts and lists
  silences: items(500, 'active silences of an Alertmanager', 'those that end last are shown'),
  alertmanagers: items(20, 'Alertmanagers whose silences are read', 'not read'),
  matchers: items(100, 'matchers of a silence', '400'),
  windowNameBytes: bytes(200, 'name of a maintenance window', '400'),
  keptWindowDays: days(5, 'an expired maintenance window in lists', 'removed'),
  matcherBytes: bytes(4 * KIB, 'name or value of a matcher', '400'),
  matcherInstructions: items(10_000, 'instructions of the compiled regular expression of a matcher', '400'),
  threadActivities: items(200, 'actions in the timeline of a thread, without comments', OLDEST),
  readerSnoozes: items(1000, 'snoozed threads of a person, or for all', '409'),
  returnedDays: days(7, 'time at the top of lists after a snooze', 'listed by time'),
  returnedThreads: items(100, 'threads at the top of a list after their snooze', 'listed by time'),
  commentMatches: items(1000, 'threads that a search finds by their comments', 'others are not found'),
  dappnodeListBytes: bytes(16 * MIB, "notifications in a response to DAppNode's manager", 'the newest are served'),
  dappnodeListRows: items(2000, "notifications in a response to DAppNode's manager", 'the newest are served'),
  searchCharacters: characters(500, 'search text', '400'),
  matchersCharacters: characters(4000, 'matchers of a filter', '400'),
  listedLabels: items(100, 'names or values of labels in one response', '`more`'),
  titleBytes: bytes(KIB, 'title in a response', 'truncated; the whole at `/notifications/{id}/title`'),
  errorsBytes: bytes(64 * KIB, '`errors` in a response', 'truncated; the whole at `/notifications/{id}/errors`'),
  linkBytes: bytes(8 * KIB, '`callToAction.url`', 'omitted, with a note; 400 with `?strict=true`'),
  linkTitleBytes: bytes(KIB, '`callToAction.title`', 'truncated; 400 with `?strict=true`'),
  iconAddressBytes: bytes(2 * KIB, '`icon`, the address of an image', 'omitted, with a note; 400 with `?strict=true`'),
  listedChanges: items(20, 'changes listed for a notification (`ignored`) or a webhook (`notes`)', 'not listed'),
  extraBytes: bytes(64 * KIB, 'other members of a notification, as JSON', 'the largest are omitted, with a note'),
  listBytes: bytes(4 * MIB, 'notifications in a response, as JSON', 'next page (`Link`); of a thread, the newest'),
  threadMembers: items(200, 'members of a thread in one response', 'the newest are served'),
  facetItems: items(500, 'categories, and packages, with counts', 'the most urgent, with the number of others'),
  facetBytes: bytes(512 * KIB, 'categories, and packages, with counts', 'the most urgent, with the number of others'),

  // Senders, webhooks and persons
  rateLimitedSenders: items(10_000, 'senders whose rate is tracked', 'the one silent longest is forgotten'),
  rememberedAlerts: items(10_000, 'firing alerts whose start is remembered', 'removed from the sender with the most'),
  clockSkew: ms(300_000, 'time by which an alert may be in the future', 'the time of receipt counts'),
  lateResolveDays: days(1, 'age of the `endsAt` of a late resolve', 'the resolve is stored'),
  visitors: items(2000, 'persons whose read state is cached', 'read again from the database'),

  // Outgoing requests and backups
  nodeResponseBytes: bytes(MIB, 'response of a node', 'the node has an error'),
  grafanaResponseBytes: bytes(64 * MIB, 'response of Grafana, such as all alert rules', 'pending, with the reason'),
  prometheusResponseBytes: bytes(4 * MIB, 'response of Prometheus', 'no history'),
  fetchedManifestBytes: bytes(MIB, 'manifest that is fetched', '400'),

  // Channels
  routeNames: items(200, 'names in one list of a route', REJECTED),
  channelRecipients: items(50, 'recipients of a channel of type email', REJECTED),
  quietPersons: items(10_000, 'persons with quiet hours of their own', '409'),
  cachedRoutings: items(1000, 'kinds of notifications whose routes are cached', 'matched again'),
  deliveryDays: days(30, 'deliveries in the details of a notification', 'removed'),
  channelText: characters(16 * KIB, 'body of a notification in a message, unless the service allows less', 'truncated'),
  batchRows: items(200, 'notifications in one request of another bridge', '400'),
  forwardedBytes: bytes(MIB, 'texts in one request to another bridge; a single one may be larger', 'the next request'),
  batchReason: characters(200, 'reason why a notification of another bridge is rejected', 'truncated'),
  channelRetryAfter: ms(3_600_000, '`Retry-After` of another bridge', 'an hour'),
  heartbeatInterval: ms(60_000, 'least `interval` of a heartbeat', REJECTED),
  channelChats: items(50, 'chats of a bot that are found', 'the oldest are omitted'),
  channelTime: ms(15_000, 'sending one message', 'retried'),
  channelResponseBytes: bytes(64 * KIB, 'response of a channel', 'retried'),
  pushDevicesOfPerson: items(20, 'devices of one person', '409'),
  pushDeviceName: characters(100, 'name of a device', '400'),
  pushEndpoint: characters(2048, 'endpoint of a device', '400'),
  pushBytes: bytes(4096, 'encrypted message of web push', 'its text is truncated'),
  pushClosed: items(50, 'notifications that one message closes on a device', 'they stay open'),

  // Icons
  iconFetchTime: ms(5000, 'fetching one image, redirects included', 'not shown'),
  iconFetches: items(8, 'images fetched at the same time', SLOW_DOWN),
  iconFetchesOfHost: items(2, 'images fetched from one host at the same time', SLOW_DOWN),
  iconRate: items(20, 'images fetched in a second; bursts of ten seconds', SLOW_DOWN),
  iconRateOfHost: items(5, 'images fetched from one host in a second; bursts of ten seconds', SLOW_DOWN),
  iconCache: bytes(16 * MIB, 'images in memory', 'the least recently used is removed'),
  iconCacheEntries: items(2000, 'addresses whose result is in memory', 'the least recently used is removed'),
  iconTtl: days(1, 'time for which an image is cached', 'fetched again'),
  iconRetryTime: ms(5 * 60_000, 'time before an image is requested again after a failure', 'requested again'),
  pageIconRequests: items(2, 'images that a page requests at the same time', 'the request waits'),
  pageIcons: items(100, 'images that a page keeps beside those in view', 'requested again'),

  // Retention
  reportWeeks: items(106, 'weeks of the report', OLDEST),
  reportKinds: items(5000, 'combinations of source, rule, package and category', 'counted by source only'),
  reportWeeksAtOnce: items(53, 'weeks in one response of the report', '400'),
  reportRows: items(1000, 'rows in one response of the report', '400'),
  revokedProvisionedTokens: items(1000, 'revoked tokens of provisioned senders', 'the oldest becomes an unknown token'),
  auditValue: characters(8 * KIB, 'a value in the audit log, as JSON', 'its beginning is kept as `truncated`'),
  auditObject: characters(2000, 'name of an object in the audit log', 'truncated'),
  cleanedRows: items(2000, 'rows removed by one cleaning step', 'the next step, a minute later'),
  cleanedReaders: items(10, 'read states removed by one cleaning step', 'the next step'),
  freePages: items(1000, 'free pages of the database file kept for reuse', 'the file shrinks'),
  releasedPages: items(250, 'pages released by one step, every 10 s', 'the next step'),
  retentionNames: items(200, 'categories that one rule of retention names', INVALID),
  retentionPreviewRows: items(1_000_000, 'notifications that a preview of retention reads', 'the oldest are read'),
  arrivalMarks: items(90_000, 'hours of arrival, for the ages of notifications', OLDEST),
  archiveFileBytes: bytes(8 * MIB, 'one archive file of removed notifications', 'another file'),
  archivedRows: items(250, 'archived notifications imported by one request', '400'),
  importPauseDays: days(7, 'pause of retention after an import of archives', 'retention continues'),

  // Replicas
  unknownTokens: items(1000, 'unknown tokens that are not looked up again for a second', 'looked up again'),
  sharedEntries: items(200, 'states that the leader writes at once', 'the next write'),
  sharedEntryBytes: bytes(4 * MIB, 'one state that the leader shares', 'other replicas keep the one before'),
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
