/** Labels and counts used on every page. Pure. */
import type { Priority } from '@nodebell/contract/notification.ts';
import { locale } from '../i18n/locale';
import { t } from '../i18n/t';
import { cut } from './cut';

const PRIORITY_LABELS: Record<Priority, () => string> = {
  critical: () => t('parts.priority.critical', 'Critical'),
  high: () => t('parts.priority.high', 'Important'),
  medium: () => t('parts.priority.medium', 'Relevant'),
  low: () => t('parts.priority.low', 'Informational'),
};

/** The priority as DAppNode's specification names it. */
export const priorityLabel = (priority: Priority): string => PRIORITY_LABELS[priority]();

/** The package name without the domain that all names share. */
export const shortName = (dnpName: string): string =>
  dnpName === 'unknown'
    ? t('parts.label.unknown-sender', 'unknown sender')
    : dnpName.replace(/\.(dnp|public)\.dappnode\.eth$/, '');

/** "Hardware" for the category "hardware". */
export const categoryName = (category: string): string =>
  category.charAt(0).toLocaleUpperCase(locale()) + category.slice(1);

/** A name within the label of a menu item, which does not wrap. */
export const menuName = (name: string): string => cut(name, 24);

/** "3 notifications". */
export const notificationCount = (count: number): string =>
  t('parts.label.notifications', '', {
    count,
    defaultValue_one: '{{count, number}} notification',
    defaultValue_other: '{{count, number}} notifications',
  });

/** "3 endpoints". */
export const endpointCount = (count: number): string =>
  t('parts.label.endpoints', '', {
    count,
    defaultValue_one: '{{count, number}} endpoint',
    defaultValue_other: '{{count, number}} endpoints',
  });

/** "3 packages". */
export const packageCount = (count: number): string =>
  t('parts.label.packages', '', {
    count,
    defaultValue_one: '{{count, number}} package',
    defaultValue_other: '{{count, number}} packages',
  });

/** Label of the unread dot, for screen readers. */
export const unreadLabel = (): string => t('parts.label.unread', 'Unread');
