import { AppEvents } from '@grafana/data';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { call } from '../api/client';
import { packagesKey } from '../api/packages';
import { t } from '../i18n/t';
import { packageQuery } from './queries';
import { toast } from '../api/toast';

export type Removal = ReturnType<typeof useRemoval>;

/** Removal of a package; loads the author's warning for the confirmation. */
export function useRemoval(onRemoved?: () => void) {
  const [target, setTarget] = useState<PackageSummary>();
  // The list does not include warnings.
  const { data, error } = useQuery({ ...packageQuery(target?.dnpName ?? ''), enabled: target !== undefined });
  const { mutate, isPending } = useMutation({
    mutationFn: (dnpName: string) => call(PACKAGES.removePackage, { params: { dnpName } }),
    meta: { failure: t('packages.remove.failed', 'Could not remove the package'), rereads: [packagesKey] },
    onSuccess: (_data, dnpName) => {
      toast(AppEvents.alertSuccess, t('packages.remove.done', 'Removed {{name}}', { name: dnpName }));
      setTarget(undefined);
      onRemoved?.();
    },
  });
  return {
    target,
    open: setTarget,
    cancel: () => setTarget(undefined),
    /** Whether the author's warning was loaded or failed to load. */
    ready: data !== undefined || error !== null,
    warning: data?.facts.warnings.onRemove,
    error,
    busy: isPending,
    confirm: () => target && mutate(target.dnpName),
  };
}
