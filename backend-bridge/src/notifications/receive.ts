/** What is handed to the inbox, and what comes back: the one way in, for senders and monitors alike. */
import type { Notification, NotificationPayload, Source } from '../../contract/notification.ts';

export interface Incoming {
  payload: NotificationPayload;
  /** Members that were not understood; kept, never shown. */
  extra?: Record<string, unknown> | undefined;
  source: Source;
  /** By whom its new names are limited: a token or an address. Undefined: the bridge itself, which is not. */
  sender?: string | undefined;
  /**
   * The same (`scope`, `key`) is stored once. For webhooks the key is (fingerprint, startsAt, status); for senders the
   * `Idempotency-Key`, with a hash of the body so that another body under the same key can be refused.
   */
  once?: { scope: string; key: string; hash?: string } | undefined;
}

/**
 * What became of one: stored (it is on disk now), duplicate (it was before), conflict (the same key came with another
 * body), gone (it was before, and has been deleted since). `notification` is absent when it is gone. `note`: a name that
 * could not be stored as it was sent.
 */
export type Received =
  | { outcome: 'stored'; id: number; notification: Notification; note?: string | undefined }
  | { outcome: 'duplicate'; id: number; notification: Notification }
  | { outcome: 'conflict'; id: number; notification: Notification | undefined }
  | { outcome: 'gone'; id: number; notification: undefined };

/**
 * Stores all of them, or none; returns after they are on disk, in the order given.
 * @throws HttpProblem 503 with `Retry-After` when the queue is full or the store cannot write
 */
export type Receive = (incoming: Incoming[]) => Promise<Received[]>;
