import { useCallback, useMemo, useState } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { keyOf } from './rows';
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
 */
export function useSelection(rows: readonly Notification[], threads: boolean, total: number, view: string): Selection {
  const [state, setState] = useState<State>({ ...NOTHING, view });
  if (state.view !== view) {
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
      count: state.all ? total : state.chosen.size,
      chosen: [...state.chosen.values()],
      sample: state.all ? rows[0] : state.chosen.values().next().value,
      has: (notification) => state.all || state.chosen.has(keyOf(notification, threads)),
      toggle,
      begin: () => setState({ ...NOTHING, view, active: true }),
      selectAll: () => setState({ ...NOTHING, view, active: true, all: true }),
      clear: () => setState({ ...NOTHING, view }),
    }),
    [state, rows, threads, toggle, total, view]
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
