/** The response of GET /status. */
import type { BridgeStatus } from '../../../contract/status.ts';
import { isoTime } from '../../../contract/text.ts';
import type { StoreFailure } from '../storage/storeState.ts';

interface StatusDeps extends Pick<BridgeStatus, 'version' | 'auth' | 'webhookSecret' | 'database'> {
  /** Undefined: there are no replicas. */
  replica: () => Promise<BridgeStatus['replica']>;
  /** Undefined while the store can be written. */
  failure: () => StoreFailure | undefined;
  pages: () => number;
  /** When the newest notification arrived, ISO 8601. */
  lastReceivedAt: () => Promise<string | undefined>;
  lastBackup: () => Promise<BridgeStatus['storeBackup']>;
  /** UTC milliseconds. */
  now: () => number;
}

/** Counts as started at the time of the call. */
export function createStatus({
  failure,
  replica,
  pages,
  lastReceivedAt,
  lastBackup,
  now,
  ...fixed
}: StatusDeps): () => Promise<BridgeStatus> {
  const startedAt = isoTime(now());
  /** Left out while the store cannot be read: the failure is reported in any case, and without waiting for the server. */
  const stored = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    if (failure()?.reason === 'unreachable') {
      return undefined;
    }
    try {
      return await read();
    } catch (error) {
      if (failure() === undefined) {
        throw error;
      }
      return undefined;
    }
  };
  return async () => {
    const [newest, storeBackup, role] = await Promise.all([
      stored(lastReceivedAt),
      stored(lastBackup),
      stored(replica),
    ]);
    const failed = failure();
    return {
      ...fixed,
      startedAt,
      storeWritable: failed === undefined,
      ...(failed && { storeFailure: { reason: failed.reason, since: isoTime(failed.since) } }),
      ...(role && { replica: role }),
      pages: pages(),
      ...(newest !== undefined && { lastReceivedAt: newest }),
      ...(storeBackup && { storeBackup }),
      // Last, to be the time of the response.
      time: isoTime(now()),
    };
  };
}
