/** How the list is grouped: by category, or by the value of a label. Pure. */
import { labelOf } from '@nodebell/contract/matchers.ts';
import type { Notification } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { addLabel } from '../components/matchers';
import { categoryName } from '../components/messages';
import { t } from '../i18n/t';
import type { View } from './view';

/** Name of a label; empty: by category. */
export type GroupBy = string;

/** Identifies a group. */
export interface GroupKey {
  by: GroupBy;
  /** The category, or the value of the label; empty: without the label. */
  value: string;
}

/** A group of the list, with its counts. */
export type Group = GroupKey & Omit<Facets['categories'][number], 'category'>;

/** Value of the group that a notification is in. */
export function groupOf({ category, labels = {} }: Pick<Notification, 'category' | 'labels'>, by: GroupBy): string {
  return by === '' ? category : labelOf(labels, by);
}

/** The groups of a response, in its order. Those of a label follow the whole filter. @param chosen categories of the filter */
export function groupsIn({ categories, groups = [] }: Facets, by: GroupBy, chosen: readonly string[]): Group[] {
  return by === ''
    ? categories
        .filter(({ category }) => chosen.length === 0 || chosen.includes(category))
        .map(({ category, ...counts }) => ({ by, value: category, ...counts }))
    : groups.map((group) => ({ by, ...group, lastAt: null, enabled: true }));
}

/** The change of a view that shows only one of its groups. */
export const onlyGroup = ({ matchers }: View, { by, value }: GroupKey): Partial<View> =>
  by === '' ? { categories: [value] } : { matchers: addLabel(matchers, by, value) };

export function groupName({ by, value }: GroupKey): string {
  return by === '' ? categoryName(value) : value || t('inbox.group.without', 'No {{label}}', { label: by });
}
