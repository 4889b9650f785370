import { useQuery } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { detailQuery } from './queries';

/**
 * The notification whose detail is shown.
 * @param row the row of the list, shown until the bridge has responded
 */
export function useDetail(id: number | undefined, row: Notification | undefined) {
  const { data, error } = useQuery({
    ...detailQuery(id ?? 0),
    enabled: id !== undefined,
    placeholderData: row && { ...row, members: [] },
  });
  return { detail: id === undefined ? undefined : data, gone: id !== undefined && error?.kind === 'not-found' };
}
