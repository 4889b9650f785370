import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { MAX_LIMIT, type Resolved } from '@nodebell/contract/query.ts';
import {
  deleteIds,
  deleteMatching,
  markIds,
  markMatching,
  resolveIds,
  resolveMatching,
  resolveThread,
  setCategory,
} from '../api/notifications';
import type { BridgeFilter } from '../api/query';
import { t } from '../i18n/t';
import type { Loaded } from './loaded';
import { burstOf } from './bursts';
import { burstFilter } from './filter';
import { resolveRange, rowsKey } from './queries';
import { countThreads, keyOf, markRows, putBack, removeRows, type Rows, takeBack } from './rows';
import { showsThreads, type View } from './view';

/** An undoable action. The ids per request are limited, so a large one has several undo keys. */
export interface Undoable {
  what: 'deleted' | 'resolved' | 'acknowledged' | 'snoozed' | 'assigned';
  /** Takes back what has no undo key. */
  takeBack?: () => Promise<unknown>;
  undo: string[];
  count: number;
  /** For restoring the rows at their previous positions. */
  before: Rows | undefined;
  keys: ReadonlySet<string>;
  view: View;
}

const chunks = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / MAX_LIMIT) }, (_, index) =>
    list.slice(index * MAX_LIMIT, (index + 1) * MAX_LIMIT)
  );

const isRows = (chosen: readonly Notification[] | BridgeFilter): chosen is readonly Notification[] =>
  Array.isArray(chosen);

/**
 * All mutations of the page. The list updates optimistically; the bridge's event confirms it, a failure reverts it.
 */
export function useActions(view: View, onDone: (done: Undoable) => void) {
  const client = useQueryClient();
  const threads = showsThreads(view);
  const key = rowsKey(view);
  const patchRows = (change: (rows: Rows) => Rows) => {
    // A request in flight would overwrite the optimistic update.
    void client.cancelQueries({ queryKey: key });
    client.setQueryData<Loaded>(key, (loaded) => loaded && { ...loaded, rows: change(loaded.rows) });
  };
  const rowsNow = () => client.getQueryData<Loaded>(key)?.rows;
  /** @returns what takes it back */
  const patchMarks = (change: (rows: Rows) => Rows) => {
    const before = rowsNow();
    patchRows(change);
    const after = rowsNow();
    return () => before && after && patchRows((all) => takeBack(all, before, after));
  };
  const reload = () => client.invalidateQueries({ queryKey: ['inbox'] });
  /** The rows of bursts as filters of what they stand for, without later arrivals; and the other rows. */
  const split = (
    rows: readonly Notification[],
    filterOf = (id: number) => burstFilter(view, resolveRange, id)
  ): [BridgeFilter[], Notification[]] => {
    const untilId = client.getQueryData<Loaded>(key)?.lastId;
    const filters = rows.flatMap((row) => burstOf(row)?.id ?? []).map(filterOf);
    return [filters.map((filter) => ({ untilId, ...filter })), rows.filter((row) => !burstOf(row))];
  };
  const keysOf = (rows: readonly Notification[]) => new Set(rows.map((row) => keyOf(row, threads)));

  const mark = useMutation({
    meta: { failure: t('inbox.failure.mark', 'Could not change the read state') },
    mutationFn: async ({
      rows,
      seen,
      wholeThreads,
      filterOf,
    }: {
      rows: readonly Notification[];
      seen: boolean;
      wholeThreads?: boolean;
      /** Filter of a burst's row, if it differs from the list's. */
      filterOf?: (burst: number) => BridgeFilter;
    }) => {
      const [bursts, others] = split(rows, filterOf);
      for (const ids of chunks(others.map((row) => row.id))) {
        await markIds(ids, seen, wholeThreads ?? threads);
      }
      for (const filter of bursts) {
        await markMatching(filter, seen);
      }
    },
    onMutate: ({ rows, seen }) => patchMarks((all) => markRows(all, keysOf(rows), seen)),
    onError: (_error, _marked, revert) => revert?.(),
    onSettled: reload,
  });

  const markAll = useMutation({
    meta: { failure: t('inbox.failure.mark', 'Could not change the read state') },
    mutationFn: (filter: BridgeFilter) => markMatching(filter),
    onMutate: (filter: BridgeFilter) => patchMarks((all) => (filter.category ? all : markRows(all, 'all', true))),
    onError: (_error, _filter, revert) => revert?.(),
    onSettled: reload,
  });

  const remove = useMutation({
    meta: { failure: t('inbox.failure.delete', 'Could not delete') },
    mutationFn: async (rows: readonly Notification[]) => {
      const undo: string[] = [];
      const [bursts, others] = split(rows);
      for (const ids of chunks(others.map((row) => row.id))) {
        undo.push((await deleteIds(ids, threads)).undo);
      }
      for (const filter of bursts) {
        undo.push((await deleteMatching(filter)).undo);
      }
      return undo;
    },
    onMutate: (rows) => {
      const before = rowsNow();
      const keys = keysOf(rows);
      patchRows((all) => removeRows(all, keys));
      return { before, keys };
    },
    onSuccess: (undo, rows, { before, keys }) =>
      onDone({ what: 'deleted', undo, count: countThreads(rows), before, keys, view }),
    onError: (_error, _rows, context) =>
      context?.before && patchRows((all) => putBack(all, context.before ?? all, context.keys)),
    onSettled: reload,
  });

  const removeAll = useMutation({
    meta: { failure: t('inbox.failure.delete', 'Could not delete') },
    mutationFn: ({ filter }: { filter: BridgeFilter; count: number }) => deleteMatching(filter),
    onSuccess: ({ undo }, { count }) =>
      onDone({ what: 'deleted', undo: [undo], count, before: undefined, keys: new Set(), view }),
    onSettled: reload,
  });

  const resolve = useMutation({
    meta: { failure: t('inbox.failure.close', 'Could not resolve the thread') },
    mutationFn: resolveThread,
    onSettled: reload,
  });

  const resolveMany = useMutation({
    meta: { failure: t('inbox.failure.close', 'Could not resolve the thread') },
    mutationFn: async (chosen: readonly Notification[] | BridgeFilter) => {
      const [filters, others] = isRows(chosen) ? split(chosen) : [[chosen], []];
      const done: Resolved[] = [];
      for (const ids of chunks(others.map((row) => row.id))) {
        done.push(await resolveIds(ids));
      }
      for (const filter of filters) {
        done.push(await resolveMatching(filter));
      }
      return done.filter(({ resolved }) => resolved > 0);
    },
    onSuccess: (done) => {
      const undo = done.map((one) => one.undo);
      const count = done.reduce((sum, { resolved }) => sum + resolved, 0);
      if (count > 0) {
        onDone({ what: 'resolved', undo, count, before: undefined, keys: new Set(), view });
      }
    },
    onSettled: reload,
  });

  const switchCategory = useMutation({
    meta: { failure: t('inbox.failure.category', 'Could not change the category') },
    mutationFn: ({ category, enabled }: { category: string; enabled: boolean }) => setCategory(category, enabled),
    onSettled: reload,
  });

  return {
    mark: mark.mutate,
    markAll: markAll.mutate,
    remove: remove.mutate,
    removeAll: removeAll.mutate,
    resolve: resolve.mutate,
    resolveMany: resolveMany.mutate,
    switchCategory: switchCategory.mutate,
    split,
  };
}
