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
  packageBodyBytes: { value: 4 * MIB, unit: 'bytes', of: 'body with the files of a package', beyond: '413' },
  bodyDepth: {
    value: 32,
    unit: 'levels',
    of: 'nested objects and lists of a body',
    beyond: '400; a webhook drops what is deeper',
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
  problemText: { value: 500, unit: 'characters', of: 'each text of a listed error', beyond: 'cut, with `…`' },
  problemDetail: { value: 1000, unit: 'characters', of: '`detail` of a problem document', beyond: 'cut, with `…`' },
  responseStall: {
    value: 30_000,
    unit: 'ms',
    of: 'time for a client to read a response, or the next part of a streamed one',
    beyond: 'the connection is closed',
  },
  unreadResponses: {
    value: 64 * MIB,
    unit: 'bytes',
    of: 'responses that clients have not read yet',
    beyond: 'the connection that has waited longest is closed',
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
  Files: FILES,
  'Write queue and store': WRITES,
  'Event streams': STREAMS,
  'Texts and lists': NOTIFICATIONS,
  'Senders, webhooks and persons': SENDERS,
  Icons: ICONS,
  Retention: RETENTION,
} as const satisfies Record<string, Record<string, Limit>>;

/** The numbers by name. */
export const LIMITS = {
  ...HTTP,
  ...FILES,
  ...WRITES,
  ...STREAMS,
  ...NOTIFICATIONS,
  ...SENDERS,
  ...ICONS,
  ...RETENTION,
};
