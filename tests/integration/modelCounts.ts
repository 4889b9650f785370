/** Counts of the naive inbox. */
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import { isShown, type Kept, type ModelInbox, type ModelThread, RANKS } from './model.ts';

interface Counted {
  count: number;
  unseen: number;
}

/** The expected response of GET /facets. */
export function modelFacets(model: ModelInbox, filter: NotificationFilter, now: number, reader?: string) {
  const byThread = filter.latest === true || filter.open !== undefined;
  const isUnseen = ({ one, thread }: { one: Kept; thread: ModelThread }): boolean =>
    byThread ? model.unreadOf(thread, reader) > 0 : model.isUnread(one, reader);
  const groups = (of: NotificationFilter, by: 'category' | 'dnpName'): Map<string, Counted> =>
    new Map(
      [...Map.groupBy(model.match(of, now, reader), ({ one }) => one[by])].map(([key, rows]) => [
        key,
        { count: rows.length, unseen: rows.filter(isUnseen).length },
      ])
    );
  const noneOpen = filter.open === false || filter.errors === 'only' || filter.muted === 'true';
  const open = noneOpen
    ? []
    : model.match({ ...filter, latest: true, open: true, category: undefined }, now, reader).map(({ one }) => one);
  const rows = model.match(filter, now, reader);
  const newest = (category: string): number | undefined => {
    const heads = byThread ? model.threads(now).flatMap(({ head }) => head ?? []) : model.kept.filter(isShown);
    const times = heads.filter((one) => one.category === category).map(({ ts }) => ts);
    return times.length > 0 ? Math.max(...times) : undefined;
  };
  return {
    total: rows.length,
    unseen: rows.filter(isUnseen).length,
    open: open.filter(({ category }) => !filter.category?.length || filter.category.includes(category)).length,
    exact: true,
    lastId: model.lastId,
    categories: [...groups({ ...filter, category: undefined }, 'category')]
      .map(([category, counted]) => {
        const inIt = open.filter((one) => one.category === category);
        const top = inIt.map(({ priority }) => priority).sort((a, b) => RANKS.indexOf(b) - RANKS.indexOf(a))[0];
        const last = newest(category);
        return {
          category,
          ...counted,
          open: inIt.length,
          openPriority: top ?? null,
          lastAt: last === undefined ? null : new Date(last).toISOString(),
          enabled: !model.off.has(category),
        };
      })
      .sort(
        (a, b) =>
          RANKS.indexOf(b.openPriority ?? '') - RANKS.indexOf(a.openPriority ?? '') ||
          Number(b.unseen > 0) - Number(a.unseen > 0) ||
          Date.parse(b.lastAt ?? '1970-01-01') - Date.parse(a.lastAt ?? '1970-01-01') ||
          (a.category < b.category ? -1 : 1)
      ),
    packages: [...groups({ ...filter, dnpName: undefined }, 'dnpName')]
      .map(([dnpName, counted]) => ({ dnpName, ...counted }))
      .sort((a, b) => (a.dnpName < b.dnpName ? -1 : 1)),
  };
}

export function modelUnseen(
  model: ModelInbox,
  reader?: string
): { unseenCount: number; byCategory: Record<string, number> } {
  const unseen = model.kept.filter((one) => isShown(one) && model.isUnread(one, reader));
  return {
    unseenCount: unseen.length,
    byCategory: Object.fromEntries(
      [...Map.groupBy(unseen, ({ category }) => category)].map(([category, rows]) => [category, rows.length])
    ),
  };
}

export function modelCategories(model: ModelInbox, reader?: string) {
  const listed = model.kept.filter(({ errors }) => errors === undefined);
  const names = new Set([...listed.map(({ category }) => category), ...model.switched]);
  return [...names].sort().map((category) => {
    const rows = listed.filter((one) => one.category === category);
    return {
      category,
      enabled: !model.off.has(category),
      count: rows.length,
      unseen: rows.filter((one) => isShown(one) && model.isUnread(one, reader)).length,
    };
  });
}
