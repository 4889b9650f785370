/** Whether the store can be written, and if not, why: kept from the outcome of writes and checks, so that probes cost nothing. */
import { STORE_FAILURES, type StoreFailureReason } from '../../../contract/status.ts';
import { FAILURE_TEXTS } from './storeError.ts';

/** Why the store is not writable. */
export interface StoreFailure {
  reason: StoreFailureReason;
  /** One sentence. */
  text: string;
  /** The first error, as SQLite or the system reported it. */
  cause: string;
  /** UTC milliseconds. */
  since: number;
}

/** All failures that last, changed by writes and checks. */
export type StoreState = ReturnType<typeof createStoreState>;

/** @param now UTC milliseconds */
export function createStoreState(now: () => number = Date.now) {
  const failures = new Map<StoreFailureReason, StoreFailure>();
  const listeners: Parameters<StoreState['onChange']>[0][] = [];
  return {
    /** The gravest failure that lasts; undefined while the store can be written. */
    get failure() {
      if (failures.size === 0) {
        return undefined;
      }
      const gravest = STORE_FAILURES.find((reason) => failures.has(reason));
      return gravest && failures.get(gravest);
    },
    has: (reason: StoreFailureReason): boolean => failures.has(reason),
    /** The first cause is kept while the failure lasts. */
    set(reason: StoreFailureReason, cause: string): void {
      if (!failures.has(reason)) {
        const failure = { reason, text: FAILURE_TEXTS[reason], cause, since: now() };
        failures.set(reason, failure);
        listeners.forEach((listener) => listener(reason, failure));
      }
    },
    clear(...reasons: StoreFailureReason[]): void {
      if (failures.size === 0) {
        return;
      }
      for (const reason of reasons) {
        if (failures.delete(reason)) {
          listeners.forEach((listener) => listener(reason, undefined));
        }
      }
    },
    /** Called when a failure starts, and with undefined as `failure` when it ends. */
    onChange: (listener: (reason: StoreFailureReason, failure: StoreFailure | undefined) => void): void =>
      void listeners.push(listener),
  };
}
