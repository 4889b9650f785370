/** The policy of retention while it is edited: texts of fields, which may be invalid. Pure. */
import type { Priority } from '@nodebell/contract/notification.ts';
import {
  NEVER,
  type RetentionPolicy,
  retentionPolicySchema,
  type RetentionRule,
} from '@nodebell/contract/retention.ts';
import { t } from '../../i18n/t';

export interface RuleDraft {
  olderThan: string;
  categories: string[];
  priorities: Priority[];
  read: 'any' | 'read' | 'unread';
}

export interface Draft {
  rules: RuleDraft[];
  maxNotifications: string;
  maxBytes: string;
  archive: boolean;
  maxArchiveBytes: string;
}

export const NEW_RULE: RuleDraft = { olderThan: '90d', categories: [], priorities: [], read: 'read' };

export function toDraft({ rules = [], maxNotifications, maxBytes, archive, maxArchiveBytes }: RetentionPolicy): Draft {
  return {
    rules: rules.map(({ olderThan, categories = [], priorities = [], read }) => ({
      olderThan,
      categories,
      priorities,
      read: read === undefined ? 'any' : read ? 'read' : 'unread',
    })),
    maxNotifications: maxNotifications === undefined ? '' : String(maxNotifications),
    maxBytes: maxBytes ?? '',
    archive: archive ?? false,
    maxArchiveBytes: maxArchiveBytes ?? '',
  };
}

/** Field, as the path of the policy: `rules.0.olderThan`. */
export type Mistakes = Readonly<Record<string, string>>;

/** @returns the policy, or an error for each field */
export function readDraft(draft: Draft): { policy: RetentionPolicy } | { mistakes: Mistakes } {
  const size = (text: string): string => text.toUpperCase().replaceAll(/\s/g, '');
  const policy = {
    ...(draft.rules.length > 0 && { rules: draft.rules.map(toRule) }),
    ...(draft.maxNotifications.trim() !== '' && { maxNotifications: draft.maxNotifications.replaceAll(/[\s.,]/g, '') }),
    ...(draft.maxBytes.trim() !== '' && { maxBytes: size(draft.maxBytes) }),
    ...(draft.archive && { archive: true }),
    ...(draft.archive && draft.maxArchiveBytes.trim() !== '' && { maxArchiveBytes: size(draft.maxArchiveBytes) }),
  };
  const { data, error } = retentionPolicySchema.safeParse(policy);
  return data
    ? { policy: data }
    : {
        mistakes: Object.fromEntries(
          error.issues.map(({ path }) => [path.join('.'), ERRORS[String(path.at(-1))]?.() ?? otherError(path.length)])
        ),
      };
}

function toRule({ olderThan, categories, priorities, read }: RuleDraft): RetentionRule {
  return {
    olderThan: olderThan.trim().toLowerCase() || NEVER,
    ...(categories.length > 0 && { categories }),
    ...(priorities.length > 0 && { priorities }),
    ...(read !== 'any' && { read: read === 'read' }),
  };
}

const sizeError = () => t('config.retention.error-size', 'Enter a size such as 500MB or 5GB');

const ERRORS: Readonly<Record<string, () => string>> = {
  olderThan: () => t('config.retention.error-age', 'Enter an age such as 12h, 90d or 52w, or never'),
  maxNotifications: () => t('config.retention.error-count', 'Enter a whole number'),
  maxBytes: sizeError,
  maxArchiveBytes: sizeError,
};

const otherError = (depth: number): string =>
  depth === 2
    ? t('config.retention.error-unreachable', 'Never reached: the rule above matches every notification')
    : t('config.retention.error-other', 'Invalid');
