/** The loop of a sender: what senders of one message and of batches have in common. */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LIMITS } from '../../../contract/limits.ts';
import { durationSeconds } from '../../../contract/text.ts';
import { DAY_MS, MINUTE_MS } from '../../../contract/time.ts';
import type { AnyWritten, ResultOf, Write } from '../../platform/storage/write.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import type { Channel, ChannelSettings } from './kinds/channel.ts';
import type { OutboxStore } from './store.ts';
import { cleanOutbox, noteRetry, noteUndelivered, wakeOutbox } from './writes.ts';

export interface PumpDeps<C extends Channel = Channel> {
  settings: ChannelSettings;
  channel: C;
  store: OutboxStore;
  writes: Pick<WriteQueue, 'submit'>;
  /** The id of this bridge (contract/via.ts). */
  bridge: string;
  /** Whether this replica still leads. */
  leads: () => boolean;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock, by which ages are measured. */
  steady: () => number;
  /** From 0 to 1. */
  random: () => number;
  log: Pick<Logger, 'error'>;
  on: SenderEvents;
}

/** Reports of a sender, for metrics and alerts. */
export interface SenderEvents {
  /** @param seconds from receipt to delivery @param count notifications for which the message stands */
  sent(count: number, seconds: number): void;
  retried(reason: string): void;
  /** @param count notifications that were given up */
  gaveUp(count: number, reason: string): void;
}

/** Sends what waits for one channel, until it is closed. */
export interface ChannelSender {
  /** Something may be waiting. @param hasResponses somebody has acknowledged or snoozed a thread */
  wake(hasResponses?: boolean): void;
  /** Waits for the message that is being sent. */
  close(): Promise<void>;
}

/** The first back-off, and the wait after a failure of the store or without the lead. Milliseconds. */
export const SECOND_MS = 1000;
const SLICE = 1000;

/** Failures in a row after which the channel, not one notification, is the cause. */
const CHANNEL_FAILS = 3;
/** Back-off of one notification. Milliseconds. */
const ROW_MAX_MS = 15 * MINUTE_MS;

/** Exponential, with jitter: half of it is random. Milliseconds. @param attempts that failed before */
export const backOff = (attempts: number, max: number, random: number): number =>
  Math.min(max, SECOND_MS * 2 ** Math.min(attempts, 20)) * (0.5 + random / 2);

/** Passes over the outbox until it is closed; sleeps between them. */
export abstract class Pump<D extends PumpDeps = PumpDeps> implements ChannelSender {
  protected readonly deps: D;
  protected readonly name: string;
  protected readonly closing = new AbortController();
  /** In a row. */
  protected failures = 0;
  /** By the bridge's own clock. */
  protected pausedUntil = 0;
  readonly #giveUpMs: number;
  readonly #longestMs: number;
  #nextTidy = 0;
  #isWoken = false;
  #wakeUp: (() => void) | undefined;
  #running: Promise<void> | undefined;

  /** @param longestMs the longest back-off */
  constructor(deps: D, longestMs: number) {
    this.deps = deps;
    this.name = deps.settings.name;
    this.#giveUpMs = durationSeconds(deps.settings.giveUpAfter) * 1000;
    this.#longestMs = longestMs;
  }

  /** Sends what is due. @returns milliseconds until there may be more to do */
  protected abstract pass(): Promise<number>;

  start(): this {
    this.#running = this.#run();
    return this;
  }

  wake(_hasResponses?: boolean): void {
    this.#isWoken = true;
    this.#wakeUp?.();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.#wakeUp?.();
    await this.#running;
  }

  /** Notifications received before this time are given up once an attempt fails. By the bridge's own clock. */
  protected get giveUpBefore(): number {
    return this.deps.steady() - this.#giveUpMs;
  }

  /** Pauses the channel. @param demandedMs by the service @returns of that, what is accepted; milliseconds */
  protected failed(demandedMs = 0): number {
    const { steady, random } = this.deps;
    const ms = Math.min(demandedMs, LIMITS.channelRetryAfter.value);
    this.pausedUntil = steady() + Math.max(ms, backOff(this.failures, this.#longestMs, random()));
    this.failures += 1;
    return ms;
  }

  /** When one notification is due again, by the bridge's own clock. @param attempts that failed before @param demandedMs by the service */
  protected retryTs(attempts: number, demandedMs = 0): number {
    const { steady, random } = this.deps;
    return Math.ceil(steady() + Math.max(demandedMs, backOff(attempts, ROW_MAX_MS, random())));
  }

  /** Submits until it is stored: what is not stored would be sent again. @throws Error when closing */
  protected async noted<A, W extends AnyWritten>(write: Write<A, W>, args: A): Promise<ResultOf<W>> {
    for (;;) {
      try {
        return await this.deps.writes.submit(write, args);
      } catch (error) {
        this.deps.log.error({ err: error, channel: this.name }, 'could not store the result of a delivery; retrying');
        if (this.closing.signal.aborted) {
          throw error;
        }
        // Rejects when closing: one last attempt follows.
        await delay(SECOND_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
      }
    }
  }

  /** @param dueTs by the bridge's own clock */
  protected async retry(id: number, dueTs: number, reason: string): Promise<void> {
    await this.noted(noteRetry, { id, dueTs, reason });
    this.deps.on.retried(reason);
  }

  protected async giveUp(ids: number[], reason: string): Promise<void> {
    await this.noted(noteUndelivered, { ids, reason, now: this.deps.now() });
    this.deps.on.gaveUp(ids.length, reason);
  }

  protected async giveUpOldest(
    { limit, ...which }: { before: number; limit: number; state?: 'waiting' | 'held' },
    reason: string
  ): Promise<void> {
    for (let left = limit; left > 0;) {
      const ids = await this.deps.store.oldest(this.name, { ...which, limit: Math.min(left, SLICE) });
      if (ids.length === 0) {
        return;
      }
      await this.giveUp(ids, reason);
      left -= ids.length;
    }
  }

  protected async giveUpOld(reason: string): Promise<void> {
    if (this.failures >= CHANNEL_FAILS) {
      await this.giveUpOldest({ before: this.giveUpBefore, limit: Infinity }, reason);
    }
  }

  async #tidy(): Promise<void> {
    const { store, steady } = this.deps;
    this.#nextTidy = steady() + MINUTE_MS;
    const max = LIMITS.channelWaiting.value;
    const reason = `More than ${max.toLocaleString('en')} notifications wait for the channel.`;
    for (const state of ['waiting', 'held'] as const) {
      const limit = (await store.count(state, [this.name])) - max;
      await this.giveUpOldest({ before: Number.MAX_SAFE_INTEGER, limit, state }, reason);
    }
    const before = steady() - LIMITS.deliveryDays.value * DAY_MS;
    while ((await this.noted(cleanOutbox, { channel: this.name, before, limit: SLICE })).more) {
      // The next slice.
    }
  }

  async #run(): Promise<void> {
    await this.noted(wakeOutbox, { channel: this.name }).catch(() => undefined);
    while (!this.closing.signal.aborted) {
      this.#isWoken = false;
      const wait = await this.#step().catch((error: unknown) => {
        this.deps.log.error({ err: error, channel: this.name }, 'could not read the outbox; retrying');
        return SECOND_MS;
      });
      if (wait > 0) {
        await this.#sleep(wait);
      } else {
        // SQLite answers at once: without a turn of the event loop, nothing else would run.
        await turn();
      }
    }
  }

  async #step(): Promise<number> {
    const { leads, steady } = this.deps;
    if (!leads()) {
      return SECOND_MS;
    }
    if (this.pausedUntil > steady()) {
      return this.pausedUntil - steady();
    }
    if (this.#nextTidy <= steady()) {
      await this.#tidy();
    }
    return this.pass();
  }

  /** Until the time, or until woken. */
  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(ms, MINUTE_MS)));
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#isWoken || this.closing.signal.aborted) {
        this.#wakeUp();
      }
    });
  }
}
