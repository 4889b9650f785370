/** The state of a thread of which something waits, when it is sent. */
import type { OutboxStore } from './store.ts';
import type { Waiting } from './waiting.ts';

interface Latest {
  row: Waiting;
  /** Other rows of the same thread that the message covers. */
  merged: number[];
  /** It fired and resolved before it was sent, and its route drops that. */
  isDropped: boolean;
  firedTs?: number;
}

/**
 * Reduces an alert that has resolved meanwhile to its resolve, which covers the held rows of its thread.
 * @param isDetailed see `outboxRows`
 * @returns what is sent, and what it stands for
 */
export async function latestOf(
  store: Pick<OutboxStore, 'thread' | 'one'>,
  channel: string,
  first: Waiting,
  { isForMachines, isDetailed }: { isForMachines: boolean; isDetailed: boolean }
): Promise<Latest> {
  const alone = { row: first, merged: [], isDropped: false };
  if (isForMachines || !first.statusGiven) {
    return alone;
  }
  const thread = await store.thread(channel, first.threadId);
  const last = thread.findLast(({ status, status_given: given }) => status === 'resolved' && given === 1);
  const row = last && last.id > first.id ? await store.one(channel, last.id, isDetailed) : first;
  if (row?.notification === undefined) {
    return alone;
  }
  const before = thread.filter(({ id }) => id < row.id);
  const fired =
    row.notification.status === 'resolved' ? before.find(({ status }) => status === 'triggered') : undefined;
  return {
    row,
    merged: before.map(({ id }) => id),
    isDropped: fired?.drop_resolved === 1 && row.announced === undefined,
    ...(fired && { firedTs: fired.arrivedTs }),
  };
}
