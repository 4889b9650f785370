/** The notification about another bridge with the id of this one, which sends to it. */
import type { Logger } from 'pino';
import { OWN_PACKAGE } from '../../../contract/notification.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';

export interface SameBridgeDeps {
  isFiring: (correlationId: string) => Promise<boolean>;
  receive: Receive;
  /** The bridge's own clock, UTC milliseconds. */
  steady: () => number;
  log: Pick<Logger, 'error'>;
}

const CORRELATION_ID = 'same-identity';
const EVERY_MS = 60_000;
const BODY = `Another bridge was started from a copy of the data of this one, or a channel of this bridge leads to itself. What comes from there is rejected, and listed as undelivered there.

Change the channel, or give the copy another identity: see "Copies of a bridge" in docs/channels.md. Then resolve this alert.`;

/** To be called with each request of such a bridge: notifies unless the last alert is still firing. At most once a minute. */
export function createSameBridgeAlert({ isFiring, receive, steady, log }: SameBridgeDeps): () => void {
  let nextAt = -Infinity;
  const notify = async (): Promise<void> => {
    if (!(await isFiring(CORRELATION_ID))) {
      const payload = {
        title: 'A bridge with the identity of this one sends to it',
        body: BODY,
        category: 'system',
        dnpName: OWN_PACKAGE,
        priority: 'high' as const,
        status: 'triggered' as const,
        correlationId: CORRELATION_ID,
      };
      await receive([{ payload, source: 'bridge' }]);
    }
  };
  return () => {
    if (steady() >= nextAt) {
      nextAt = steady() + EVERY_MS;
      notify().catch((error: unknown) => log.error({ err: error }, 'could not store a notification'));
    }
  };
}
