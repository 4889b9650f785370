import { locationService } from '@grafana/runtime';
import { useEffect, useState } from 'react';
import type { Origin } from '@nodebell/contract/origin.ts';
import { toBridgeError, type BridgeError } from '../api/errors';
import { findOrigin, type OriginFilter } from '../api/notifications';
import { pathTo } from '../routes';

/** No notification was found; says how far back was searched. */
export type Nothing = Omit<Origin, 'notification'>;

/**
 * Searches for a notification and opens it when there is one.
 * @param filter the origin of the notification; undefined while unknown
 */
export function useOrigin(filter: OriginFilter | undefined, onDismiss: (() => void) | undefined) {
  const [nothing, setNothing] = useState<Nothing>();
  const [error, setError] = useState<BridgeError>();
  const request = filter && JSON.stringify(filter);
  useEffect(() => {
    if (request === undefined) {
      return;
    }
    const stop = new AbortController();
    findOrigin(JSON.parse(request) as OriginFilter, stop.signal).then(
      ({ notification, ...result }) => {
        if (stop.signal.aborted) {
          return;
        }
        if (notification === null) {
          setNothing(result);
          return;
        }
        onDismiss?.();
        locationService.push(pathTo.notification(notification.id));
      },
      (thrown: unknown) => !stop.signal.aborted && setError(toBridgeError(thrown))
    );
    return () => stop.abort();
    // `onDismiss` changes with each render and must not repeat the request.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [request]);
  return { nothing, error };
}
