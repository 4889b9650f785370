/** The inbox: the one way in, for senders and monitors alike, and every change to what is kept. */
import { randomUUID } from 'node:crypto';
import type { Notification } from '../../contract/notification.ts';
import { type Changed, type Deleted, type NotificationFilter, UNDO_MS } from '../../contract/query.ts';
import type { Reader } from '../readers/writes.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import type { AdmitNames } from './names.ts';
import type { Incoming, Receive, Received } from './receive.ts';
import type { ReceivedRow } from './receiveRows.ts';
import { asStored, isoOf } from './rows.ts';
import type { NotificationStore } from './store.ts';

/** Rows of one transaction when all that match are changed. */
const CHUNK = 5000;

export interface Inbox {
  receive: Receive;
  /** @param reader the person who marks, where that person has a read state of their own */
  markIds(ids: number[], wholeThreads: boolean, seen: boolean, reader?: Reader): Promise<Changed>;
  markMatching(filter: NotificationFilter, reader?: Reader): Promise<Changed>;
  deleteIds(ids: number[], wholeThreads: boolean): Promise<Deleted>;
  /** @param reader whose state `read` asks for */
  deleteMatching(filter: NotificationFilter, reader?: Reader): Promise<Deleted>;
  /** @returns how many are back; 0 when there is nothing to undo any more */
  restore(undo: string): Promise<number>;
  resolveByHand(id: number, reader?: Reader): Promise<Notification | 'absent' | 'not-open'>;
  /**
   * @param by who, where that is known
   * @returns the provisioning file that switches it, in which case nothing was changed
   */
  setCategory(category: string, enabled: boolean, by?: string): Promise<{ conflict: string | null }>;
  /** Removes what can no longer be undone, and a bounded part of what is kept for a time only. To be called every few seconds. */
  purge(): Promise<void>;
}

/**
 * @param now the clock, UTC milliseconds
 * @param steady the bridge's own clock, by which ages are measured
 * @param admitNames limits new categories and packages; left out: no limit
 */
export function createInbox(
  writes: WriteQueue,
  store: Pick<NotificationStore, 'byIds'>,
  now: () => number,
  steady: () => number = now,
  admitNames: AdmitNames = (incoming) => Promise.resolve(incoming.map((item) => ({ item })))
): Inbox {
  const present = async (incoming: Incoming[], ts: number, rows: ReceivedRow[]): Promise<Received[]> => {
    const earlier = rows.filter(({ placed }) => placed === undefined).map(({ id }) => id);
    const known = new Map((earlier.length > 0 ? await store.byIds(earlier) : []).map((one) => [one.id, one]));
    return rows.map(({ id, outcome, placed }, index) => {
      const notification = placed ? asStored(incoming[index]!, id, ts, placed) : known.get(id);
      if (outcome === 'conflict') {
        return { outcome, id, notification };
      }
      return notification ? { outcome, id, notification } : { outcome: 'gone', id, notification: undefined };
    });
  };

  const deletion = () => {
    const args = { deletion: randomUUID(), expiresTs: steady() + UNDO_MS };
    return { args, undoUntil: isoOf(now() + UNDO_MS) };
  };

  return {
    async receive(incoming) {
      if (incoming.length === 0) {
        return [];
      }
      const ts = now();
      const admitted = await admitNames(incoming, ts);
      const items = admitted.map(({ item }) => item);
      const received = await present(
        items,
        ts,
        await writes.submit('receive', { incoming: items, now: ts, steady: steady() })
      );
      return received.map((one, index) => (one.outcome === 'stored' ? { ...one, note: admitted[index]?.note } : one));
    },
    markIds: (ids, wholeThreads, seen, reader) => writes.submit('markThese', { ids, wholeThreads, seen, reader }),
    async markMatching(filter, reader) {
      for (let changed = 0; ;) {
        const step = await writes.submit('markMatching', { filter, reader, now: now(), limit: CHUNK });
        changed += step.changed;
        if (!step.more) {
          return { changed };
        }
      }
    },
    async deleteIds(ids, wholeThreads) {
      const { args, undoUntil } = deletion();
      const { deleted } = await writes.submit('deleteThese', { ids, wholeThreads, ...args });
      return { deleted, undo: args.deletion, undoUntil };
    },
    async deleteMatching(filter, reader) {
      const { args, undoUntil } = deletion();
      for (let deleted = 0; ;) {
        const step = await writes.submit('deleteMatching', { filter, reader, now: now(), limit: CHUNK, ...args });
        deleted += step.deleted;
        if (!step.more) {
          return { deleted, undo: args.deletion, undoUntil };
        }
      }
    },
    async restore(undo) {
      return (await writes.submit('restore', { deletion: undo, now: steady() })).restored;
    },
    async resolveByHand(id, reader) {
      const result = await writes.submit('resolveByHand', { id, now: now() });
      if (result.outcome !== 'resolved') {
        return result.outcome;
      }
      const [notification] = await store.byIds([result.id], reader?.id);
      return notification ?? 'absent';
    },
    setCategory: (category, enabled, by) =>
      writes.submit('setCategory', { category, enabled, by: by ?? null, now: now() }),
    async purge() {
      await Promise.all([writes.submit('purge', { now: steady() }), writes.submit('clean', { now: steady() })]);
    },
  };
}
