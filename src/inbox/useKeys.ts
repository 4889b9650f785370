import { type RefObject, useEffect } from 'react';
import { t } from '../i18n/t';
import { type PlainId, ACTION_IDS, ACTIONS } from './actions';
import type { Item } from './flat';
import type { ListFocus } from './list/useVirtualList';
import type { Selection } from './useSelection';
import { useLatest } from '../components/useLatest';

export type RowItem = Extract<Item, { type: 'row' }>;

/** Opened by a key for a row: the field for a comment, the choice of times to snooze, or the silence. */
export type Response = 'comment' | 'snooze' | 'silence';

interface Options {
  items: readonly Item[];
  focus: ListFocus;
  openKey: string | undefined;
  /** The detail covers the list. */
  covered: boolean;
  selection: Selection;
  searchRef: RefObject<HTMLInputElement>;
  disabled: boolean;
  onOpen: (row: RowItem) => void;
  onClose: () => void;
  /** @param row undefined: the selected rows */
  onAction: (id: PlainId, row: RowItem | undefined) => void;
  onRespond: (row: RowItem, what: Response) => void;
  onUndo: () => void;
  onShowNew: () => void;
  onHelp: () => void;
}

const isRow = (item: Item): item is RowItem => item.type === 'row';

/** Keyboard shortcuts of the page. */
export function useKeys(options: Options) {
  const { items, focus, openKey, covered, selection, searchRef, disabled } = options;
  const here = covered ? openKey : (focus.key ?? openKey);
  const at = items.findIndex((item) => item.key === here);

  const row = items.slice(at, at + 1).find(isRow);
  const move = (step: 1 | -1) => {
    // The focus may be on a header too.
    const target = step > 0 || at < 0 ? items.slice(at + 1).find(isRow) : items.slice(0, at).findLast(isRow);
    if (target && covered) {
      options.onOpen(target);
    } else if (target) {
      focus.moveTo(target.key);
    }
  };
  const select = (chosen: RowItem) => {
    selection.toggle(chosen.notification);
    focus.moveTo(chosen.key);
  };
  /** Changes the selected rows, or the focused row; only the detail if it covers the list. */
  const change = (id: PlainId) => {
    const many = selection.count > 0 && !covered;
    if (!disabled && (many || row)) {
      options.onAction(id, many ? undefined : row);
    }
  };
  const respond = (what: Response) => !disabled && row && options.onRespond(row, what);

  /** Undefined leaves the key alone. */
  const others: Record<string, (() => unknown) | undefined> = {
    j: () => move(1),
    k: () => move(-1),
    x: () => row && !covered && select(row),
    c: () => respond('comment'),
    s: () => respond('snooze'),
    i: () => respond('silence'),
    z: options.onUndo,
    n: options.onShowNew,
    '?': options.onHelp,
    Escape: selection.active ? selection.clear : openKey !== undefined && !covered ? options.onClose : undefined,
  };
  useShortcuts((key) => {
    const id = ACTION_IDS.find((each): each is PlainId => ACTIONS[each].key === key);
    const search = key === '/' ? searchRef.current : null;
    const run = id ? () => change(id) : search ? () => search.focus() : others[key];
    run?.();
    return run !== undefined;
  });
}

/** Keyboard shortcuts and their descriptions. */
export const shortcuts = (): Array<{ keys: string; label: string }> => [
  { keys: 'j / k', label: t('inbox.keys.move', 'Next or previous notification') },
  { keys: 'Enter', label: t('inbox.keys.open', 'Open') },
  { keys: 'x', label: t('inbox.keys.select', 'Select') },
  ...Object.values(ACTIONS).flatMap(({ key, label }) => (key === undefined ? [] : { keys: key, label: label() })),
  { keys: 'c', label: t('inbox.respond.comment', 'Comment') },
  { keys: 's', label: t('inbox.snooze.snooze', 'Snooze') },
  { keys: 'i', label: t('inbox.silence.silence', 'Silence') },
  { keys: 'z', label: t('inbox.keys.undo', 'Undo') },
  { keys: '/', label: t('inbox.keys.search', 'Search') },
  { keys: 'n', label: t('inbox.keys.new', 'Show new notifications') },
  { keys: '?', label: t('inbox.keys.help', 'Show keyboard shortcuts') },
];

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable=""], [contenteditable=true]';
const MENUS = '[role=menu], [role=listbox]';

/** A dialog has its own keys, except the drawer that shows a notification. */
function isElsewhere(target: Element): boolean {
  const dialog = target.closest('[role=dialog]');
  return Boolean(target.closest(MENUS)) || Boolean(dialog && !dialog.querySelector('[data-detail]'));
}

/** The first key of Grafana's key sequences: "g e" opens Explore. */
const BEGINS_GRAFANAS = 'g';
/** Time that Grafana waits for the second key. */
const GRAFANA_WAITS_MS = 1000;

/** Whether the focused element handles the key: a text field, a menu, a dialog. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : undefined;
  const modified = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
  return modified || Boolean(target && (target.closest(TYPING) || isElsewhere(target)));
}

/**
 * Handles keys anywhere on the page before Grafana, which also uses `?` and others. The key that follows Grafana's
 * `g` is left to Grafana.
 * @param handle returns false to leave the key alone
 */
function useShortcuts(handle: (key: string, event: KeyboardEvent) => boolean) {
  const latest = useLatest(handle);
  useEffect(() => {
    let grafanasUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTaken(event)) {
        return;
      }
      const isGrafanas = event.timeStamp < grafanasUntil;
      grafanasUntil = !isGrafanas && event.key === BEGINS_GRAFANAS ? event.timeStamp + GRAFANA_WAITS_MS : 0;
      if (!isGrafanas && latest.current(event.key, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [latest]);
}
