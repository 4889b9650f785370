/** Notifications that a channel holds: in quiet hours, for a digest, and until somebody has had time to acknowledge them. */
import type { ChannelStatus, WaitsFor } from '../../../contract/channel.ts';
import { type ChannelType, DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import { DEFAULT_PASSING, type Passing as PassingFrom, type QuietHours } from '../../../contract/hours.ts';
import { PRIORITIES } from '../../../contract/notification.ts';
import { isoTime } from '../../../contract/text.ts';
import type { Write } from '../../platform/storage/write.ts';
import { bringForward, holdQuiet, type Passing, release } from './heldWrites.ts';
import { nextDigest, QUIET, SENDING, UNACKNOWLEDGED } from '../schedules/hours.ts';
import { quietClock, type QuietSpan } from '../schedules/quietSpans.ts';
import type { QuietUntil } from './match.ts';
import type { PumpDeps } from './pump.ts';
import type { HeldGroup, OutboxStore } from './store.ts';
import type { Waiting } from './waiting.ts';

/** Quiet hours as configured, of a channel or a person. */
export interface Quiet {
  quietHours?: readonly QuietHours[] | undefined;
  passing?: PassingFrom | undefined;
}

type QuietNow = QuietSpan & { rank: number };

function clockOf({ quietHours = [], passing = DEFAULT_PASSING }: Quiet): (at: number) => QuietNow {
  const clock = quietClock(quietHours);
  const rank = passing === 'none' ? PRIORITIES.length : PRIORITIES.indexOf(passing);
  return (at) => ({ ...clock(at), rank });
}

/**
 * Quiet hours now, and the rank from which notifications pass.
 * @param personal of the person to whom the channel belongs; the same object until they change
 */
export function quietOf(channel: Quiet, personal?: () => Quiet | undefined): (at: number) => QuietNow {
  const own = clockOf(channel);
  let known: Quiet | undefined;
  let theirs = clockOf({});
  return (at) => {
    const current = personal?.();
    if (current !== known) {
      known = current;
      theirs = clockOf(current ?? {});
    }
    const spans = [own(at), theirs(at)];
    const quiet = spans.filter(({ isQuiet }) => isQuiet);
    return {
      isQuiet: quiet.length > 0,
      until: Math.min(...spans.map(({ until }) => until)),
      rank: Math.max(0, ...quiet.map(({ rank }) => rank)),
    };
  };
}

/**
 * The first end of the quiet hours of a channel, or of those whose devices it reaches; undefined: there are none now.
 * @param now UTC milliseconds
 */
export function firstQuietEnd(
  channel: Quiet & { type: ChannelType },
  devices: readonly { quiet?: Quiet | undefined }[],
  now: number
): number | undefined {
  const persons = DESCRIPTORS[channel.type].hasDevices ? new Set(devices.map(({ quiet }) => quiet)) : [undefined];
  const spans = [...persons].map((quiet) => quietOf(channel, () => quiet)(now));
  const ends = spans.flatMap(({ isQuiet, until }) => (isQuiet ? until : []));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Quiet hours of channels now, for the tester. @param now UTC milliseconds */
export const quietIn = (
  channels: readonly (Quiet & { name: string })[],
  now: number
): { now: number; quietUntil: QuietUntil } => ({
  now,
  quietUntil(name, priority) {
    const { isQuiet, until, rank } = quietOf(channels.find((one) => one.name === name) ?? {})(now);
    return isQuiet && PRIORITIES.indexOf(priority) < rank ? until : undefined;
  },
});

/**
 * Held notifications of a channel by reason, with the time at which the first is sent.
 * @param quietUntil end of its quiet hours, UTC milliseconds; undefined: there are none now
 */
export function holdsOf(
  groups: ReadonlyArray<{ hold: string | null; count: number; due: number }>,
  { now, steady, quietUntil }: { now: number; steady: number; quietUntil: number | undefined }
): ChannelStatus['holds'] {
  const found = new Map<WaitsFor, { count: number; until: number }>();
  for (const { hold, count, due } of groups) {
    const [why, at] =
      hold === QUIET || hold === null
        ? (['quiet hours', now] as const)
        : hold === UNACKNOWLEDGED
          ? (['unacknowledged', now + due - steady] as const)
          : (['digest', hold === SENDING ? now : Math.min(due, nextDigest(hold, now))] as const);
    // A digest that is due in quiet hours waits until they end.
    const until = why === 'unacknowledged' ? Math.max(now, at) : Math.max(now, at, quietUntil ?? at);
    const known = found.get(why);
    found.set(why, { count: count + (known?.count ?? 0), until: Math.min(until, known?.until ?? Infinity) });
  }
  return [...found].map(([why, { count, until }]) => ({ why, count, until: isoTime(until) }));
}

export interface HoldsDeps extends Pick<PumpDeps, 'now' | 'steady'> {
  channel: string;
  /** Whether a message can be changed, and whether anybody hears that. */
  edits: 'silently' | 'audibly' | undefined;
  quiet: (at: number) => QuietNow;
  store: Pick<OutboxStore, 'held' | 'disturbs'>;
  noted: <A>(write: Write<A, void>, args: A) => Promise<void>;
}

/**
 * Holds and releases the notifications of one channel: quiet hours and digests. Times of day are those of the system's clock,
 * durations those of the bridge's own.
 */
export class Holds {
  readonly #deps: HoldsDeps;

  constructor(deps: HoldsDeps) {
    this.#deps = deps;
  }

  /** Undefined: there are no quiet hours now. */
  #passing(): Passing | undefined {
    const { channel, edits, quiet, now } = this.#deps;
    const { isQuiet, rank } = quiet(now());
    return isQuiet ? { channel, rank, silently: edits === 'silently' } : undefined;
  }

  /** Whether it is in quiet hours. */
  isQuiet(): boolean {
    return this.#passing() !== undefined;
  }

  /** Whether anything waits to be sent that would disturb. */
  async disturbs(): Promise<boolean> {
    const passing = this.#passing();
    return passing !== undefined && this.#deps.store.disturbs(passing);
  }

  /** Whether it would disturb. */
  holds({
    rank,
    statusGiven,
    announced,
    notification,
  }: Pick<Waiting, 'rank' | 'statusGiven' | 'announced' | 'notification'>): boolean {
    const passing = this.#passing();
    const changes = statusGiven && notification?.status === 'resolved' && Boolean(announced?.ref);
    // One that was deleted is dropped, not held: nothing would release it.
    return passing !== undefined && notification !== undefined && rank < passing.rank && !(passing.silently && changes);
  }

  /** Holds what would disturb, and releases what is due. @returns milliseconds until there is more to do */
  async step(): Promise<number> {
    const { channel, store, noted } = this.#deps;
    const passing = this.#passing();
    if (passing && (await store.disturbs(passing))) {
      await noted(holdQuiet, passing);
    }
    const groups = await store.held(channel);
    if (groups.length === 0) {
      return Infinity;
    }
    return this.#releaseDue(groups);
  }

  async #releaseDue(groups: readonly HeldGroup[]): Promise<number> {
    const { channel, edits, quiet, noted, now, steady } = this.#deps;
    const at = now();
    const { isQuiet, until } = quiet(at);
    const schedules = groups.filter(({ hold }) => ![QUIET, SENDING, UNACKNOWLEDGED].includes(hold));
    const dues = await Promise.all(schedules.map((group) => this.#dueOf(group, at)));
    const hasQuiet = groups.some(({ hold }) => hold === QUIET);
    const isDue = (hasQuiet && !isQuiet) || dues.some((due) => due <= at);
    if (!isQuiet && isDue && !groups.some(({ hold }) => hold === SENDING)) {
      await noted(release, { channel, quiet: hasQuiet, until: at, edits: edits !== undefined, steady: steady() });
      return 0;
    }
    const waits = isQuiet ? [until] : dues.filter((due) => due > at);
    return Math.min(Infinity, ...waits) - at;
  }

  /** @returns when the next digest of the schedule is due, UTC milliseconds */
  async #dueOf({ hold, due, last }: HeldGroup, at: number): Promise<number> {
    const { channel, noted } = this.#deps;
    const next = nextDigest(hold, at);
    if (last > next) {
      await noted(bringForward, { channel, hold, dueTs: next });
    }
    return Math.min(due, next);
  }
}
