/** Labels of an alert as filters of the list. Pure. */
import { foldCategory, type NotificationDetail, type SourceAlert } from '@nodebell/contract/notification.ts';
import type { View } from '../view';

export interface LabelFilter extends Partial<Pick<View, 'categories' | 'packages' | 'priorities' | 'q'>> {
  /** Added to the matchers. */
  label?: readonly [name: string, value: string];
}

/** Labels in the order of their names, `alertname` first, without those that only Grafana itself uses. */
export function shownLabels({ labels }: Pick<SourceAlert, 'labels'>): Array<[name: string, value: string]> {
  const rank = (name: string) => (name === 'alertname' ? 0 : 1);
  return Object.entries(labels)
    .filter(([name, value]) => !name.startsWith('__') && value !== '')
    .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}

type Filtered = Pick<NotificationDetail, 'category' | 'dnpName' | 'priority' | 'title' | 'body' | 'labels'>;

/**
 * The filter that finds this notification, and others with the label. A label that is not stored to filter by is searched, if the search
 * finds it in this notification.
 * @returns undefined if there is none
 */
export function filterOfLabel(name: string, value: string, of: Filtered): LabelFilter | undefined {
  switch (name) {
    case 'category':
    case 'grafana_folder':
      return foldCategory(value) === of.category ? { categories: [of.category] } : searchOf(value, of);
    case 'package':
    case 'dnpName':
      return value === of.dnpName ? { packages: [value] } : searchOf(value, of);
    case 'severity':
    case 'priority':
      return { priorities: [of.priority] };
    default:
      return of.labels?.[name] === value ? { label: [name, value] } : searchOf(value, of);
  }
}

/** Words as the search of the bridge cuts them. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

function searchOf(value: string, { title, body, dnpName }: Filtered): LabelFilter | undefined {
  const words = wordsOf(value);
  const found = new Set(wordsOf(`${title} ${body} ${dnpName}`));
  return words.length > 0 && value.length <= MAX_SEARCH && words.every((word) => found.has(word))
    ? { q: value }
    : undefined;
}

const MAX_SEARCH = 200;
