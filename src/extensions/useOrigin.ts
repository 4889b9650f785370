import { locationService } from '@grafana/runtime';
import { useEffect, useState } from 'react';
import type { Origin } from '@nodebell/contract/origin.ts';
import { toBridgeError, type BridgeError } from '../api/errors';
import { findOrigin, type OriginFilter } from '../api/origin';
import { pathTo } from '../routes';

/** What is not there: nothing was found. How far was looked is part of the answer. */
export type Nothing = Omit<Origin, 'notification'>;

/**
 * Looks for the notification, and goes to it when there is one.
 * @param filter of which it came; undefined while that is not known
 */
export function useOrigin(filter: OriginFilter | undefined, onDismiss: (() => void) | undefined) {
  const [nothing, setNothing] = useState<Nothing>();
  const [error, setError] = useState<BridgeError>();
  const asked = filter && JSON.stringify(filter);
  useEffect(() => {
    if (asked === undefined) {
      return;
    }
    const stop = new AbortController();
    findOrigin(JSON.parse(asked) as OriginFilter, stop.signal).then(
      ({ notification, ...told }) => {
        if (stop.signal.aborted) {
          return;
        }
        if (notification === null) {
          setNothing(told);
          return;
        }
        onDismiss?.();
        locationService.push(pathTo.notification(notification.id));
      },
      (thrown: unknown) => !stop.signal.aborted && setError(toBridgeError(thrown))
    );
    return () => stop.abort();
    // `onDismiss` is another function with each drawing, and none of them asks anew.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [asked]);
  return { nothing, error };
}
