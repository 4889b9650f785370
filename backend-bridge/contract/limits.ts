/**
 * Every bound of the bridge in one table: code takes its numbers from here, and `docs/limits.md` is generated from it
 * (`npx vitest run tests/contract/limits.test.ts -u`).
 */

export interface Limit {
  value: number;
  unit: 'bytes' | 'characters' | 'items' | 'levels' | 'ms' | 'days';
  /** What is bounded. */
  of: string;
  /** What happens beyond it. */
  beyond: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Requests and responses. */
const HTTP = {
  bodyBytes: { value: MIB, unit: 'bytes', of: 'body of a request', beyond: '413' },
  webhookBodyBytes: { value: 16 * MIB, unit: 'bytes', of: 'body of a webhook', beyond: '413' },
  bodyDepth: { value: 32, unit: 'levels', of: 'nested objects and lists of a body', beyond: '400' },
} as const satisfies Record<string, Limit>;

/** The write queue and the store. */
const WRITES = {
  queuedCalls: { value: 20_000, unit: 'items', of: 'writes that wait', beyond: '503 with `Retry-After`' },
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
    beyond: 'cut, and marked `bodyTruncated`',
  },
  chainEventNodes: { value: 50, unit: 'items', of: 'nodes in one event `chain`', beyond: 'several events' },
} as const satisfies Record<string, Limit>;

/** Texts and lists of notifications. */
const NOTIFICATIONS = {
  threadMembers: {
    value: 200,
    unit: 'items',
    of: 'members of a thread in one response',
    beyond: 'the newest are served',
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
} as const satisfies Record<string, Limit>;

/** Images that senders name. */
const ICONS = {} as const satisfies Record<string, Limit>;

/** What is kept, and for how long. */
const RETENTION = {} as const satisfies Record<string, Limit>;

export const LIMIT_GROUPS = {
  'HTTP requests and responses': HTTP,
  'Write queue and store': WRITES,
  'Event streams': STREAMS,
  'Texts and lists': NOTIFICATIONS,
  'Senders, webhooks and persons': SENDERS,
  Icons: ICONS,
  Retention: RETENTION,
} as const satisfies Record<string, Record<string, Limit>>;

/** The numbers by name. */
export const LIMITS = { ...HTTP, ...WRITES, ...STREAMS, ...NOTIFICATIONS, ...SENDERS, ...ICONS, ...RETENTION };
