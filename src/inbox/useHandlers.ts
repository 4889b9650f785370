import { useMutation } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { setCategory } from '../api/notifications';
import { may } from '../api/permissions';
import { t } from '../i18n/t';
import type { Run, Targets } from './actions';
import { burstOf } from '../components/bursts';
import type { ListFocus } from './list/useVirtualList';
import type { Loaded } from './loaded';
import { keyOf } from './rows';
import { createTargets } from './targets';
import type { RowItem } from './useKeys';
import type { Selection } from './useSelection';
import type { SetView } from './useInbox';
import { type Undoable, useRun } from './useRun';
import { showsDetail, showsThreads, type Tab, type View } from './view';

interface Options {
  view: View;
  setView: SetView;
  rows: readonly RowItem[];
  /** Number of rows, also those that are not loaded. */
  total: number;
  focus: ListFocus;
  selection: Selection;
  openKey: string | undefined;
  loaded: Loaded | undefined;
  offer: (done: Undoable) => void;
}

/** Event handlers of the page. */
export function useHandlers(options: Options) {
  const { view, setView, rows, total, focus, selection, openKey, loaded, offer } = options;
  const runs = useRun(view, offer);
  const threads = showsThreads(view);

  const targets = createTargets({ view, loaded, total, selection });

  const open = (id: number | undefined) => setView({ id }, { push: !showsDetail(view) });
  /** The detail of a notification, or the threads of a burst. */
  const openRow = (row: Notification) => {
    const burst = burstOf(row);
    if (burst) {
      selection.clear();
      setView({ burst: burst.id, id: undefined }, { push: true });
    } else {
      open(row.id);
    }
  };
  /** Moves focus and detail away from rows that are being deleted. */
  const leave = ({ rows: chosen }: Targets) => {
    const gone = new Set(chosen === 'all' ? [] : chosen.map((row) => keyOf(row, threads)));
    const first = Math.max(
      0,
      rows.findIndex((row) => gone.has(row.key))
    );
    const left = (row: RowItem) => !gone.has(row.key);
    const next = rows.slice(first).find(left) ?? rows.slice(0, first).findLast(left);
    selection.clear();
    if (gone.size === 0 || (openKey !== undefined && gone.has(openKey))) {
      setView({ id: undefined });
    }
    if (next && gone.size > 0) {
      focus.moveTo(next.key);
    }
  };
  const run: Run = (id, of, ...args) => {
    runs.run(id, of, ...args);
    if (id === 'delete') {
      leave(of);
    }
  };

  return {
    run,
    runAsync: runs.runAsync,
    /** Runs an action on the selected rows, which ends the selection. */
    runSelected: ((id, ...rest) => {
      run(id, ...rest);
      selection.clear();
    }) as Run,
    ...targets,
    open,
    openRow,
    closeBurst: () => setView({ burst: undefined, id: undefined }),
    switchCategory: useSwitchCategory(),
    changeTab: (tab: Tab) => {
      selection.clear();
      setView({ tab, id: undefined });
    },
  };
}

/** Undefined without permission. */
function useSwitchCategory() {
  const { mutate } = useMutation({
    meta: { failure: t('inbox.failure.category', 'Could not change the category'), rereads: [['inbox']] },
    mutationFn: ({ category, enabled }: { category: string; enabled: boolean }) => setCategory(category, enabled),
  });
  return may('inbox:write') ? (category: string, enabled: boolean) => mutate({ category, enabled }) : undefined;
}
