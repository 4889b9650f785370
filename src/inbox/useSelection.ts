import { useCallback, useMemo, useState } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { allRows, keyOf, type Rows } from './rows';
import { useLatest } from '../components/useLatest';

export interface Selection {
  /** Checkboxes are shown. */
  active: boolean;
  /** All matching rows, including those that are not loaded. */
  all: boolean;
  count: number;
  chosen: Notification[];
  /** One of them that is loaded. */
  sample: Notification | undefined;
  has: (notification: Notification) => boolean;
  toggle: (notification: Notification, range?: boolean) => void;
  begin: () => void;
  selectAll: () => void;
  clear: () => void;
}

interface State {
  view: string;
  active: boolean;
  all: boolean;
  chosen: ReadonlyMap<string, Notification>;
  last: string | undefined;
}

const NOTHING: Omit<State, 'view'> = { active: false, all: false, chosen: new Map(), last: undefined };

/**
 * Selection of rows.
 * @param rows the rows on the screen, in order, for a range with the shift key
 * @param total how many there are in all
 * @param view identifies the list: another one begins with nothing selected
 * @param loaded the rows of the list, also of folded groups: what is no longer among them is not selected
 */
export function useSelection(
  rows: readonly Notification[],
  threads: boolean,
  total: number,
  view: string,
  loaded?: Rows
): Selection {
  const [state, setState] = useState<State>({ ...NOTHING, view });
  if (state.view !== view) {
    setState({ ...NOTHING, view });
  }
  const chosen = useMemo(() => presentOf(state.chosen, loaded), [state.chosen, loaded]);
  if (state.chosen.size > 0 && chosen.size === 0) {
    setState({ ...NOTHING, view });
  }
  // Rows are memoized, so their callbacks must be stable.
  const latest = useLatest(rows);
  const toggle = useCallback(
    (notification: Notification, range = false) =>
      setState((now) => {
        const key = keyOf(notification, threads);
        const chosen = new Map(now.all ? latest.current.map((row) => [keyOf(row, threads), row]) : now.chosen);
        const on = !chosen.has(key);
        for (const row of range ? between(latest.current, threads, now.last, key) : [notification]) {
          if (on) {
            chosen.set(keyOf(row, threads), row);
          } else {
            chosen.delete(keyOf(row, threads));
          }
        }
        return { view: now.view, active: chosen.size > 0, all: false, chosen, last: key };
      }),
    [threads, latest]
  );
  return useMemo(
    () => ({
      active: state.active,
      all: state.all,
      count: state.all ? total : chosen.size,
      chosen: [...chosen.values()],
      sample: state.all ? rows[0] : chosen.values().next().value,
      has: (notification) => state.all || chosen.has(keyOf(notification, threads)),
      toggle,
      begin: () => setState({ ...NOTHING, view, active: true }),
      selectAll: () => setState({ ...NOTHING, view, active: true, all: true }),
      clear: () => setState({ ...NOTHING, view }),
    }),
    [state, chosen, rows, threads, toggle, total, view]
  );
}

/** The chosen rows that the list still has, as it has them now. */
function presentOf(chosen: State['chosen'], loaded: Rows | undefined): State['chosen'] {
  if (!loaded || chosen.size === 0) {
    return chosen;
  }
  const present = new Map(allRows(loaded).map((row) => [keyOf(row, loaded.threads), row]));
  return new Map(
    [...chosen.keys()].flatMap((key) => {
      const row = present.get(key);
      return row ? [[key, row]] : [];
    })
  );
}

function between(
  rows: readonly Notification[],
  threads: boolean,
  from: string | undefined,
  to: string
): Notification[] {
  const ends = [from, to].map((key) => rows.findIndex((row) => keyOf(row, threads) === key));
  const [start, end] = [Math.min(...ends), Math.max(...ends)];
  return start < 0 ? rows.filter((row) => keyOf(row, threads) === to) : rows.slice(start, end + 1);
}
