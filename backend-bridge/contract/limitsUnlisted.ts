/** Limits that are rarely met, or named by the response itself: not in docs/operate.md. */
import { bytes, characters, days, items, ms } from './limitKinds.ts';

const BUSY = '503 with `Retry-After`';
const SLOW_DOWN = '429 with `Retry-After`';
const OLDEST = 'the oldest are removed';
const REJECTED = 'the file is rejected';
const INVALID = '400, or an error in the file';
const KIB = 1024;
const MIB = 1024 * KIB;

export const UNLISTED = {
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
  facetItems: items(500, 'groups, and packages, with counts', 'the most urgent, with the number of others'),
  facetBytes: bytes(512 * KIB, 'groups, and packages, with counts', 'the most urgent, with the number of others'),

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
  actionDays: days(7, 'an action of a message', '410'),
  channelText: characters(16 * KIB, 'body of a notification in a message, unless the service allows less', 'truncated'),
  templateMemory: characters(512 * KIB, 'texts while a template is rendered', 'the standard text is sent'),
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
