/**
 * Every bound of the bridge in one table: code takes its numbers from here, and `docs/limits.md` is generated from it
 * (`npx vitest run tests/contract/limits.test.ts -u`).
 */

/** A limit as in docs/limits.md. */
export interface Limit {
  value: number;
  unit: 'bytes' | 'characters' | 'pixels' | 'items' | 'levels' | 'ms' | 'days';
  /** What is bounded. */
  of: string;
  /** What happens beyond it. */
  beyond: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Requests and responses. */
const HTTP = {
  connections: {
    value: 10_000,
    unit: 'items',
    of: 'open connections; fewer where the system allows fewer open files',
    beyond: 'closed at once',
  },
  headersTime: { value: 10_000, unit: 'ms', of: 'receiving the headers of a request', beyond: '408' },
  requestTime: { value: 30_000, unit: 'ms', of: 'receiving a request', beyond: '408' },
  headerBytes: { value: 16 * KIB, unit: 'bytes', of: 'headers of a request', beyond: '400' },
  bodyBytes: { value: MIB, unit: 'bytes', of: 'body of a request', beyond: '413' },
  webhookBodyBytes: { value: 16 * MIB, unit: 'bytes', of: 'body of a webhook', beyond: '413' },
  packageBodyBytes: { value: 4 * MIB, unit: 'bytes', of: 'body with the files of a package', beyond: '413' },
  archiveBodyBytes: { value: 4 * MIB, unit: 'bytes', of: 'body with archived notifications', beyond: '413' },
  bodyDepth: {
    value: 32,
    unit: 'levels',
    of: 'nested objects and lists of a body',
    beyond: '400; a send or webhook drops what is deeper',
  },
  bodyElements: { value: 100_000, unit: 'items', of: 'objects, lists and their members in a body', beyond: '413' },
  webhookBodyElements: {
    value: 500_000,
    unit: 'items',
    of: 'objects, lists and their members in the body of a webhook',
    beyond: '413',
  },
  alertLabels: {
    value: 1000,
    unit: 'items',
    of: 'labels, or annotations, of an alert or of a group of alerts',
    beyond: '400',
  },
  smallBodyHeap: {
    value: 512 * KIB,
    unit: 'bytes',
    of: 'estimated heap use of a body that counts as small',
    beyond: 'it counts as large',
  },
  smallBodiesHeap: {
    value: 48 * MIB,
    unit: 'bytes',
    of: 'estimated heap use of all small bodies that are being read or processed',
    beyond: '503 with `Retry-After`',
  },
  largeBodiesHeap: {
    value: 128 * MIB,
    unit: 'bytes',
    of: 'estimated heap use of all large bodies that are being read or processed',
    beyond: '503 with `Retry-After`',
  },
  problemErrors: {
    value: 20,
    unit: 'items',
    of: 'errors listed in a problem document',
    beyond: '`moreErrors` counts them',
  },
  countedErrors: { value: 1000, unit: 'items', of: 'errors collected from one request', beyond: 'validation stops' },
  problemText: { value: 500, unit: 'characters', of: 'each text of a listed error', beyond: 'truncated, with `…`' },
  problemDetail: {
    value: 1000,
    unit: 'characters',
    of: '`detail` of a problem document',
    beyond: 'truncated, with `…`',
  },
  responseStall: {
    value: 30_000,
    unit: 'ms',
    of: 'time for a client to read a response, or the next part of a streamed one',
    beyond: 'the connection is closed',
  },
  unreadResponses: {
    value: 48 * MIB,
    unit: 'bytes',
    of: 'responses that clients have not read yet',
    beyond: 'the connection that has waited longest is closed',
  },
  readBytes: {
    value: 64 * MIB,
    unit: 'bytes',
    of: 'responses to reads that are being made, at their largest, or that clients have not read yet',
    beyond: 'the read waits',
  },
  readBytesOfOne: {
    value: 32 * MIB,
    unit: 'bytes',
    of: 'the same of one person, sender or address',
    beyond: 'the read waits',
  },
  waitingReads: { value: 1000, unit: 'items', of: 'reads that wait', beyond: '503 with `Retry-After`' },
  waitingReadsOfOne: {
    value: 100,
    unit: 'items',
    of: 'reads of one person, sender or address that wait',
    beyond: '503 with `Retry-After`',
  },
  pipelinedRequests: {
    value: 100,
    unit: 'items',
    of: 'requests of a connection that wait for the one before them',
    beyond: 'the connection is closed',
  },
} as const satisfies Record<string, Limit>;

/** Files that an operator names. */
const FILES = {
  fileBytes: {
    value: 4 * MIB,
    unit: 'bytes',
    of: 'file of a provisioning or package folder',
    beyond: 'an error that names it',
  },
} as const satisfies Record<string, Limit>;

/** The write queue and the store. */
const WRITES = {
  queuedCalls: { value: 20_000, unit: 'items', of: 'writes that wait', beyond: '503 with `Retry-After`' },
  queuedBytes: {
    value: 48 * MIB,
    unit: 'bytes',
    of: 'writes that wait, together',
    beyond: '503 with `Retry-After`; 413 for one that is larger by itself',
  },
  senderCalls: {
    value: 10_000,
    unit: 'items',
    of: 'waiting writes of one sender (a token, or an address without one)',
    beyond: '503 with `Retry-After`, while those of others are accepted',
  },
  senderBytes: {
    value: 24 * MIB,
    unit: 'bytes',
    of: 'waiting writes of one sender, together; one by itself is accepted up to the limit of all',
    beyond: '503 with `Retry-After`, while those of others are accepted',
  },
  bursts: {
    value: 1000,
    unit: 'items',
    of: 'bursts of threads that lists can show as one row',
    beyond: 'the threads of the oldest are rows of their own',
  },
  batchBytes: { value: 4 * MIB, unit: 'bytes', of: 'writes of one transaction', beyond: 'the next transaction' },
  sliceBytes: {
    value: MIB,
    unit: 'bytes',
    of: 'notifications of a webhook or a batch that one transaction stores',
    beyond: 'another transaction; other sends pass in between',
  },
  sliceItems: {
    value: 500,
    unit: 'items',
    of: 'notifications of a webhook or a batch that one transaction stores',
    beyond: 'another transaction; other sends pass in between',
  },
  webhookAlerts: {
    value: 20_000,
    unit: 'items',
    of: 'alerts of one webhook',
    beyond: '413; nothing of it is stored',
  },
  storeBackups: {
    value: 100,
    unit: 'items',
    of: 'recorded backups of the store',
    beyond: 'the oldest record is removed; its file stays',
  },
  reserveBytes: {
    value: 24 * MIB,
    unit: 'bytes',
    of: 'disk space kept for deleting while the disk is full',
    beyond: '503 with `Retry-After`',
  },
  writerRestarts: {
    value: 5,
    unit: 'items',
    of: 'restarts of the writer in a row',
    beyond: 'the process exits with 1',
  },
  readingThreads: { value: 1, unit: 'items', of: 'threads that read an SQLite database', beyond: 'reads wait' },
  readingHeap: {
    value: 128 * MIB,
    unit: 'bytes',
    of: 'heap of a reading thread',
    beyond: 'the thread is restarted, and its read gets 503 with `Retry-After`',
  },
  readingIdle: {
    value: 300_000,
    unit: 'ms',
    of: 'time without a read',
    beyond: 'the reading thread ends; the next read starts it again',
  },
  sliceRows: {
    value: 250,
    unit: 'items',
    of: 'notifications that one transaction marks, deletes, restores or purges',
    beyond: 'another transaction; sends pass in between',
  },
} as const satisfies Record<string, Limit>;

/** Event streams. */
const STREAMS = {
  streams: { value: 500, unit: 'items', of: 'event streams', beyond: '503 with `Retry-After`' },
  streamsOfPerson: { value: 20, unit: 'items', of: 'event streams of one person', beyond: '503 with `Retry-After`' },
  streamsUnidentified: {
    value: 250,
    unit: 'items',
    of: 'event streams of anonymous visitors and of clients without an identity, together',
    beyond: '503 with `Retry-After`',
  },
  streamUnread: {
    value: MIB,
    unit: 'bytes',
    of: 'unread events of one stream',
    beyond: 'the stream is ended; the client resumes',
  },
  streamsUnread: {
    value: 32 * MIB,
    unit: 'bytes',
    of: 'unread events of all streams',
    beyond: 'the stream with most unread is ended; the client resumes',
  },
  streamStalled: {
    value: 30_000,
    unit: 'ms',
    of: 'time in which a stream with unread events reads nothing',
    beyond: 'the stream is ended; the client resumes',
  },
  streamReplay: { value: 1000, unit: 'items', of: 'events replayed to a stream that resumes', beyond: 'event `reset`' },
  streamLag: {
    value: 10_000,
    unit: 'items',
    of: 'events by which all streams may lag behind',
    beyond: 'event `reset`',
  },
  streamBatch: { value: 50, unit: 'items', of: 'events sent at once', beyond: 'sent in several batches' },
  streamBatchBytes: { value: 256 * KIB, unit: 'bytes', of: 'events sent at once', beyond: 'sent in several batches' },
  eventBytes: { value: 128 * KIB, unit: 'bytes', of: 'one event', beyond: 'event `reset` in its place' },
  eventTextBytes: {
    value: KIB,
    unit: 'bytes',
    of: 'title, body and errors of a notification in an event, each',
    beyond: 'truncated, and marked `bodyTruncated`',
  },
  chainEventNodes: { value: 50, unit: 'items', of: 'nodes in one event `chain`', beyond: 'several events' },
} as const satisfies Record<string, Limit>;

/** Texts and lists of notifications. */
const NOTIFICATIONS = {
  commentBytes: { value: 4 * KIB, unit: 'bytes', of: 'a comment, or the reason of an acknowledgement', beyond: '400' },
  threadComments: { value: 200, unit: 'items', of: 'comments on a thread', beyond: '409' },
  silences: {
    value: 500,
    unit: 'items',
    of: 'active silences of an Alertmanager',
    beyond: 'those that end first are not shown',
  },
  alertmanagers: { value: 20, unit: 'items', of: 'Alertmanagers whose silences are read', beyond: 'not read' },
  silenceDays: { value: 366, unit: 'days', of: 'a silence', beyond: '400' },
  matchers: { value: 100, unit: 'items', of: 'matchers of a silence', beyond: '400' },
  matcherBytes: { value: 4 * KIB, unit: 'bytes', of: 'name or value of a matcher', beyond: '400' },
  threadActivities: {
    value: 200,
    unit: 'items',
    of: 'acts in the timeline of a thread, besides comments',
    beyond: 'the oldest are removed',
  },
  snoozeDays: { value: 366, unit: 'days', of: 'a snooze', beyond: '400' },
  readerSnoozes: { value: 1000, unit: 'items', of: 'snoozed threads of a person, or of all', beyond: '409' },
  returnedDays: {
    value: 7,
    unit: 'days',
    of: 'a thread on top of lists after its snooze',
    beyond: 'it is listed by time',
  },
  returnedThreads: {
    value: 100,
    unit: 'items',
    of: 'threads whose snooze has ended, on top of a list',
    beyond: 'they are listed by time',
  },
  commentMatches: {
    value: 1000,
    unit: 'items',
    of: 'threads that a search finds by their comments',
    beyond: 'more are not found by them',
  },
  people: {
    value: 1000,
    unit: 'items',
    of: 'users of Grafana to whom threads can be assigned',
    beyond: 'those who have not come for the longest are removed',
  },
  listRows: { value: 1000, unit: 'items', of: 'notifications in one response', beyond: '400' },
  dappnodeListBytes: {
    value: 16 * MIB,
    unit: 'bytes',
    of: "notifications in a response to DAppNode's manager, as JSON",
    beyond: 'the newest are served',
  },
  dappnodeListRows: {
    value: 2000,
    unit: 'items',
    of: "notifications in a response to DAppNode's manager, which requests them without pages",
    beyond: 'the newest are served',
  },
  searchCharacters: { value: 500, unit: 'characters', of: 'search text', beyond: '400' },
  keptUnread: {
    value: 5000,
    unit: 'items',
    of: 'unread notifications that are kept for one person, at least',
    beyond: 'older ones may count as read',
  },
  nameBytes: {
    value: KIB,
    unit: 'bytes',
    of: 'category, package (`dnpName`) or `correlationId`, in UTF-8',
    beyond: 'shortened, with a hash of the whole; 400 with `?strict=true`',
  },
  titleBytes: {
    value: KIB,
    unit: 'bytes',
    of: 'title in a response',
    beyond: 'truncated, with `titleTruncated`; the whole at `/notifications/{id}/title`',
  },
  bodyTextBytes: {
    value: 64 * KIB,
    unit: 'bytes',
    of: 'body of a notification in a response',
    beyond: 'truncated, with `bodyTruncated`; the whole at `/notifications/{id}/body`',
  },
  errorsBytes: {
    value: 64 * KIB,
    unit: 'bytes',
    of: '`errors` in a response',
    beyond: 'truncated, with `errorsTruncated`; the whole at `/notifications/{id}/errors`',
  },
  linkBytes: {
    value: 8 * KIB,
    unit: 'bytes',
    of: '`callToAction.url`',
    beyond: 'left out, with a note; 400 with `?strict=true`',
  },
  linkTitleBytes: {
    value: KIB,
    unit: 'bytes',
    of: '`callToAction.title`',
    beyond: 'truncated; 400 with `?strict=true`',
  },
  iconAddressBytes: {
    value: 2 * KIB,
    unit: 'bytes',
    of: '`icon`, the address of an image',
    beyond: 'left out, with a note; 400 with `?strict=true`',
  },
  listedChanges: {
    value: 20,
    unit: 'items',
    of: 'changes listed for a notification (`ignored`) or a webhook (`notes`)',
    beyond: 'not listed',
  },
  extraBytes: {
    value: 64 * KIB,
    unit: 'bytes',
    of: 'other members that are kept with a notification, as JSON',
    beyond: 'the largest are left out, with a note',
  },
  listBytes: {
    value: 4 * MIB,
    unit: 'bytes',
    of: 'notifications in one response, as JSON',
    beyond: 'continues on the next page (`Link`); of a thread, the newest are served',
  },
  threadMembers: {
    value: 200,
    unit: 'items',
    of: 'members of a thread in one response',
    beyond: 'the newest are served',
  },
  facetItems: {
    value: 500,
    unit: 'items',
    of: 'categories, and packages, with their counts in one response',
    beyond: 'the most urgent are served, with the number of the others',
  },
  facetBytes: {
    value: 512 * KIB,
    unit: 'bytes',
    of: 'categories, and packages, with their counts in one response, as JSON',
    beyond: 'the most urgent are served, with the number of the others',
  },
  categories: {
    value: 5000,
    unit: 'items',
    of: 'categories of stored notifications',
    beyond: 'a new one is stored as `other`, with a note',
  },
  packages: {
    value: 5000,
    unit: 'items',
    of: 'packages of stored notifications',
    beyond: 'a new one is stored as `unknown`, in a thread of its own, with a note',
  },
} as const satisfies Record<string, Limit>;

/** Senders, webhooks and persons. */
const SENDERS = {
  rateLimitedSenders: {
    value: 10_000,
    unit: 'items',
    of: 'senders whose rate is tracked',
    beyond: 'the one silent longest starts afresh',
  },
  rememberedAlerts: {
    value: 10_000,
    unit: 'items',
    of: 'firing alerts whose start is remembered, to recognise late resolves',
    beyond: 'the sender with the most loses its oldest',
  },
  clockSkew: {
    value: 300_000,
    unit: 'ms',
    of: '`startsAt` and `endsAt` of an alert in the future',
    beyond: 'the time of receipt counts',
  },
  lateResolveDays: {
    value: 1,
    unit: 'days',
    of: 'age of the `endsAt` of a late resolve',
    beyond: 'the resolve is stored',
  },
  readers: {
    value: 500,
    unit: 'items',
    of: 'persons with a read state of their own',
    beyond: 'one more has the shared state',
  },
  visitors: {
    value: 2000,
    unit: 'items',
    of: 'persons whose read state is cached',
    beyond: 'the one absent longest is looked up again',
  },
  newCategoriesPerDay: {
    value: 500,
    unit: 'items',
    of: 'new categories of one sender in a day (UTC)',
    beyond: 'stored as `other`, with a note',
  },
  newPackagesPerDay: {
    value: 500,
    unit: 'items',
    of: 'new packages of one sender in a day (UTC)',
    beyond: 'stored as `unknown`, in a thread of its own, with a note',
  },
  newNodesPerDay: {
    value: 20,
    unit: 'items',
    of: 'new nodes of one sender in a day (UTC); those of tokens do not count',
    beyond: 'stored without a node, in a thread of its own, with a note',
  },
  nodes: {
    value: 500,
    unit: 'items',
    of: 'nodes, such as other bridges that send',
    beyond: 'stored without a node, in a thread of its own, with a note',
  },
} as const satisfies Record<string, Limit>;

/** Responses that the bridge receives, and backups of packages. */
const OUTBOUND = {
  nodeResponseBytes: { value: MIB, unit: 'bytes', of: 'response of a node', beyond: 'the node has an error' },
  grafanaResponseBytes: {
    value: 64 * MIB,
    unit: 'bytes',
    of: 'response of Grafana, such as the list of all alert rules',
    beyond: 'pending, with the reason',
  },
  prometheusResponseBytes: { value: 4 * MIB, unit: 'bytes', of: 'response of Prometheus', beyond: 'no history' },
  fetchedManifestBytes: { value: MIB, unit: 'bytes', of: 'manifest that is fetched', beyond: '400' },
  backupBytes: { value: 64 * MIB, unit: 'bytes', of: 'files of one backup of a package', beyond: '413' },
  backupFiles: { value: 10_000, unit: 'items', of: 'files of one backup of a package', beyond: '413' },
} as const satisfies Record<string, Limit>;

/** Channels, which carry notifications out of the inbox. */
const CHANNELS = {
  channels: {
    value: 100,
    unit: 'items',
    of: 'channels of a provisioning file, or of the page',
    beyond: 'the file is rejected; 409',
  },
  routes: {
    value: 200,
    unit: 'items',
    of: 'routes of a provisioning file, or of the page',
    beyond: 'the file is rejected; 400',
  },
  routeNames: { value: 200, unit: 'items', of: 'names in one list of a route', beyond: 'the file is rejected' },
  channelRecipients: {
    value: 50,
    unit: 'items',
    of: 'recipients of a channel of type email',
    beyond: 'the file is rejected',
  },
  quietHours: {
    value: 20,
    unit: 'items',
    of: 'quiet hours of a channel or a person',
    beyond: 'the file is rejected, or 400',
  },
  quietPersons: { value: 10_000, unit: 'items', of: 'persons with quiet hours of their own', beyond: '409' },
  unacknowledgedDays: { value: 7, unit: 'days', of: '`unacknowledged` of a route', beyond: 'the file is rejected' },
  channelGiveUpDays: { value: 30, unit: 'days', of: '`giveUpAfter` of a channel', beyond: 'the file is rejected' },
  channelPerMinute: {
    value: 30,
    unit: 'items',
    of: 'messages of a channel in a minute, without `perMinute`; none for a webhook',
    beyond: 'one message that counts them',
  },
  channelWaiting: {
    value: 200_000,
    unit: 'items',
    of: 'notifications that wait for a channel',
    beyond: 'the oldest count as undelivered',
  },
  viaBridges: {
    value: 5,
    unit: 'items',
    of: 'bridges through which a notification comes',
    beyond: 'listed as undelivered',
  },
  cachedRoutings: {
    value: 1000,
    unit: 'items',
    of: 'kinds of notifications whose routes are cached',
    beyond: 'compared with the routes again',
  },
  channelUndelivered: {
    value: 10_000,
    unit: 'items',
    of: 'undelivered notifications that are listed',
    beyond: 'the oldest are removed from the list',
  },
  deliveryDays: { value: 30, unit: 'days', of: 'deliveries in the details of a notification', beyond: 'removed' },
  channelText: {
    value: 16 * KIB,
    unit: 'characters',
    of: 'body of a notification in a message; a kind of channel may have less',
    beyond: 'truncated',
  },
  batchRows: { value: 200, unit: 'items', of: 'notifications in one request of another bridge', beyond: '400' },
  forwardedBytes: {
    value: MIB,
    unit: 'bytes',
    of: 'texts that are sent to another bridge in one request; one notification may be longer',
    beyond: 'the next request',
  },
  batchReason: {
    value: 200,
    unit: 'characters',
    of: 'reason why one notification of another bridge is rejected',
    beyond: 'truncated',
  },
  channelRetryAfter: {
    value: 3_600_000,
    unit: 'ms',
    of: '`Retry-After` of another bridge',
    beyond: 'an hour',
  },
  heartbeats: { value: 200, unit: 'items', of: 'heartbeats of a provisioning file', beyond: 'the file is rejected' },
  heartbeatInterval: {
    value: 60_000,
    unit: 'ms',
    of: 'least `interval` of a heartbeat',
    beyond: 'the file is rejected',
  },
  heartbeatDays: { value: 31, unit: 'days', of: '`interval` of a heartbeat', beyond: 'the file is rejected' },
  channelChats: { value: 50, unit: 'items', of: 'chats of a bot that are found', beyond: 'the oldest are left out' },
  channelTime: { value: 15_000, unit: 'ms', of: 'sending one message', beyond: 'retried' },
  channelResponseBytes: { value: 64 * KIB, unit: 'bytes', of: 'response of a channel', beyond: 'retried' },
  pushDevices: { value: 500, unit: 'items', of: 'devices that receive web push', beyond: '409' },
  pushDevicesOfPerson: { value: 20, unit: 'items', of: 'devices of one person', beyond: '409' },
  pushDeviceName: { value: 100, unit: 'characters', of: 'name of a device', beyond: '400' },
  pushEndpoint: { value: 2048, unit: 'characters', of: 'endpoint of a device', beyond: '400' },
  pushDeviceDays: {
    value: 180,
    unit: 'days',
    of: 'a device on which nobody opens Grafana',
    beyond: 'it is removed',
  },
  pushBytes: { value: 4096, unit: 'bytes', of: 'encrypted message of web push', beyond: 'its text is truncated' },
  pushClosed: {
    value: 50,
    unit: 'items',
    of: 'notifications that one message closes on a device',
    beyond: 'they stay',
  },
} as const satisfies Record<string, Limit>;

/** Images that senders name. */
const ICONS = {
  iconBytes: { value: 256 * KIB, unit: 'bytes', of: 'image that the bridge fetches', beyond: 'not shown' },
  iconSide: { value: 1024, unit: 'pixels', of: 'width and height of an image', beyond: 'not shown' },
  iconFetchTime: { value: 5000, unit: 'ms', of: 'fetching one image, redirects included', beyond: 'not shown' },
  iconFetches: { value: 8, unit: 'items', of: 'images fetched at the same time', beyond: '429 with `Retry-After`' },
  iconFetchesOfHost: {
    value: 2,
    unit: 'items',
    of: 'images fetched from one host at the same time',
    beyond: '429 with `Retry-After`',
  },
  iconRate: {
    value: 20,
    unit: 'items',
    of: "images fetched in a second, with bursts of ten seconds' worth",
    beyond: '429 with `Retry-After`',
  },
  iconRateOfHost: {
    value: 5,
    unit: 'items',
    of: "images fetched from one host in a second, with bursts of ten seconds' worth",
    beyond: '429 with `Retry-After`',
  },
  iconCache: { value: 16 * MIB, unit: 'bytes', of: 'images in memory', beyond: 'least recently used is fetched again' },
  iconCacheEntries: {
    value: 2000,
    unit: 'items',
    of: 'addresses whose image, or lack of one, is in memory',
    beyond: 'least recently used is fetched again',
  },
  iconTtl: { value: 1, unit: 'days', of: 'an image is kept', beyond: 'fetched again' },
  iconRetryTime: {
    value: 5 * 60_000,
    unit: 'ms',
    of: 'an image that could not be fetched is not requested again',
    beyond: 'fetched again',
  },
  pageIconRequests: {
    value: 2,
    unit: 'items',
    of: 'images that a page requests from the bridge at the same time',
    beyond: 'wait',
  },
  pageIcons: {
    value: 100,
    unit: 'items',
    of: 'images that a page keeps in memory beside those in view',
    beyond: 'requested again when in view',
  },
} as const satisfies Record<string, Limit>;

/** What is kept, and for how long. */
const RETENTION = {
  reportWeeks: { value: 106, unit: 'items', of: 'weeks of the report', beyond: 'the oldest are removed' },
  reportKinds: {
    value: 5000,
    unit: 'items',
    of: 'combinations of source, rule, package and category in the report',
    beyond: 'counted under their source alone',
  },
  reportWeeksAtOnce: { value: 53, unit: 'items', of: 'weeks in one response of the report', beyond: '400' },
  reportRows: { value: 1000, unit: 'items', of: 'rows in one response of the report', beyond: '400' },
  undoTime: { value: 30_000, unit: 'ms', of: 'undo of a deletion', beyond: 'deleted for good' },
  keptEvents: { value: 20_000, unit: 'items', of: 'events in the journal', beyond: 'the oldest are removed' },
  keptSettingChanges: {
    value: 10_000,
    unit: 'items',
    of: 'changes of settings in the history',
    beyond: 'the oldest are removed',
  },
  keptPackageHistory: {
    value: 50,
    unit: 'items',
    of: 'entries in the history of one package',
    beyond: 'the oldest are removed',
  },
  keptApprovals: {
    value: 50,
    unit: 'items',
    of: 'accepted disclaimers of one package',
    beyond: 'the oldest are removed',
  },
  idempotencyKeyDays: { value: 1, unit: 'days', of: 'an `Idempotency-Key`', beyond: 'a repeat is stored again' },
  webhookReceiptDays: {
    value: 30,
    unit: 'days',
    of: 'the key of an alert, since it was last repeated',
    beyond: 'a repeat is stored again',
  },
  receiptsPerSender: {
    value: 100_000,
    unit: 'items',
    of: 'keys of one sender and kind of request',
    beyond: 'the oldest are removed',
  },
  readerDays: { value: 90, unit: 'days', of: 'read state of a person who does not visit', beyond: 'it is removed' },
  revokedTokenDays: {
    value: 90,
    unit: 'days',
    of: 'a revoked sender token in the list',
    beyond: 'it is removed; of provisioned ones see below',
  },
  revokedProvisionedTokens: {
    value: 1000,
    unit: 'items',
    of: 'revoked tokens of provisioned senders',
    beyond: 'the oldest is removed, and is then an unknown token',
  },
  auditEntries: { value: 100_000, unit: 'items', of: 'entries of the audit log', beyond: 'the oldest are removed' },
  auditDays: { value: 400, unit: 'days', of: 'age of an entry of the audit log', beyond: 'it is removed' },
  auditValue: {
    value: 8 * KIB,
    unit: 'characters',
    of: 'a value before or after a change in the audit log, as JSON',
    beyond: 'its beginning is kept as `truncated`',
  },
  auditObject: {
    value: 2000,
    unit: 'characters',
    of: 'name of what was changed in the audit log',
    beyond: 'truncated',
  },
  tokenGraceDays: { value: 30, unit: 'days', of: 'grace period of a rotated token', beyond: '400' },
  cleanedRows: {
    value: 2000,
    unit: 'items',
    of: 'rows removed by one cleaning step',
    beyond: 'the next step, a minute later',
  },
  cleanedReaders: { value: 10, unit: 'items', of: 'read states removed by one cleaning step', beyond: 'the next step' },
  freePages: {
    value: 1000,
    unit: 'items',
    of: 'free pages of the database file kept for reuse',
    beyond: 'the file shrinks',
  },
  releasedPages: { value: 250, unit: 'items', of: 'pages released by one step, every 10 s', beyond: 'the next step' },
  retentionRules: { value: 50, unit: 'items', of: 'rules of retention', beyond: '400, or an error in the file' },
  retentionNames: {
    value: 200,
    unit: 'items',
    of: 'categories that one rule of retention names',
    beyond: '400, or an error in the file',
  },
  retentionAgeDays: {
    value: 3650,
    unit: 'days',
    of: 'age in a rule of retention',
    beyond: '400, or an error in the file',
  },
  retentionPreviewRows: {
    value: 1_000_000,
    unit: 'items',
    of: 'notifications that a preview of retention looks at',
    beyond: 'the oldest are looked at, and the response says so',
  },
  arrivalMarks: {
    value: 90_000,
    unit: 'items',
    of: 'hours of which is known which notifications had arrived, for their age',
    beyond: 'the oldest are removed',
  },
  archiveFileBytes: {
    value: 8 * MIB,
    unit: 'bytes',
    of: 'one archive file of removed notifications',
    beyond: 'another file',
  },
  archivedRows: { value: 250, unit: 'items', of: 'archived notifications imported by one request', beyond: '400' },
  importPauseDays: {
    value: 7,
    unit: 'days',
    of: 'pause of retention after an import of archives',
    beyond: 'it continues',
  },
  vacuumAtStart: {
    value: 64 * MIB,
    unit: 'bytes',
    of: 'database of an earlier version that is rebuilt at the start, so that it can shrink',
    beyond: '`VACUUM` by hand',
  },
} as const satisfies Record<string, Limit>;

/** What replicas of the bridge share (docs/replicas.md). */
const REPLICAS = {
  unknownTokens: {
    value: 1000,
    unit: 'items',
    of: 'unknown tokens that are not looked up again for a second',
    beyond: 'looked up in the database',
  },
  sharedEntries: { value: 200, unit: 'items', of: 'states that the leader writes at once', beyond: 'the next write' },
  sharedEntryBytes: {
    value: 4 * MIB,
    unit: 'bytes',
    of: 'one state that the leader shares, such as that of a monitor',
    beyond: 'the other replicas show the one before',
  },
} as const satisfies Record<string, Limit>;

export const LIMIT_GROUPS = {
  'HTTP requests and responses': HTTP,
  Files: FILES,
  'Write queue and store': WRITES,
  'Event streams': STREAMS,
  'Texts and lists': NOTIFICATIONS,
  'Senders, webhooks and persons': SENDERS,
  'Outgoing requests and backups': OUTBOUND,
  Channels: CHANNELS,
  Icons: ICONS,
  Retention: RETENTION,
  Replicas: REPLICAS,
} as const satisfies Record<string, Record<string, Limit>>;

export const DAY_MS = 86_400_000;

/** The numbers by name. */
export const LIMITS = {
  ...HTTP,
  ...FILES,
  ...WRITES,
  ...STREAMS,
  ...NOTIFICATIONS,
  ...SENDERS,
  ...OUTBOUND,
  ...CHANNELS,
  ...ICONS,
  ...RETENTION,
  ...REPLICAS,
};
