import { usePluginUserStorage } from '@grafana/runtime';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../../api/userStorage';
import type { SetView } from '../useInbox';
import { type View, writeView } from '../view';
import { type Change, parseViews, viewOf } from './savedViews';

const KEY = 'inbox-views';

/** Read again whenever a menu or dialog opens: no event says that another tab has changed them. */
const savedViewsQuery = () => ({
  queryKey: ['saved-views'],
  queryFn: async () => parseViews(await readStored(KEY)),
  staleTime: 0,
});

export const useSavedViews = (enabled = true) => useQuery({ ...savedViewsQuery(), enabled });

/** Applies a change to what is stored at that moment. */
export function useChangeViews() {
  const client = useQueryClient();
  const storage = usePluginUserStorage();
  const { queryKey, queryFn } = savedViewsQuery();
  return useMutation({
    scope: { id: KEY },
    // The dialogs show errors.
    meta: { quiet: true },
    mutationFn: async (change: Change) => {
      const views = change(await queryFn());
      await writeStored(storage, KEY, JSON.stringify(views));
      return views;
    },
    onSuccess: (views) => client.setQueryData(queryKey, views),
    onError: () => client.invalidateQueries({ queryKey }),
  });
}

/** Shows the default view, if the page was opened without a query and still has none. */
export function useDefaultView(view: View, setView: SetView) {
  const isBlank = writeView(view).size === 0;
  const [wasBlank] = useState(isBlank);
  const isOpening = useRef(isBlank);
  const { data, isPending } = useSavedViews(wasBlank);
  useEffect(() => {
    if (!isOpening.current || (isBlank && isPending)) {
      return;
    }
    isOpening.current = false;
    const chosen = data?.find(({ isDefault }) => isDefault);
    if (isBlank && chosen) {
      setView(viewOf(chosen));
    }
  }, [isBlank, isPending, data, setView]);
}
