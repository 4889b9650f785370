import type { RefObject } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import type { Item } from './flat';
import { useShortcuts } from './keyboard';
import type { ListFocus } from './list/useListFocus';
import type { Selection } from './useSelection';

export type RowItem = Extract<Item, { type: 'row' }>;

interface Options {
  rows: readonly RowItem[];
  focus: ListFocus;
  openKey: string | undefined;
  /** The detail covers the list. */
  covered: boolean;
  selection: Selection;
  searchRef: RefObject<HTMLInputElement>;
  disabled: boolean;
  onOpen: (row: RowItem) => void;
  onClose: () => void;
  onMark: ((rows: Notification[], seen: boolean) => void) | undefined;
  onDelete: ((rows: Notification[]) => void) | undefined;
  onUndo: () => void;
  onShowNew: () => void;
  onHelp: () => void;
}

/** Keyboard shortcuts of the page. */
export function useKeys(options: Options) {
  const { rows, focus, openKey, covered, selection, searchRef, disabled, onMark } = options;
  const here = covered ? openKey : (focus.key ?? openKey);
  const at = rows.findIndex((row) => row.key === here);

  const move = (step: 1 | -1) => {
    const target = at < 0 ? rows[0] : rows[at + step];
    if (target && covered) {
      options.onOpen(target);
    } else if (target) {
      focus.moveTo(target.key);
    }
    return true;
  };
  /** The selected rows, or the focused row. */
  const targets = (): Notification[] => {
    const row = rows[at];
    return selection.count > 0 && !covered ? selection.chosen : row ? [row.notification] : [];
  };
  const change = (act: ((rows: Notification[]) => void) | undefined) => {
    const chosen = targets();
    if (!disabled && act && chosen.length > 0) {
      act(chosen);
    }
    return true;
  };

  const actions: Record<string, () => boolean> = {
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const row = rows[at];
      if (row && !covered) {
        selection.toggle(row.notification);
        focus.moveTo(row.key);
      }
      return true;
    },
    e: () => change(onMark && ((chosen) => onMark(chosen, true))),
    u: () => change(onMark && ((chosen) => onMark(chosen, false))),
    '#': () => change(options.onDelete),
    z: () => {
      options.onUndo();
      return true;
    },
    n: () => {
      options.onShowNew();
      return true;
    },
    '/': () => {
      searchRef.current?.focus();
      return Boolean(searchRef.current);
    },
    '?': () => {
      options.onHelp();
      return true;
    },
    Escape: () => {
      if (selection.active) {
        selection.clear();
        return true;
      }
      if (openKey !== undefined && !covered) {
        options.onClose();
        return true;
      }
      return false;
    },
  };
  useShortcuts((key) => actions[key]?.() ?? false);
}
