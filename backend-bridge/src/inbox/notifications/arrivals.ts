/** Hooks by which other areas act on arrivals, in the transaction that stores them. Registered in `src/arrivals.ts`. */
import type { Transacting } from '../../platform/storage/engine.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import type { Prepared } from '../../platform/storage/prepared.ts';
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';
import type { Placed } from './arrivalRow.ts';

export interface ArrivalHook {
  /** Query of the first round trip; its rows are passed to `begin`. */
  select?: Prepared<unknown>;
  begin(trx: Transacting, batch: ArrivalBatch): Promise<Arrivals> | Arrivals;
}

/** Notifications of one transaction, before they are stored. */
export interface ArrivalBatch {
  placed: readonly Placed[];
  /** Their threads, as far as they exist. */
  threads: readonly ThreadRow[];
  /** Rows of `select`. */
  selected: readonly unknown[];
}

export interface StoredArrival {
  row: NotificationRow;
  placed: Placed;
  /** Somebody handles it already: it arrives as seen, and goes to no channel. */
  handled: boolean;
  /** It goes to no channel; set by the hook of suppressions. */
  isSuppressed?: boolean;
}

export interface Arrivals {
  /** Whether notifications of this endpoint are muted. */
  mutes?(dnpName: string, correlationId: string): boolean;
  /** Called for each arrival, in order. @param before its thread without it @returns {@link StoredArrival.handled} */
  handles?(before: ThreadRow, row: NotificationRow): boolean;
  /** Called after the rows are stored. @returns the events to publish */
  store?(trx: Transacting, stored: readonly StoredArrival[]): Promise<Omit<JournalEvent, 'id'>[] | void>;
}

let hooks: readonly ArrivalHook[] | undefined;

/** To be called once, where the writes of the store are listed. */
export function registerArrivalHooks(registered: readonly ArrivalHook[]): void {
  hooks = registered;
}

/** The registered hooks, in their order. @throws if none were registered: nothing would be sent to channels */
export function arrivalHooks(): readonly ArrivalHook[] {
  if (hooks === undefined) {
    throw new Error('Arrival hooks are not registered: import src/arrivals.ts.');
  }
  return hooks;
}
