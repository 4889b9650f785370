/**
 * The journal of events, written in the transaction of the change, so that a client that reconnects misses nothing, not even
 * across a restart. It contains ids; contents are read when the event is sent.
 */
import { LIMITS } from '../../../contract/limits.ts';
import type { EventType } from '../../../contract/event.ts';
import { defer, insertRows } from './bulk.ts';
import type { Transacting } from './engine.ts';
import { lastNumber, setNumber, takeNumbers } from './series.ts';

/** `tokens`: those of senders have changed. `routes`: channels or routes have. `outbox`: something was added for `channels`. */
const BRIDGE_EVENTS = ['tokens', 'routes', 'outbox', 'suppressions'] as const;
type BridgeEvent = (typeof BRIDGE_EVENTS)[number];
/** Whether only bridges receive the event, and no page. */
export const isForBridges = (type: JournalEvent['type']): type is BridgeEvent =>
  BRIDGE_EVENTS.some((one) => one === type);

/** A row of the journal. Ids grow in the order of commits. */
export interface JournalEvent {
  id: number;
  /** No page receives those for bridges. */
  type: EventType | BridgeEvent;
  data: Record<string, unknown>;
}

/** Settings have changed: all of them, or too many to name. */
export const ANY_SETTING: Omit<JournalEvent, 'id'> = { type: 'settings', data: {} };

/** Events kept for clients that reconnect; one that missed more gets `reset` and reloads everything. */
export const KEPT_EVENTS = LIMITS.keptEvents.value;
const PRUNE_EVERY = 1000;

/** Appends events and gives them their ids. */
export async function appendEvents(trx: Transacting, events: Omit<JournalEvent, 'id'>[]): Promise<JournalEvent[]> {
  if (events.length === 0) {
    return [];
  }
  const first = await takeNumbers(trx, 'event', events.length);
  const numbered = events.map((event, index) => ({ ...event, id: first + index }));
  await insertRows(
    trx,
    'events',
    numbered.map((event) => ({ id: event.id, type: event.type, data: JSON.stringify(event.data) }))
  );
  const last = first + events.length - 1;
  if (Math.floor(last / PRUNE_EVERY) !== Math.floor((first - 1) / PRUNE_EVERY)) {
    await defer(trx, trx.deleteFrom('events').where('id', '<=', last - KEPT_EVENTS));
  }
  return numbered;
}

/**
 * After a restore: ids that were given out since the backup are not given out again, so that clients load everything again.
 * @param now UTC milliseconds: higher than any id, since a bridge appends fewer than 1,000 events per second
 */
export async function restartEvents(trx: Transacting, now: number): Promise<void> {
  await trx.deleteFrom('events').execute();
  await setNumber(trx, 'event', Math.max(now, await lastNumber(trx, 'event')));
}
