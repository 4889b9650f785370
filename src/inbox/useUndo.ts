import { UNDO_MS } from '@nodebell/contract/query.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { restoreDeleted } from '../api/notifications';
import { t } from '../i18n/t';
import type { Deletion } from './useActions';
import type { Loaded } from './loaded';
import { rowsKey } from './queries';
import { putBack } from './rows';

/** The bridge counts from the deletion; the way there and back takes a moment too. */
const MARGIN_MS = 1000;

/** The last deletion, while it can be undone. */
export function useUndo() {
  const client = useQueryClient();
  const [last, setLast] = useState<(Deletion & { until: number }) | undefined>();
  const offer = useCallback(
    (deletion: Deletion) => setLast({ ...deletion, until: Date.now() + UNDO_MS - MARGIN_MS }),
    []
  );
  const dismiss = useCallback(() => setLast(undefined), []);

  useEffect(() => {
    if (!last) {
      return undefined;
    }
    const timer = setTimeout(dismiss, Math.max(0, last.until - Date.now()));
    return () => clearTimeout(timer);
  }, [last, dismiss]);

  const restore = useMutation({
    meta: { failure: t('inbox.failure.undo', 'Could not undo') },
    mutationFn: async ({ undo }: Deletion) => {
      for (const key of undo) {
        await restoreDeleted(key);
      }
    },
    onSuccess: (_data, { before, keys, view }) => {
      client.setQueryData<Loaded>(
        rowsKey(view),
        (loaded) => loaded && before && { ...loaded, rows: putBack(loaded.rows, before, keys) }
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });

  const undo = () => {
    if (last) {
      restore.mutate(last);
      dismiss();
    }
  };
  return { last, offer, dismiss, undo };
}
