/** Adds arrivals to the outbox, in the transaction that stores them. Runs in the writer thread. */
import { insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { OutboxRow } from '../../platform/storage/schema.ts';
import { takeNumbers } from '../../platform/storage/series.ts';
import type { ArrivalHook } from '../../inbox/notifications/arrivals.ts';
import type { Destinations } from '../../inbox/notifications/receive.ts';
import { type Announced, announcedAmong, type Arrival, channelsOf, heldFor } from './announced.ts';
import { UNACKNOWLEDGED } from './hours.ts';
import { viaToStore } from './via.ts';

const NO_HOLDS: NonNullable<Destinations['holds']> = {};
const NOTHING_ANNOUNCED: ReadonlyMap<string, Announced> = new Map();

/** For the replica that sends: something was added to the outbox for these channels. */
export const addedFor = (channels: readonly string[]) => ({ type: 'outbox', data: { channels } }) as const;

/**
 * Puts what goes out into the outbox, in the transaction that stores it. Hidden ones do not go out, and of muted ones only what closes a message.
 * @returns the channels for which something was added
 */
export async function enqueue(trx: Transacting, arrivals: readonly Arrival[]): Promise<string[]> {
  const shown = arrivals.flatMap(reaching);
  if (shown.length === 0) {
    return [];
  }
  const announced = await announcedAmong(trx, shown);
  // Only what resolves depends on what its thread has announced.
  const resolves = shown.some(({ row }) => row.status === 'resolved');
  const rows = shown.flatMap(({ row, destinations, sender = '', via, steady }) => {
    const { holds = NO_HOLDS } = destinations!;
    const known = announced.get(row.thread_id) ?? NOTHING_ANNOUNCED;
    return channelsOf(destinations!, known).map((channel): OutboxRow => {
      const hold = holds[channel];
      const held = heldFor(row, hold, { known: known.get(channel), steady });
      if (resolves && row.status === 'triggered' && held?.hold !== UNACKNOWLEDGED) {
        const now = announced.get(row.thread_id) ?? new Map<string, Announced>();
        announced.set(row.thread_id, now.set(channel, now.get(channel) ?? (held ? { held } : { hasMessage: true })));
      }
      return {
        id: 0,
        channel,
        notification_id: row.id,
        thread_id: row.thread_id,
        sender,
        ts: steady,
        state: held ? 'held' : 'waiting',
        attempts: 0,
        due_ts: held?.due_ts ?? 0,
        done_ts: null,
        reason: null,
        hold: held?.hold ?? null,
        drop_resolved: hold?.dropResolved === true ? 1 : 0,
        seen_ts: null,
        via: viaToStore(via),
      };
    });
  });
  if (rows.length === 0) {
    return [];
  }
  const first = await takeNumbers(trx, 'outbox', rows.length);
  rows.forEach((row, index) => (row.id = first + index));
  await insertRows(trx, 'outbox', rows);
  return [...new Set(rows.map(({ channel }) => channel))];
}

/** Adds arrivals to the outbox, unless somebody handles them already. */
export const outboxOfArrivals: ArrivalHook = {
  begin: () => ({
    async store(trx, stored) {
      const arrivals = stored.flatMap(({ row, handled, isSuppressed, placed: { item, steady } }) => {
        const { destinations, sender, via } = item;
        return handled || isSuppressed || destinations === undefined
          ? []
          : [{ row, destinations, sender, via, steady }];
      });
      const channels = await enqueue(trx, arrivals);
      return channels.length > 0 ? [addedFor(channels)] : [];
    },
  }),
};

/** Muted while its alert was open: the resolve still closes the message on its channels, and is no message of its own. */
function reaching(arrival: Arrival): Arrival[] {
  const { row, destinations } = arrival;
  if (!destinations || row.hidden === 1 || (row.muted === 1 && row.status !== 'resolved')) {
    return [];
  }
  const { channels, ifAnnounced } = destinations;
  return row.muted === 0
    ? [arrival]
    : [{ ...arrival, destinations: { ...destinations, channels: [], ifAnnounced: [...channels, ...ifAnnounced] } }];
}
