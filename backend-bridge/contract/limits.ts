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
  sliceRows: {
    value: 250,
    unit: 'items',
    of: 'notifications that one transaction marks, deletes, restores or purges',
    beyond: 'another transaction; sends pass in between',
  },
} as const satisfies Record<string, Limit>;

/** Event streams. */
const STREAMS = {
  streamReplay: { value: 1000, unit: 'items', of: 'events replayed to a stream that resumes', beyond: 'event `reset`' },
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
