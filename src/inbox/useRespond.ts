import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { MAX_LIMIT } from '@nodebell/contract/query.ts';
import type { BridgeFilter } from '../api/query';
import {
  acknowledgeThreads,
  addComment,
  assignThreads,
  changeComment,
  snoozeThreads,
  type These,
} from '../api/respond';
import { may } from '../api/permissions';
import { t } from '../i18n/t';
import type { Undoable } from './useActions';
import type { Selection } from './useSelection';

export type Respond = ReturnType<typeof useRespond>;

/** Rows, and those of bursts as filters. */
export interface Chosen {
  rows: readonly Notification[];
  bursts: readonly BridgeFilter[];
}

/** One row. */
export const chosenOf = (row: Notification): Chosen => ({ rows: [row], bursts: [] });

/** A finished action, and its undo. */
export type Responded = Pick<Undoable, 'what' | 'count'> & { takeBack: () => Promise<unknown> };

async function toAll<T>({ rows, bursts }: Chosen, send: (these: These) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < rows.length; start += MAX_LIMIT) {
    results.push(await send({ ids: rows.slice(start, start + MAX_LIMIT).map(({ id }) => id) }));
  }
  for (const filter of bursts) {
    results.push(await send({ filter }));
  }
  return results;
}

/** Undefined if nothing was changed, or too many to list. */
function changedIds(results: ReadonlyArray<{ ids: number[] | null }>): number[] | undefined {
  const ids = results.flatMap((result) => result.ids ?? []);
  return ids.length > 0 && results.every((result) => result.ids !== null) ? ids : undefined;
}

/** Changes many threads, one, or all that match, so that it can be taken back. */
function useRespondMany(onDone: (done: Responded) => void) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['inbox'] });

  const acknowledge = useMutation({
    meta: { failure: t('inbox.failure.acknowledge', 'Could not acknowledge') },
    mutationFn: ({ of, ...body }: { of: Chosen; acknowledged: boolean; comment?: string }) =>
      toAll(of, (these) => acknowledgeThreads(these, body)),
    onSuccess: (results, { acknowledged }) => {
      const ids = changedIds(results);
      if (acknowledged && ids) {
        const takeBack = () => acknowledgeThreads({ ids }, { acknowledged: false });
        onDone({ what: 'acknowledged', count: ids.length, takeBack });
      }
    },
    onSettled,
  });
  const snooze = useMutation({
    meta: { failure: t('inbox.failure.snooze', 'Could not snooze') },
    mutationFn: ({ of, until, whose }: { of: Chosen; until: string | null; whose?: 'me' | 'all' }) =>
      toAll(of, (these) => snoozeThreads(these, until, whose)),
    onSuccess: (results, { until, whose }) => {
      const ids = changedIds(results);
      if (until !== null && ids) {
        onDone({ what: 'snoozed', count: ids.length, takeBack: () => snoozeThreads({ ids }, null, whose) });
      }
    },
    onSettled,
  });
  const assign = useMutation({
    meta: { failure: t('inbox.failure.assign', 'Could not assign') },
    mutationFn: ({ of, assignee }: { of: Chosen; assignee: string | null }) =>
      toAll(of, (these) => assignThreads(these, assignee)),
    onSuccess: (results) => {
      const ids = changedIds(results);
      if (ids) {
        const before = results.flatMap((result) => result.before ?? []);
        const takeBack = () => Promise.all(before.map((one) => assignThreads({ ids: one.ids }, one.assignee)));
        onDone({ what: 'assigned', count: ids.length, takeBack });
      }
    },
    onSettled,
  });
  return {
    acknowledge: acknowledge.mutate,
    /** Rejects if it fails. */
    acknowledgeWith: acknowledge.mutateAsync,
    snooze: snooze.mutate,
    assign: assign.mutate,
  };
}

/** @param onDone with what can be taken back */
export function useRespond(onDone: (done: Responded) => void) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['inbox'] });
  const many = useRespondMany(onDone);

  const comment = useMutation({
    meta: { failure: t('inbox.failure.comment', 'Could not save the comment') },
    mutationFn: ({ id, text }: { id: number; text: string }) => addComment(id, text),
    onSettled,
  });
  const edit = useMutation({
    meta: { failure: t('inbox.failure.comment', 'Could not save the comment') },
    mutationFn: (change: { comment: number; text: string }) => changeComment(change.comment, change.text),
    onSettled,
  });
  const remove = useMutation({
    meta: { failure: t('inbox.failure.delete-comment', 'Could not delete the comment') },
    mutationFn: (id: number) => changeComment(id, undefined),
    onSettled,
  });
  return { ...many, comment: comment.mutateAsync, edit: edit.mutateAsync, removeComment: remove.mutate };
}

interface Responding {
  selection: Selection;
  /** The rows of bursts as filters, and the other rows. */
  split: (rows: readonly Notification[]) => [bursts: BridgeFilter[], others: Notification[]];
  /** The filter of all rows. */
  matching: () => BridgeFilter;
  offer: (done: Responded) => void;
}

/** Handlers for rows, and for the selected ones; undefined without permission. */
export function useResponding({ selection, split, matching, offer }: Responding) {
  const respond = useRespond(offer);
  const chosen = (some: readonly Notification[]): Chosen => {
    const [bursts, rows] = split(some);
    return { rows, bursts };
  };
  const selected = (): Chosen => {
    selection.clear();
    return selection.all ? { rows: [], bursts: [matching()] } : chosen(selection.chosen);
  };
  const acknowledge = (some: readonly Notification[]) => {
    selection.clear();
    respond.acknowledge({ of: chosen(some), acknowledged: true });
  };
  const snooze = (until: string | null, whose: 'me' | 'all') => respond.snooze({ of: selected(), until, whose });
  const mayWrite = may('inbox:write');
  return {
    respond,
    acknowledge: mayWrite ? acknowledge : undefined,
    acknowledgeSelected: mayWrite ? () => respond.acknowledge({ of: selected(), acknowledged: true }) : undefined,
    snoozeSelected: may('inbox:seen') ? snooze : undefined,
    assignSelected: mayWrite ? (assignee: string | null) => respond.assign({ of: selected(), assignee }) : undefined,
  };
}
