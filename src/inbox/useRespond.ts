import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { MAX_LIMIT } from '@nodebell/contract/query.ts';
import type { BridgeFilter } from '../api/query';
import {
  acknowledgeIds,
  acknowledgeMatching,
  addComment,
  assignThread,
  changeComment,
  listPeople,
  snoozeThread,
} from '../api/respond';
import { t } from '../i18n/t';

export const peopleQuery = () =>
  queryOptions({ queryKey: ['inbox', 'people'], queryFn: ({ signal }) => listPeople(signal), staleTime: 60_000 });

export type Respond = ReturnType<typeof useRespond>;

interface Acknowledge {
  /** Rows, and those of bursts as filters. */
  of: { rows: readonly Notification[]; bursts: readonly BridgeFilter[] };
  acknowledged: boolean;
  comment?: string;
}

async function acknowledgeAll({ of: { rows, bursts }, ...body }: Acknowledge) {
  const results = [];
  for (let start = 0; start < rows.length; start += MAX_LIMIT) {
    const ids = rows.slice(start, start + MAX_LIMIT).map(({ id }) => id);
    results.push(await acknowledgeIds(ids, body));
  }
  for (const filter of bursts) {
    results.push(await acknowledgeMatching(filter, body));
  }
  return results;
}

/** @param onAcknowledged with what can be taken back: the newest notification of each thread */
export function useRespond(onAcknowledged: (ids: readonly number[]) => void) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['inbox'] });

  const acknowledge = useMutation({
    meta: { failure: t('inbox.failure.acknowledge', 'Could not acknowledge') },
    mutationFn: acknowledgeAll,
    onSuccess: (results, { acknowledged }) => {
      const ids = results.flatMap((result) => result.ids ?? []);
      if (acknowledged && ids.length > 0 && results.every((result) => result.ids !== null)) {
        onAcknowledged(ids);
      }
    },
    onSettled,
  });
  const comment = useMutation({
    meta: { failure: t('inbox.failure.comment', 'Could not save the comment') },
    mutationFn: ({ id, text }: { id: number; text: string }) => addComment(id, text),
    onSettled,
  });
  const edit = useMutation({
    meta: { failure: t('inbox.failure.comment', 'Could not save the comment') },
    mutationFn: (change: { comment: number; text: string | undefined }) => changeComment(change.comment, change.text),
    onSettled,
  });
  const snooze = useMutation({
    meta: { failure: t('inbox.failure.snooze', 'Could not snooze') },
    mutationFn: (change: { id: number; until: string | null; whose?: 'me' | 'all' }) =>
      snoozeThread(change.id, change.until, change.whose),
    onSettled,
  });
  const assign = useMutation({
    meta: { failure: t('inbox.failure.assign', 'Could not assign') },
    mutationFn: ({ id, assignee }: { id: number; assignee: string | null }) => assignThread(id, assignee),
    onSettled,
  });
  return {
    acknowledge: acknowledge.mutate,
    comment: comment.mutateAsync,
    edit: edit.mutate,
    snooze: snooze.mutate,
    assign: assign.mutate,
  };
}
