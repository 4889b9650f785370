import type { Notification } from '@nodebell/contract/notification.ts';
import { type ActionId, ACTIONS, isPermitted, type Targets } from './actions';
import { burstOf } from '../components/bursts';
import { burstFilter, wholeFilter } from './filter';
import { type Group, onlyGroup } from './grouping';
import type { Loaded } from './loaded';
import { resolveRange } from './queries';
import { countThreads } from './rows';
import type { Selection } from './useSelection';
import { showsThreads, type View } from './view';

interface List {
  view: View;
  loaded: Loaded | undefined;
  /** Number of rows, also those that are not loaded. */
  total: number;
  selection: Pick<Selection, 'all' | 'chosen'>;
}

/** Targets of actions in the list. */
export function createTargets({ view, loaded, total, selection }: List) {
  const threads = showsThreads(view);
  /** The rows of bursts stand for what matches, without later arrivals. */
  const targetsOf = (chosen: readonly Notification[], wholeThreads = threads): Targets => ({
    rows: chosen,
    ids: chosen.filter((row) => !burstOf(row)).map(({ id }) => id),
    filters: chosen
      .flatMap((row) => burstOf(row)?.id ?? [])
      .map((id) => ({ untilId: loaded?.lastId, ...burstFilter(view, resolveRange, id) })),
    count: countThreads(chosen),
    wholeThreads,
  });
  /** All matching rows that are shown. Pending arrivals have not been seen. */
  const matching = (group?: Group): Targets => {
    const shown = group ? { ...view, ...onlyGroup(view, group) } : view;
    const filter = { ...wholeFilter(shown, resolveRange), untilId: loaded ? lastShown(loaded) : 0 };
    const count = group ? group.count : total;
    return { rows: group || filter.category ? [] : 'all', ids: [], filters: [filter], count, wholeThreads: threads };
  };

  /** Selected rows that an action changes; undefined if it applies to none. */
  const selectedFor = (id: ActionId): Targets | undefined => {
    const { appliesTo, notFor } = ACTIONS[id];
    if (!isPermitted(id, view.tab === 'errors') || notFor === 'many') {
      return undefined;
    }
    if (selection.all) {
      return notFor === 'all' ? undefined : matching();
    }
    const chosen = appliesTo ? selection.chosen.filter(appliesTo) : selection.chosen;
    return appliesTo && chosen.length === 0 ? undefined : targetsOf(chosen);
  };
  return { targetsOf, matching, selectedFor };
}

/** The highest id that the list shows. */
function lastShown({ waiting, lastId }: Loaded): number {
  return waiting.length > 0 ? Math.min(...waiting.map(({ id }) => id)) - 1 : lastId;
}
