/**
 * Takes what waits for another bridge and sends it, many in one request, in the order of arrival. What is sent and not noted, because the
 * process was killed in between, is sent again; the other bridge recognises its key.
 */
import { LIMITS } from '../../../contract/limits.ts';
import { durationSeconds } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { BatchChannel } from './channel.ts';
import { noteForwarded } from './forwardWrites.ts';
import { backOff, type ChannelSender, type SenderDeps } from './sender.ts';
import { cleanOutbox, noteRetry, noteUndelivered } from './writes.ts';

/** The other bridge hears of this one at least so often. Milliseconds. */
const HEARTBEAT_MS = 60_000;
const TIDY_MS = 60_000;
const LEAD_MS = 1000;
/** The longest back-off: the link may be back at any time. Milliseconds. */
const LONGEST_MS = 60_000;
const GIVEN_UP_AT_ONCE = 1000;

/** The sender of a channel to another bridge: batches in the order of arrival. A rejected batch is split until the cause is alone. */
export function createForwarder(
  deps: Omit<SenderDeps, 'channel' | 'isForMachines'> & { channel: BatchChannel }
): ChannelSender {
  const { settings, channel, store, writes, bridge, leads, now, steady, random, log, on } = deps;
  const { name } = settings;
  const giveUpMs = durationSeconds(settings.giveUpAfter) * 1000;
  const closing = new AbortController();
  let most: number = LIMITS.batchRows.value;
  let failures = 0;
  let pausedUntil = 0;
  let nextBeat = 0;
  let nextTidy = 0;
  let woken = false;
  let wakeUp: (() => void) | undefined;

  const signal = (): AbortSignal => AbortSignal.any([closing.signal, AbortSignal.timeout(LIMITS.channelTime.value)]);
  const failed = (afterMs = 0): void => {
    pausedUntil =
      steady() + Math.max(Math.min(afterMs, LIMITS.channelRetryAfter.value), backOff(failures, LONGEST_MS, random()));
    failures += 1;
  };
  const heard = (): void => {
    failures = 0;
    nextBeat = steady() + HEARTBEAT_MS;
  };

  async function giveUpOldest(before: number, limit: number, reason: string): Promise<void> {
    for (let left = limit; left > 0; left -= GIVEN_UP_AT_ONCE) {
      const ids = await store.oldest(name, { before, limit: Math.min(left, GIVEN_UP_AT_ONCE) });
      if (ids.length === 0) {
        return;
      }
      await writes.submit(noteUndelivered, { ids, reason, now: now() });
      on.gaveUp(ids.length, reason);
    }
  }

  async function tidy(): Promise<void> {
    nextTidy = steady() + TIDY_MS;
    const max = LIMITS.channelWaiting.value;
    const excess = (await store.waiting(name)) - max;
    if (excess > 0) {
      const reason = `More than ${max.toLocaleString('en')} notifications wait for the channel.`;
      await giveUpOldest(Number.MAX_SAFE_INTEGER, excess, reason);
    }
    const before = steady() - LIMITS.deliveryDays.value * DAY_MS;
    while ((await writes.submit(cleanOutbox, { channel: name, before, limit: GIVEN_UP_AT_ONCE })).more) {
      // The next slice.
    }
  }

  async function forward(): Promise<boolean> {
    const rows = await store.batch(name, { rows: most, bytes: LIMITS.forwardedBytes.value });
    const kept = rows.filter(({ forwarded }) => forwarded !== undefined);
    const gone = rows.flatMap(({ id, forwarded }) => (forwarded ? [] : [id]));
    if (rows.length === 0) {
      return false;
    }
    const outcome =
      kept.length === 0
        ? ({ kind: 'delivered', returned: [], rejected: [] } as const)
        : await channel.sendAll(
            kept.map(({ forwarded, id, arrivedTs, via }) => ({
              ...forwarded!,
              idempotencyKey: `${bridge}-${name}-${id}-${arrivedTs}`,
              via: [...via, bridge],
            })),
            signal()
          );
    if (outcome.kind === 'delivered') {
      const returned = new Set(outcome.returned.map((index) => kept[index]!));
      const rejected = new Map(outcome.rejected.map(({ index, reason }) => [kept[index]!, reason]));
      const sent = kept.filter((row) => !returned.has(row) && !rejected.has(row));
      await writes.submit(noteForwarded, {
        channel: name,
        sent: sent.map(({ id, threadId, turn, rank }) => ({ id, threadId, turn, rank })),
        gone: [...gone, ...[...returned].map(({ id }) => id)],
        now: now(),
        steady: steady(),
      });
      for (const [{ id }, reason] of rejected) {
        await writes.submit(noteUndelivered, { ids: [id], reason, now: now() });
        on.gaveUp(1, reason);
      }
      heard();
      most = Math.min(LIMITS.batchRows.value, most * 2);
      if (sent.length > 0) {
        on.sent(sent.length, Math.max(0, steady() - sent[0]!.ts) / 1000);
      }
    } else if (outcome.kind === 'refused' && kept.length > 1) {
      // One of them is the cause.
      most = 1;
    } else if (outcome.kind === 'refused') {
      await writes.submit(noteUndelivered, { ids: [kept[0]!.id], reason: outcome.reason, now: now() });
      on.gaveUp(1, outcome.reason);
    } else {
      failed(outcome.afterMs);
      await writes.submit(noteRetry, { id: kept[0]!.id, dueTs: 0, reason: outcome.reason });
      on.retried(outcome.reason);
      await giveUpOldest(steady() - giveUpMs, Infinity, outcome.reason);
    }
    return true;
  }

  /** @returns milliseconds until there may be more to do */
  async function pass(): Promise<number> {
    if (!leads()) {
      return LEAD_MS;
    }
    if (pausedUntil > steady()) {
      return pausedUntil - steady();
    }
    if (nextTidy <= steady()) {
      await tidy();
    }
    if (await forward()) {
      return 0;
    }
    if (nextBeat <= steady()) {
      // A failed heartbeat is not reported here: the other bridge reports the silence.
      nextBeat = steady() + HEARTBEAT_MS;
      await channel.heartbeat(signal());
      return 0;
    }
    return nextBeat - steady();
  }

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(ms, LONGEST_MS)));
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (woken || closing.signal.aborted) {
        wakeUp();
      }
    });

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      woken = false;
      const wait = await pass().catch((error: unknown) => {
        if (!closing.signal.aborted) {
          log.error({ err: error, channel: name }, 'could not forward notifications; retrying');
        }
        return LEAD_MS;
      });
      if (wait > 0) {
        await sleep(wait);
      }
    }
  }
  const running = run();

  return {
    wake() {
      woken = true;
      wakeUp?.();
    },
    async close() {
      closing.abort();
      wakeUp?.();
      await running;
    },
  };
}
