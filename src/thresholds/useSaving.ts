import { useMutation, useQueryClient, type QueryClient, notifyManager } from '@tanstack/react-query';
import type { EndpointOverview, EndpointPatch, PackageSwitchBody } from '@nodebell/contract/endpoint.ts';
import { THRESHOLDS } from '@nodebell/contract/api/thresholds.ts';
import { call } from '../api/client';
import { putEndpoint, putPackage } from './overview';
import { overviewQuery, packageQuery } from './queries';
import { useRef, useState, useEffect } from 'react';
import { toBridgeError, type BridgeError } from '../api/errors';
import { createGesture, type Gesture, type GestureHandlers } from './gesture';

/** Merges a response into the cached overview. Requests in flight may carry older data and are repeated. */
async function merge(client: QueryClient, dnpName: string, change: (overview: EndpointOverview) => EndpointOverview) {
  const { queryKey } = overviewQuery();
  await client.cancelQueries({ queryKey: packageQuery(dnpName).queryKey });
  const inFlight = client.isFetching({ queryKey }) > 0;
  client.setQueryData(queryKey, (overview) => overview && change(overview));
  if (inFlight) {
    void client.invalidateQueries({ queryKey });
  }
}

/** Changes to the same package are sent one after another, so that the last one wins. */
const scopeOf = (dnpName: string) => ({ id: `thresholds ${dnpName}` });

/** Saves the settings of an endpoint. The caller shows errors. */
export function useSaveEndpoint(dnpName: string, correlationId: string) {
  const client = useQueryClient();
  return useMutation({
    scope: scopeOf(dnpName),
    meta: { quiet: true },
    mutationFn: (patch: EndpointPatch) =>
      call(THRESHOLDS.setEndpoint, { params: { dnpName, correlationId }, body: patch }),
    onSuccess: (endpoint) => merge(client, dnpName, (overview) => putEndpoint(overview, dnpName, endpoint)),
  }).mutateAsync;
}

/** Saves the switch of a package (null resets it), or discards saved settings of endpoints. The caller shows errors. */
export function useSavePackage(dnpName: string) {
  const client = useQueryClient();
  return useMutation({
    scope: scopeOf(dnpName),
    meta: { quiet: true },
    mutationFn: (change: PackageSwitchBody) => call(THRESHOLDS.setPackage, { params: { dnpName }, body: change }),
    onSuccess: async (one) => {
      await merge(client, dnpName, (overview) => putPackage(overview, one));
      client.setQueryData(packageQuery(dnpName).queryKey, one);
    },
  }).mutateAsync;
}

export interface Failure {
  error: BridgeError;
  retry: () => void;
}

interface Optimistic<T> {
  /** The value to show: the pending one until the bridge responds, then the bridge's. */
  shown: T;
  set: (value: T, save: () => Promise<unknown>) => void;
  /** Why the last change was not saved; cleared by the next change. */
  failure: Failure | undefined;
}

/**
 * Shows a change immediately and reverts it if it cannot be saved.
 * @param value current value on the bridge
 */
export function useOptimistic<T>(value: T): Optimistic<T> {
  const [pending, setPending] = useState<{ value: T; round: number }>();
  const [failure, setFailure] = useState<Failure>();
  const round = useRef(0);
  const set = (next: T, save: () => Promise<unknown>) => {
    round.current += 1;
    const own = round.current;
    setPending({ value: next, round: own });
    setFailure(undefined);
    // Scheduled with the updates of the query cache, so that the old value does not flash in between.
    const settle = () => notifyManager.schedule(() => setPending((now) => (now?.round === own ? undefined : now)));
    save().then(settle, (thrown: unknown) => {
      settle();
      if (own === round.current) {
        setFailure({ error: toBridgeError(thrown), retry: () => set(next, save) });
      }
    });
  };
  return { shown: pending === undefined ? value : pending.value, set, failure };
}

/** A gesture that is committed when its control is unmounted. */
export function useGesture(handlers: GestureHandlers): Gesture {
  const [gesture] = useState(createGesture);
  useEffect(() => gesture.listen(handlers));
  useEffect(() => gesture.leave, [gesture]);
  return gesture;
}

/** Saves a threshold; null resets it to the package's default. */
export type SaveThreshold = (threshold: number | null) => Promise<unknown>;

/**
 * State of a threshold that is saved at the end of each gesture.
 * @param value the value in effect
 */
export function useThreshold(value: number, save: SaveThreshold) {
  const { shown, set, failure } = useOptimistic(value);
  const [moving, setMoving] = useState<number>();
  const commit = (next: number) => {
    setMoving(undefined);
    if (next !== shown) {
      set(next, () => save(next));
    }
  };
  const gesture = useGesture({ onMove: setMoving, onCommit: commit, onCancel: () => setMoving(undefined) });
  return {
    value: moving ?? shown,
    settled: shown,
    gesture,
    reset: (shipped: number) => set(shipped, () => save(null)),
    /** Saves the current value again, which dismisses the package's new recommendation. */
    keep: () => set(shown, () => save(shown)),
    failure,
  };
}
