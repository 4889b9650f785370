/** The inbox: what arrives, and every change to what is kept. */
import type { Actor } from '../../../contract/audit.ts';
import type { Notification } from '../../../contract/notification.ts';
import type { Reader } from '../readers/writes.ts';
import { createBulk } from './bulk.ts';
import { createReceive, type ReceivingDeps } from './receiving.ts';
import type { Selections } from './selections.ts';
import { resolveByHand } from './resolving.ts';

export interface InboxDeps extends ReceivingDeps {
  selections: Selections;
}

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(deps: InboxDeps) {
  const { writes, store, selections, now, steady = now, routes } = deps;
  return {
    receive: createReceive(deps),
    ...createBulk({ writes, selections, now, steady, destinations: () => routes?.byHand() }),
    /** @param by null: the bridge */
    async resolveByHand(id: number, by: Actor | null, reader?: Reader): Promise<Notification | 'absent' | 'not-open'> {
      const how = { by, now: now(), steady: steady(), destinations: routes?.byHand() };
      const result = await writes.submit(resolveByHand, { id, ...how });
      if (result.outcome !== 'resolved') {
        return result.outcome;
      }
      const [notification] = await store.byIds([result.id], reader?.id);
      return notification ?? 'absent';
    },
  };
}
