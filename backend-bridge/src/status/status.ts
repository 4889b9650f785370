/** What the bridge says of itself. */
import type { BridgeStatus } from '../../contract/status.ts';

interface Parts extends Pick<BridgeStatus, 'version' | 'auth' | 'webhookSecret'> {
  /** @throws when the store cannot be written */
  ready: () => Promise<void>;
  pages: () => number;
  /** When the newest notification arrived, ISO 8601. */
  lastReceivedAt: () => Promise<string | undefined>;
  /** UTC milliseconds. */
  now: () => number;
}

/** Runs from now on. */
export function createStatus({ ready, pages, lastReceivedAt, now, ...fixed }: Parts): () => Promise<BridgeStatus> {
  const startedAt = new Date(now()).toISOString();
  return async () => {
    const storeWritable = await ready().then(
      () => true,
      () => false
    );
    const newest = await lastReceivedAt();
    return {
      ...fixed,
      startedAt,
      storeWritable,
      pages: pages(),
      ...(newest !== undefined && { lastReceivedAt: newest }),
      // Last, so that it is the clock as the answer leaves.
      time: new Date(now()).toISOString(),
    };
  };
}
