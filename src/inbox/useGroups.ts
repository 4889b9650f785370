import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Facets } from '@nodebell/contract/query.ts';
import { firstRows, flatten, holdOrder, hungryGroups, MORE_ROWS, withLeftovers, type Item } from './flat';
import { groupsIn } from './grouping';
import type { Loaded } from './loaded';
import { loadMore, viewKey } from './queries';
import type { View } from './view';

/** Groups loaded concurrently. */
const AT_ONCE = 3;
const RETRY_MS = 10_000;

/** The flat list of loaded rows. Loads rows when they become visible. */
export function useGroups(view: View, shown: { facets: Facets; loaded: Loaded; key: string } | undefined) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState<{ key: string; counts: ReadonlyMap<string, number> }>({
    key: '',
    counts: new Map(),
  });
  const key = viewKey(view);
  const counts = wanted.key === key ? wanted.counts : NONE;

  const groups = useOrderedGroups(view, shown);
  const { loaded, facets } = shown ?? {};
  const items = useMemo(
    () => (loaded && facets ? flatten({ groups, rows: loaded.rows, folded, wanted: counts, exact: facets.exact }) : []),
    [groups, loaded, facets, folded, counts]
  );

  const onSight = useLoading(view, facets?.exact !== false);

  return {
    groups,
    items,
    onSight,
    fold: (value: string, fold: boolean) =>
      setFolded((now) => new Set(fold ? [...now, value] : [...now].filter((each) => each !== value))),
    more: (value: string) => {
      const group = groups.find((each) => each.value === value);
      const now = counts.get(value) ?? (group ? firstRows(group, groups.length === 1) : 0);
      setWanted({ key, counts: new Map([...counts, [value, now + MORE_ROWS]]) });
    },
  };
}

const NONE: ReadonlyMap<string, number> = new Map();

/** Loads the rows of visible groups; the skeleton stays until they are there. */
function useLoading(view: View, exact: boolean): (visible: readonly Item[]) => void {
  const client = useQueryClient();
  const key = viewKey(view);
  const loading = useRef(new Set<string>());
  const seen = useRef<readonly Item[]>([]);
  const latest = useRef<() => void>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const load = useCallback(() => {
    for (const group of hungryGroups(seen.current)) {
      const job = `${key} ${group.value}`;
      if (loading.current.size < AT_ONCE && !loading.current.has(job)) {
        loading.current.add(job);
        void loadMore(client, view, exact ? group : { ...group, count: Infinity })
          .catch(() => {
            timer.current ??= setTimeout(() => {
              timer.current = undefined;
              latest.current?.();
            }, RETRY_MS);
          })
          .finally(() => loading.current.delete(job));
      }
    }
  }, [client, view, key, exact]);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (visible) => {
      seen.current = visible;
      load();
    },
    [load]
  );
}

/** The order of the groups changes only when the list is sorted again. */
function useOrderedGroups(view: View, shown: { facets: Facets; loaded: Loaded; key: string } | undefined) {
  const [held, setHeld] = useState<{ epoch: string; order: string[] }>({ epoch: '', order: [] });
  const epoch = shown ? `${shown.key}#${shown.loaded.epoch}` : '';
  if (shown && held.epoch !== epoch) {
    setHeld({
      epoch,
      order: groupsIn(shown.facets, shown.loaded.rows.groupBy, view.categories).map(({ value }) => value),
    });
  }
  return useMemo(() => {
    if (!shown) {
      return [];
    }
    const { facets, loaded } = shown;
    const present = groupsIn(facets, loaded.rows.groupBy, view.categories);
    return holdOrder(withLeftovers(present, loaded.rows), held.order).filter(
      ({ value, count }) => count > 0 || loaded.rows.segments.has(value)
    );
  }, [shown, view.categories, held.order]);
}
