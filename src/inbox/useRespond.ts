import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
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

/** @param onAcknowledged with what can be taken back: the newest notification of each thread */
export function useRespond(onAcknowledged: (ids: readonly number[]) => void) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['inbox'] });

  const acknowledge = useMutation({
    meta: { failure: t('inbox.failure.acknowledge', 'Could not acknowledge') },
    mutationFn: async ({
      of,
      acknowledged,
      comment,
    }: {
      /** Rows, those of bursts as filters; or a filter. */
      of: { rows: readonly Notification[]; bursts: readonly BridgeFilter[] };
      acknowledged: boolean;
      comment?: string;
    }) => {
      const body = { acknowledged, ...(comment !== undefined && { comment }) };
      const { rows, bursts } = of;
      const results =
        rows.length > 0
          ? [
              await acknowledgeIds(
                rows.map(({ id }) => id),
                body
              ),
            ]
          : [];
      for (const filter of bursts) {
        results.push(await acknowledgeMatching(filter, body));
      }
      return results;
    },
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
