/**
 * Retention of notifications: the rules, as in provisioning files and in PUT /retention, and the status in GET /retention. Semantics:
 * docs/operate.md.
 */
import { z } from 'zod';
import { boolean, component, integer, list, object, rule, some, strictComponent, string, time } from './schema.ts';
import { LIMITS } from './limits.ts';
import { foldCategory, PRIORITIES, type Priority } from './notification.ts';
import { durationSeconds, grouped } from './text.ts';
import { flag } from './flag.ts';
import { DAY_MS } from './time.ts';

const MAX_COUNT = 1_000_000_000;
const COUNT = { error: `a whole number from 1 to ${MAX_COUNT}` };
const count = z
  .union([z.number(), z.string().regex(/^\d{1,12}$/, COUNT)], COUNT)
  .transform(Number)
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= MAX_COUNT, COUNT);

const MAX_AGE_MS = LIMITS.retentionAgeDays.value * DAY_MS;
/** Never removed. */
export const NEVER = 'never';
/** @returns milliseconds; Infinity for {@link NEVER} */
export const ageMs = (age: string): number => (age === NEVER ? Infinity : durationSeconds(age) * 1000);
const age = z
  .string({ error: 'an age such as 12h, 90d or 52w, or never' })
  .regex(/^(?:[1-9]\d{0,5}[hdw]|never)$/, { error: 'an age such as 12h, 90d or 52w, or never' })
  .refine((text) => text === NEVER || ageMs(text) <= MAX_AGE_MS || Number.isNaN(ageMs(text)), {
    error: `an age of at most ${LIMITS.retentionAgeDays.value}d, or never`,
  })
  .meta({ examples: ['90d'] });

const SIZE_UNITS = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 } as const;
/** Bytes of a size such as `5GB`; as in Prometheus, 1 GB is 1024 MB. */
export const sizeBytes = (size: string): number =>
  Number.parseInt(size, 10) * SIZE_UNITS[size.slice(-2) as keyof typeof SIZE_UNITS];
const size = z
  .string({ error: 'a size such as 500MB or 5GB' })
  .regex(/^[1-9]\d{0,5}(?:MB|GB|TB)$/, { error: 'a size such as 500MB or 5GB' })
  .meta({ examples: ['5GB'] });

const names = LIMITS.retentionNames.value;
export const retentionRuleSchema = strictComponent('RetentionRule', 'When some notifications are removed.', {
  olderThan: age.describe('Removed at this age, in hours, days or weeks; `never`: kept forever.'),
  categories: some(
    'Only these categories; none: all.',
    z.string().trim().min(1).max(1024).transform(foldCategory),
    'categories',
    names
  ).optional(),
  priorities: some('Only these priorities; none: all.', z.enum(PRIORITIES), 'priorities', names).optional(),
  read: flag.optional().describe('Only read ones, or only unread ones; none: both. Read: by anybody.'),
});
export type RetentionRule = z.output<typeof retentionRuleSchema>;

export const retentionPolicySchema = z
  .strictObject({
    rules: list('The first rule that matches a notification decides. Without a match it is kept.', retentionRuleSchema)
      .max(LIMITS.retentionRules.value)
      .optional(),
    maxNotifications: count.optional().describe('Beyond it, the oldest are removed.'),
    maxBytes: size.optional().describe('Maximum estimated size of the notifications in the database.'),
    archive: flag.optional().describe('Write notifications to archive files before they are removed.'),
    maxArchiveBytes: size.optional().describe('Beyond it, the oldest archive files are deleted. None: all are kept.'),
  })
  .check(
    rule(({ rules = [], archive, maxArchiveBytes }, refuse) => {
      const all = rules.findIndex((one) => !one.categories && !one.priorities && one.read === undefined);
      if (all >= 0 && all < rules.length - 1) {
        refuse(['rules', all + 1], `absent: rule ${all + 1} already matches every notification`);
      }
      if (maxArchiveBytes !== undefined && !archive) {
        refuse(['maxArchiveBytes'], 'absent without "archive: true"');
      }
    })
  )
  .meta({ id: 'RetentionPolicy', description: 'Which notifications are removed, and when. Empty: none.' });
export type RetentionPolicy = z.output<typeof retentionPolicySchema>;

/** Whether it can remove anything. */
export const isActive = ({ rules = [], maxNotifications, maxBytes }: RetentionPolicy): boolean =>
  rules.some(({ olderThan }) => olderThan !== NEVER) || maxNotifications !== undefined || maxBytes !== undefined;

/** Facts that a rule matches on. */
export interface RuleFacts {
  category: string;
  priority: Priority;
  /** Somebody has read it, or it is not in the inbox: muted, or with errors. */
  read: boolean;
}

/** The index of the first rule that matches; -1: none. */
export function firstRule(rules: readonly RetentionRule[], { category, priority, read }: RuleFacts): number {
  return rules.findIndex(
    (rule) =>
      (rule.categories?.includes(category) ?? true) &&
      (rule.priorities?.includes(priority) ?? true) &&
      (rule.read === undefined || rule.read === read)
  );
}

/** The proposal of the configuration page. */
export const SUGGESTED_POLICY: RetentionPolicy = { rules: [{ olderThan: '90d', read: true }] };

const bytes = integer('Bytes.');

export const retentionStatusSchema = component('Retention', 'Retention, and the use of the disk.', {
  policy: retentionPolicySchema.describe('The policy in effect.'),
  file: string('The provisioning file that sets it; it can be changed only there.').optional(),
  revision: string('Revision of the policy, for PUT /retention.'),
  changedAt: time('When it was changed; absent: never.').optional(),
  changedBy: string('Author of the change, if known.').optional(),
  removed: integer('Notifications removed since the bridge started.'),
  lastRemovedAt: time('When notifications were removed last, since the start.').optional(),
  pausedUntil: time('Nothing is removed until then: an archive was imported.').optional(),
  error: string('Why the last run failed.').optional(),
  notifications: integer('Stored notifications.'),
  databaseBytes: bytes.describe('Size of the database.'),
  databaseFreeBytes: bytes.describe('The part of databaseBytes that is free for new rows.'),
  notificationBytes: bytes.describe('Estimated size of all notifications in the database, with their indexes.'),
  day: object('An average day of the last 7, counted from what is still stored.', {
    notifications: integer('Notifications.'),
    bytes: bytes.describe('Their estimated size.'),
  }),
  diskFreeBytes: bytes.optional().describe('Free space on the disk of the database; absent if unknown.'),
  diskFullAt: time('When it is full at this rate; absent: in more than ten years.').optional(),
  archive: object('The archive files; absent if their folder cannot be read.', {
    files: integer('Files.'),
    bytes: bytes.describe('Their size.'),
  }).optional(),
  archiveError: string('Why the archive folder cannot be read.').optional(),
});
export type RetentionStatus = z.output<typeof retentionStatusSchema>;

export const retentionQuerySchema = z.strictObject({
  revision: string('`revision` of the policy that is replaced; 409 if it has changed since.').max(64).optional(),
});

export const retentionPreviewSchema = component('RetentionPreview', 'Notifications that a policy would remove now.', {
  removed: integer('Notifications that it would remove now.'),
  notifications: integer('Stored notifications.'),
  bytes: bytes.describe('Estimated size of those that it would remove.'),
  heldByOpenThreads: integer('Notifications that are kept because their thread is open.'),
  complete: boolean(`False: only the oldest ${grouped(LIMITS.retentionPreviewRows.value)} were looked at.`),
});
export type RetentionPreview = z.output<typeof retentionPreviewSchema>;
