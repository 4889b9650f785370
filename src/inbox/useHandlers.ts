import type { Notification } from '@nodebell/contract/notification.ts';
import { may } from '../api/permissions';
import { burstOf, hasOpen } from './bursts';
import { wholeFilter } from './filter';
import type { Group } from './flat';
import type { GroupActions } from './list/GroupHeader';
import type { ListFocus } from './list/useVirtualList';
import type { Loaded } from './loaded';
import { resolveRange } from './queries';
import { keyOf } from './rows';
import { useActions } from './useActions';
import type { RowItem } from './useKeys';
import type { Selection } from './useSelection';
import type { useUndo } from './Undo';
import type { SetView } from './useInbox';
import { useResponding } from './useRespond';
import { showsThreads, type Tab, type View } from './view';

interface Options {
  view: View;
  setView: SetView;
  rows: readonly RowItem[];
  focus: ListFocus;
  selection: Selection;
  openKey: string | undefined;
  loaded: Loaded | undefined;
  undo: ReturnType<typeof useUndo>;
}

/** Event handlers of the page. */
export function useHandlers({ view, setView, rows, focus, selection, openKey, loaded, undo }: Options) {
  const actions = useActions(view, undo.offer);
  const threads = showsThreads(view);
  /** All matching rows that are shown. Pending arrivals have not been seen. */
  const matching = (group?: Group) => ({
    ...wholeFilter(view, resolveRange),
    ...(group && { category: [group.category] }),
    untilId: loaded ? lastShown(loaded) : 0,
  });

  const open = (id: number | undefined) => setView({ id }, { push: view.id === undefined });
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
  const remove = (chosen: readonly Notification[]) => {
    const gone = new Set(chosen.map((row) => keyOf(row, threads)));
    const first = rows.findIndex((row) => gone.has(row.key));
    const left = (row: RowItem) => !gone.has(row.key);
    const next = rows.slice(Math.max(0, first)).find(left) ?? rows.slice(0, Math.max(0, first)).findLast(left);
    actions.remove(chosen);
    selection.clear();
    if (openKey !== undefined && gone.has(openKey)) {
      setView({ id: undefined });
    }
    if (next) {
      focus.moveTo(next.key);
    }
  };
  const removeMatching = (count: number, group?: Group) => {
    actions.removeAll({ filter: matching(group), count });
    selection.clear();
    setView({ id: undefined });
  };
  const switchCategory = may('inbox:write')
    ? (category: string, enabled: boolean) => actions.switchCategory({ category, enabled })
    : undefined;

  const responding = useResponding({
    selection,
    split: actions.split,
    matching,
    offer: (done) => undo.offer({ ...done, undo: [], before: undefined, keys: new Set(), view }),
  });

  const maySee = may('inbox:seen');
  const markSelected = (seen: boolean) => {
    if (selection.all && !seen) {
      return; // not offered: of threads it would mark the newest member only
    }
    if (selection.all) {
      actions.markAll(matching());
    } else {
      actions.mark({ rows: selection.chosen, seen });
    }
    selection.clear();
  };

  const resolveSelected = () => {
    actions.resolveMany(selection.all ? matching() : selection.chosen.filter(hasOpen));
    selection.clear();
  };

  const groupActions: GroupActions = {
    onRead: maySee ? (group) => actions.markAll(matching(group)) : undefined,
    onShowOnly: (group) => setView({ categories: [group.category] }),
    onSwitch: switchCategory && ((group) => switchCategory(group.category, !group.enabled)),
    onDelete: may('inbox:write') ? (group) => removeMatching(group.count, group) : undefined,
  };

  return {
    actions,
    open,
    openRow,
    closeBurst: () => setView({ burst: undefined, id: undefined }),
    remove,
    ...responding,
    groupActions,
    switchCategory,
    changeTab: (tab: Tab) => {
      selection.clear();
      setView({ tab, id: undefined });
    },
    /** Handlers that mark are undefined for anonymous users. */
    markAll: maySee ? () => actions.markAll(matching()) : undefined,
    mark: maySee ? actions.mark : undefined,
    markSelected: maySee ? markSelected : undefined,
    /** Resolves all open threads that the list shows. */
    resolveShown: may('inbox:write') ? () => actions.resolveMany(matching()) : undefined,
    resolveSelected:
      may('inbox:write') && (selection.all || selection.chosen.some(hasOpen)) ? resolveSelected : undefined,
    removeSelected: () => (selection.all ? removeMatching(selection.count) : remove(selection.chosen)),
  };
}

/** The highest id that the list shows. */
function lastShown({ waiting, lastId }: Loaded): number {
  return waiting.length > 0 ? Math.min(...waiting.map(({ id }) => id)) - 1 : lastId;
}
