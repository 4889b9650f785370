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
  streamReplay: { value: 1000, unit: 'items', of: 'events replayed to a stream that resumes', beyond: 'event `reset`' },
} as const satisfies Record<string, Limit>;

/** Texts and lists of notifications. */
const NOTIFICATIONS = {
  nameBytes: {
    value: KIB,
    unit: 'bytes',
    of: 'category, package (`dnpName`) or `correlationId`, in UTF-8',
    beyond: '400; from a webhook: shortened, with a hash of the whole',
  },
  titleBytes: {
    value: KIB,
    unit: 'bytes',
    of: 'title in a response',
    beyond: 'cut, with `titleTruncated`; the whole at `/notifications/{id}/title`',
  },
  bodyTextBytes: {
    value: 64 * KIB,
    unit: 'bytes',
    of: 'body of a notification in a response',
    beyond: 'cut, with `bodyTruncated`; the whole at `/notifications/{id}/body`',
  },
  errorsBytes: {
    value: 64 * KIB,
    unit: 'bytes',
    of: '`errors` in a response',
    beyond: 'cut, with `errorsTruncated`; the whole at `/notifications/{id}/errors`',
  },
  linkBytes: {
    value: 8 * KIB,
    unit: 'bytes',
    of: '`callToAction.url`',
    beyond: '400; from a webhook: left out, with a note',
  },
  linkTitleBytes: {
    value: KIB,
    unit: 'bytes',
    of: '`callToAction.title`',
    beyond: '400; from a webhook: cut',
  },
  iconBytes: {
    value: 2 * KIB,
    unit: 'bytes',
    of: '`icon`',
    beyond: '400; from a webhook: left out, with a note',
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
