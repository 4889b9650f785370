/**
 * The bridge's own clock, by which everything that is kept for a time only ages: it moves by the time that the process has really run,
 * whatever the system's clock is set to. A system clock that jumps ahead removes nothing early, and one that is set back keeps nothing
 * forever. Its reading looks like UTC, since it starts there, and lags by the time that the bridge was stopped. Compare it with its own
 * times only. Rule: docs/decisions/0009-contract.md.
 */
import { type Database, engineOf, type Transacting } from './engine.ts';
import { findNumber, setNumber } from './series.ts';

/** The clock for ages. */
export type SteadyClock = Awaited<ReturnType<typeof createSteadyClock>>;

/** The reading is stored at most so often: more would be a write without need. Milliseconds. */
const STORED_EVERY_MS = 60_000;
/**
 * Added to a stored reading at most, by the clock of the server: as long as a replica takes to store the next one. The clock of the
 * server may have been set, and no replica may have run for days. Milliseconds.
 */
const LONGEST_SINCE_MS = STORED_EVERY_MS + 10_000;

/**
 * @param now the system's clock, UTC milliseconds: where a new database starts
 * @param elapsed milliseconds of a monotonic clock
 */
export async function createSteadyClock(
  db: Database,
  now: () => number,
  elapsed: () => number = () => performance.now()
) {
  const start = (await storedClock(db)) ?? now();
  let ahead = start - elapsed();
  return {
    /** UTC milliseconds, only comparable with each other. */
    read: (): number => Math.floor(ahead + elapsed()),
    /**
     * Moves ahead to the clock of the replica that stores its own, where this one lags: it was started with a reading that had been
     * stored before.
     */
    async align(): Promise<void> {
      const other = await storedClock(db);
      ahead = Math.max(ahead, (other ?? 0) - elapsed());
    },
  };
}

/** The stored reading; of several replicas, what that clock shows now. */
async function storedClock(db: Database): Promise<number | undefined> {
  const [clock, storedAt] = [await findNumber(db, 'clock'), await findNumber(db, SERVER)];
  const serverTime = storedAt === undefined ? undefined : await engineOf(db).serverTime(db);
  if (clock === undefined || storedAt === undefined || serverTime === undefined) {
    return clock;
  }
  return clock + Math.min(Math.max(serverTime - storedAt, 0), LONGEST_SINCE_MS);
}

/** When the reading was stored, by the clock of the server. */
const SERVER = 'clock-server';

/**
 * Stores the reading, where the stored one is a minute away.
 * @returns the stored reading that it replaces; undefined when that one stays
 */
export async function storeClock(trx: Transacting, now: number): Promise<number | undefined> {
  const before = (await findNumber(trx, 'clock')) ?? 0;
  if (Math.abs(now - before) < STORED_EVERY_MS) {
    return undefined;
  }
  const serverTime = await engineOf(trx).serverTime(trx);
  await setNumber(trx, 'clock', now);
  await (serverTime === undefined ? undefined : setNumber(trx, SERVER, serverTime));
  return before;
}
