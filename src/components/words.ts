/** Words that every page uses. Pure. */
import type { Priority } from '@nodebell/contract/notification.ts';
import { locale } from '../i18n/locale';
import { t } from '../i18n/t';

/** The words of the specification for priorities, in the language in use. */
export function priorityWord(priority: Priority): string {
  switch (priority) {
    case 'critical':
      return t('parts.priority.critical', 'Critical');
    case 'high':
      return t('parts.priority.high', 'Important');
    case 'medium':
      return t('parts.priority.medium', 'Relevant');
    case 'low':
      return t('parts.priority.low', 'Informational');
  }
}

/** What colours a sign. */
export type Tone = 'error' | 'warning' | 'success' | 'info' | 'secondary';

/** Names end in the domain that all of them share; a list has no room for it. */
export const shortName = (dnpName: string): string =>
  dnpName === 'unknown'
    ? t('parts.words.unknown-sender', 'unknown sender')
    : dnpName.replace(/\.(dnp|public)\.dappnode\.eth$/, '');

/** Categories are words such as "hardware"; a header begins with a capital. */
export const categoryName = (category: string): string =>
  category.charAt(0).toLocaleUpperCase(locale()) + category.slice(1);

/** "3 notifications". */
export const notificationCount = (count: number): string =>
  t('parts.words.notifications', '', {
    count,
    defaultValue_one: '{{count, number}} notification',
    defaultValue_other: '{{count, number}} notifications',
  });

/** "3 endpoints". */
export const endpointCount = (count: number): string =>
  t('parts.words.endpoints', '', {
    count,
    defaultValue_one: '{{count, number}} endpoint',
    defaultValue_other: '{{count, number}} endpoints',
  });

/** "3 packages". */
export const packageCount = (count: number): string =>
  t('parts.words.packages', '', {
    count,
    defaultValue_one: '{{count, number}} package',
    defaultValue_other: '{{count, number}} packages',
  });

/** "Unread" beside a dot, for those who do not see it. */
export const unreadWord = (): string => t('parts.words.unread', 'Unread');
