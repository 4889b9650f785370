/** Requests to respond to threads. */
import { RESPOND } from '@nodebell/contract/api/respond.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client';
import { selected, type These } from './query';

/** Acknowledges threads, or removes their acknowledgements. */
export const acknowledgeThreads = (these: These, body: { acknowledged: boolean; comment?: string | undefined }) =>
  call(RESPOND.acknowledgeNotifications, { body: { ...selected(these), ...body } });

/** @param until ISO 8601; null ends the snooze */
export const snoozeThreads = (these: These, until: string | null, whose: 'me' | 'all' | undefined) =>
  call(RESPOND.snoozeNotifications, { body: { ...selected(these), until, ...(whose && { for: whose }) } });

/** @param assignee null: nobody */
export const assignThreads = (these: These, assignee: string | null) =>
  call(RESPOND.assignNotifications, { body: { ...selected(these), assignee } });

export const addComment = (id: number, text: string) => call(RESPOND.addComment, { params: { id }, body: { text } });

/** @param text undefined: deletes the comment */
export const changeComment = (id: number, text: string | undefined) =>
  text === undefined
    ? call(RESPOND.deleteComment, { params: { id } })
    : call(RESPOND.editComment, { params: { id }, body: { text } });

/** The people who have opened the inbox; threads can be assigned to them. */
export const peopleQuery = queryOptions({
  queryKey: ['inbox', 'people'],
  queryFn: ({ signal }) => call(RESPOND.listPeople, { signal }),
  staleTime: 60_000,
});
