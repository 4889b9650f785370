/** Reads the calendars of schedules every 15 minutes, on the replica that leads. */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { LIMITS } from '../../../contract/limits.ts';
import { isoTime } from '../../../contract/text.ts';
import { HOUR_MS, MINUTE_MS } from '../../../contract/time.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import { OutboundError } from '../../platform/http/outbound.ts';
import { recurring } from '../../platform/runtime/recurring.ts';
import { CalendarError, readCalendar } from '../schedules/calendar.ts';
import { alertAbout } from './alarm.ts';
import type { Network } from './kinds/channel.ts';
import { channelOutbound } from './kinds/http.ts';
import { type CalendarCopy, noteOnCall } from '../schedules/onCallState.ts';
import type { PumpDeps } from './pump.ts';
import type { Routing } from './routing.ts';
import type { OutboxStore } from './store.ts';

/** Where the calendar of a schedule is: an address, which may be a secret, or what its file contains. */
export type CalendarSource = { url: string } | { text: string };

/** Calendar of a schedule. */
export interface CalendarEntry {
  schedule: string;
  zone: string;
  source: CalendarSource;
}

export interface CalendarsDeps extends Pick<PumpDeps, 'writes' | 'leads' | 'now'> {
  routing: Pick<Routing, 'schedules' | 'stateOf' | 'reload'>;
  store: Pick<OutboxStore, 'isFiring'>;
  receive: Receive;
  network: Network;
  log: Pick<Logger, 'warn'>;
}

const EVERY_MS = 15 * MINUTE_MS;
const CHECK_MS = 1000;
/** A copy of this age is reported: shifts that were swapped since are missing in it. Milliseconds. */
const STALE_MS = 2 * HOUR_MS;

type Known = CalendarEntry & { hash: string };

const withHash = (entry: CalendarEntry): Known => {
  const text = JSON.stringify([entry.zone, entry.source]);
  return { ...entry, hash: createHash('sha256').update(text).digest('base64url') };
};

/** The last good copy stays in use. */
export class Calendars {
  readonly #deps: CalendarsDeps;
  readonly #files = new Map<string, readonly Known[]>();
  readonly #work: ReturnType<typeof recurring>;
  /** Ends the request that runs. */
  #running = new AbortController();

  constructor(deps: CalendarsDeps) {
    this.#deps = deps;
    this.#work = recurring('read the calendars of schedules', CHECK_MS, () => this.#readDue(), deps.log);
  }

  /** Replaces the calendars of one file. */
  provision(file: string, entries: readonly CalendarEntry[]): void {
    this.#files.set(file, entries.map(withHash));
    this.#abort();
    this.wake();
  }

  /** @returns stops it */
  start(): () => Promise<void> {
    const stop = this.#work.start();
    this.wake();
    return () => {
      const stopped = stop();
      this.#abort();
      return stopped;
    };
  }

  #abort(): void {
    this.#running.abort();
    this.#running = new AbortController();
  }

  /** One may be due. */
  wake(): void {
    this.#work.wake();
  }

  async #readDue(): Promise<void> {
    const { leads, now } = this.#deps;
    const { signal } = this.#running;
    for (const [file, entries] of this.#files) {
      const known = new Set(this.#deps.routing.schedules().flatMap((one) => (one.file === file ? one.name : [])));
      // Another replica may have removed a schedule.
      for (const entry of entries.filter(({ schedule }) => known.has(schedule))) {
        const { calendar } = this.#deps.routing.stateOf(file, entry.schedule);
        const age = now() - (calendar?.triedAt ?? -Infinity);
        // The clock may have been set back.
        const isDue = calendar?.source !== entry.hash || age >= EVERY_MS || age < 0;
        if (isDue && this.#work.isStarted() && leads() && !signal.aborted) {
          await this.#read(file, entry, { before: calendar, signal });
        }
      }
    }
  }

  async #read(
    file: string,
    entry: Known,
    { before, signal }: { before: CalendarCopy | undefined; signal: AbortSignal }
  ): Promise<void> {
    const { routing, writes, now, log } = this.#deps;
    const { schedule, zone, hash } = entry;
    const triedAt = now();
    const copy = await textOf(entry, this.#deps.network, signal)
      .then(async (text) => ({ shifts: await readCalendar(text, zone, triedAt), readAt: triedAt, failure: null }))
      .catch((error: unknown) => ({
        shifts: before?.shifts ?? [],
        readAt: before?.readAt ?? null,
        failure: failureOf(error),
      }));
    if (signal.aborted) {
      return;
    }
    if (copy.failure !== null && copy.failure !== before?.failure) {
      log.warn({ schedule, reason: copy.failure }, 'could not read the calendar of a schedule');
    }
    const calendar = { ...copy, triedAt, source: hash };
    if (isStale(calendar) || (before && isStale(before))) {
      await this.#report(schedule, calendar);
    }
    await writes.submit(noteOnCall, { file, schedule, state: { calendar } });
    await routing.reload();
  }

  /** Once, and again if somebody resolves it while the copy is too old. */
  async #report(schedule: string, { readAt, failure }: CalendarCopy): Promise<void> {
    const copy = readAt === null ? 'Nobody is on call by it.' : `Shifts are those of ${isoTime(readAt)}.`;
    const [status, title, body] =
      failure === null
        ? (['resolved', `The calendar of ${schedule} is read again`, 'Shifts are up to date.'] as const)
        : (['triggered', `The calendar of ${schedule} cannot be read`, `${failure} ${copy}`] as const);
    const payload = alertAbout('calendar', schedule, { title, body, status });
    if ((await this.#deps.store.isFiring(payload.correlationId)) !== (status === 'triggered')) {
      await this.#deps.receive([{ payload, source: 'bridge' }]);
    }
  }
}

const isStale = ({ failure, readAt, triedAt }: CalendarCopy): boolean =>
  failure !== null && triedAt - (readAt ?? 0) >= STALE_MS;

const failureOf = (error: unknown): string => {
  if (error instanceof CalendarError || error instanceof OutboundError) {
    return error.message;
  }
  throw error;
};

async function textOf({ schedule, source }: CalendarEntry, network: Network, signal: AbortSignal): Promise<string> {
  if ('text' in source) {
    return source.text;
  }
  const outbound = channelOutbound(source.url, network, LIMITS.calendarBytes.value);
  const { status, body } = await outbound.fetchGuarded(source.url, `calendar of the schedule ${schedule}`, { signal });
  if (status !== 200) {
    throw new CalendarError(`The server responds with ${status}.`);
  }
  return body.toString('utf8');
}
