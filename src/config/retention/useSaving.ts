import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RetentionPolicy, RetentionPreview } from '@nodebell/contract/retention.ts';
import { useState } from 'react';
import { previewRetention, retentionQuery, setRetention } from '../../api/retention';

/**
 * Saves a policy, after a confirmation if notifications would be removed now.
 * @param revision of the policy that was edited
 */
export function useSaving(revision: string, onSaved: () => void) {
  const client = useQueryClient();
  const [confirming, setConfirming] = useState<{
    policy: RetentionPolicy;
    revision: string;
    preview: RetentionPreview;
  }>();
  const preview = useMutation({ mutationFn: previewRetention, meta: { quiet: true } });
  const save = useMutation({
    mutationFn: setRetention,
    meta: { quiet: true },
    onSuccess(saved) {
      client.setQueryData(retentionQuery.queryKey, saved);
      onSaved();
    },
    // After a conflict, the policy of the other admin is loaded.
    onError: () => client.invalidateQueries(retentionQuery),
  });
  const dismiss = () => setConfirming(undefined);
  return {
    preview,
    save,
    confirming,
    busy: preview.isPending || save.isPending,
    error: preview.error ?? save.error,
    isConflict: save.error?.status === 409,
    dismiss,
    apply: (policy: RetentionPolicy): void =>
      preview.mutate(policy, {
        onSuccess: (found) =>
          found.removed > 0 ? setConfirming({ policy, revision, preview: found }) : save.mutate({ policy, revision }),
      }),
    confirm: () => {
      dismiss();
      if (confirming) {
        save.mutate(confirming);
      }
    },
    reset: () => {
      preview.reset();
      save.reset();
    },
  };
}
