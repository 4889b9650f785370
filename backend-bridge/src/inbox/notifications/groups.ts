/** Groups of a list with their counts. Pure. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Facets } from '../../../contract/query.ts';
import { priorityOf, rankOf } from './rows.ts';

export interface Counted {
  count: number;
  unseen: number;
}

/** An open thread, with what groups are made of. */
export interface OpenThread {
  category: string;
  dnp_name: string;
  node: string;
  priority: number;
  label_set: number;
}

type Group = Omit<NonNullable<Facets['groups']>[number], 'value'>;

/** Adds the open threads to the counts of groups. */
export function withOpen(
  counts: ReadonlyMap<string, Counted>,
  open: readonly OpenThread[],
  groupOf: (thread: OpenThread) => string
): [string, Group][] {
  const threads = Map.groupBy(open, groupOf);
  return [...counts].map(([name, counted]) => {
    const ranks = threads.get(name)?.map(({ priority }) => priority) ?? [];
    const openPriority = ranks.length === 0 ? null : priorityOf(ranks.reduce((a, b) => Math.max(a, b)));
    return [name, { ...counted, open: ranks.length, openPriority }];
  });
}

/** Open critical first, then open, then with unseen. */
export function byUrgency(a: Group, b: Group): number {
  const rank = ({ openPriority }: Group): number => (openPriority === null ? -1 : rankOf(openPriority));
  return rank(b) - rank(a) || Number(b.unseen > 0) - Number(a.unseen > 0);
}

/**
 * Truncates items to the size of one response, in their order; a name that is too long for a list is '' and is left out.
 * @param wanted names of the query, listed first
 */
export function firstItems<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  wanted: readonly string[] = []
): { items: T[]; more: number } {
  const chosen = new Set(wanted);
  const isChosen = (item: T): boolean => chosen.has(nameOf(item));
  const kept = new Set<T>();
  let bytes = 0;
  for (const item of [...all.filter(isChosen), ...all.filter((one) => !isChosen(one))]) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (kept.size === LIMITS.facetItems.value || bytes > LIMITS.facetBytes.value) {
      break;
    }
    if (nameOf(item) !== '') {
      kept.add(item);
    }
  }
  return { items: all.filter((item) => kept.has(item)), more: all.length - kept.size };
}
