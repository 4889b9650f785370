/** How the list is grouped: by category, or by the value of a label. Pure. */
import type { Notification } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { addLabel } from '../components/matchers';
import { categoryName } from '../components/messages';
import { t } from '../i18n/t';
import type { View } from './view';

/** A group of the list, with its counts. */
export interface Group extends Omit<Facets['categories'][number], 'category'> {
  /** The category, or the value of the label; empty: without the label. */
  value: string;
}

/** Name of a label; empty: by category. */
export type GroupBy = string;

/** Value of the group that a notification is in. */
export function groupOf({ category, labels = {} }: Pick<Notification, 'category' | 'labels'>, by: GroupBy): string {
  return by === '' ? category : Object.hasOwn(labels, by) ? labels[by]! : '';
}

/** The groups of a response, in its order. Those of a label follow the whole filter. */
export function groupsIn({ categories, groups = [] }: Facets, { groupBy, categories: chosen }: View): Group[] {
  return groupBy === ''
    ? categories
        .filter(({ category }) => chosen.length === 0 || chosen.includes(category))
        .map(({ category, ...counts }) => ({ value: category, ...counts }))
    : groups.map((group) => ({ ...group, lastAt: null, enabled: true }));
}

/** The change of a view that shows only one of its groups. */
export const onlyGroup = ({ groupBy, matchers }: View, value: string): Partial<View> =>
  groupBy === '' ? { categories: [value] } : { matchers: addLabel(matchers, groupBy, value) };

export function groupName(value: string, by: GroupBy): string {
  return by === '' ? categoryName(value) : value || t('inbox.group.without', 'No {{label}}', { label: by });
}
