/**
 * Takes what waits for one channel and sends it, one message at a time. A message counts as sent when that is stored: what is sent and
 * not stored, because the process was killed in between, is sent again.
 */
import type { Logger } from 'pino';
import { LIMITS } from '../../../contract/limits.ts';
import { OWN_PACKAGE } from '../../../contract/notification.ts';
import { durationSeconds } from '../../../contract/text.ts';
import { DAY_MS, MINUTE_MS } from '../../../contract/time.ts';
import { priorityOf } from '../../inbox/notifications/rows.ts';
import type { Write } from '../../platform/storage/write.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import type { Channel, ChannelSettings, Message, Outcome } from './channel.ts';
import { flooding } from './flood.ts';
import { noteDigest } from './heldWrites.ts';
import { digestText } from './digest.ts';
import { createHolds, createQuiet, type Quiet } from './holds.ts';
import { KINDS } from './kinds/index.ts';
import type { OutboxStore, Waiting } from './store.ts';
import { cleanOutbox, dropOutbox, noteFlood, noteRetry, noteSent, noteUndelivered, wakeOutbox } from './writes.ts';

export interface SenderDeps {
  settings: ChannelSettings;
  channel: Channel;
  /** Quiet hours of the person to whom the device belongs. */
  personal?: () => Quiet | undefined;
  /** Each notification is a message of its own, also of a thread that has resolved meanwhile. */
  isForMachines: boolean;
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
  /** Something may be waiting. */
  wake(): void;
  /** Waits for the message that is being sent. */
  close(): Promise<void>;
}

interface Latest {
  row: Waiting;
  /** Other rows of the same thread that the message covers. */
  merged: number[];
  /** It fired and resolved before it was sent, and its route drops that. */
  isDropped: boolean;
  firedTs?: number;
}
const BATCH = 50;
/** Back-off of the channel, and of one notification. Milliseconds. */
const FIRST_MS = 1000;
const CHANNEL_MAX_MS = 5 * MINUTE_MS;
const ROW_MAX_MS = 15 * MINUTE_MS;
/** The longest wait that a service may demand. */
const LONGEST_MS = 60 * MINUTE_MS;
/** Failures in a row after which the channel, not one notification, is the cause. */
const CHANNEL_FAILS = 3;
const STORE_RETRY_MS = 1000;
const SLICE = 1000;
/** Longer than the limit of each kind. */
const SEND_MS = LIMITS.channelTime.value + 5000;

/** Exponential, with jitter: half of it is random. @param attempts that failed before */
export const backOff = (attempts: number, max: number, random: number): number =>
  Math.min(max, FIRST_MS * 2 ** Math.min(attempts, 20)) * (0.5 + random / 2);

/** State of an open thread's message after sending. */
const afterSent = ({ announced, rank }: Waiting, ref: string | undefined): NonNullable<Waiting['announced']> => ({
  ref: ref ?? announced?.ref ?? '',
  priority: Math.max(rank, announced?.priority ?? 0),
});

/** One message at a time, in order within a thread; back-off of the channel and of each notification (docs/decisions/0023-channels.md). */
export function createSender(deps: SenderDeps): ChannelSender {
  const { settings, channel, store, bridge, leads, now, steady, random, log, on } = deps;
  const { name, perMinute } = settings;
  const giveUpMs = durationSeconds(settings.giveUpAfter) * 1000;
  const closing = new AbortController();
  const { inboxUrl } = settings;
  const linkToInbox = inboxUrl === undefined ? {} : { callToAction: { title: 'Open the inbox', url: inboxUrl } };
  /** Messages of the last minute. */
  let recent: { at: number; sender: string }[] = [];
  let failures = 0;
  let pausedUntil = 0;
  let nextFlood = 0;
  let nextTidy = 0;
  let woken = false;
  let wakeUp: (() => void) | undefined;

  /** Until the time, or until {@link ChannelSender.wake}. */
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(ms, MINUTE_MS)));
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (woken || closing.signal.aborted) {
        wakeUp();
      }
    });

  /** Tried until it is stored: what is not stored would be sent again. */
  async function noted<A, R>(write: Write<A, R>, args: A): Promise<R> {
    for (;;) {
      try {
        return await deps.writes.submit(write, args);
      } catch (error) {
        log.error({ err: error, channel: name }, 'could not store the result of a delivery; retrying');
        if (closing.signal.aborted) {
          throw error;
        }
        await new Promise((resolve) => {
          setTimeout(resolve, STORE_RETRY_MS);
          closing.signal.addEventListener('abort', resolve, { once: true });
        });
      }
    }
  }

  const { edits } = KINDS[settings.type];
  const quiet = createQuiet(settings, deps.personal);
  const holds = createHolds({ channel: name, edits, quiet, store, noted, now, steady });

  /** A message for many notifications. */
  const summary = ({
    key,
    title,
    body,
    rank,
    count,
  }: Pick<Message, 'key' | 'title' | 'body'> & { rank: number; count: number }): Message => ({
    id: 0,
    timestamp: new Date(now()).toISOString(),
    title,
    body,
    category: 'other',
    dnpName: OWN_PACKAGE,
    priority: priorityOf(rank),
    status: 'triggered',
    correlationId: key,
    ...linkToInbox,
    key,
    ref: undefined,
    count,
  });

  /** @param key names the message among those of this channel @param before bridges through which it has come */
  async function send(message: Message, key: string, before: readonly string[]): Promise<Outcome> {
    try {
      return await channel.send(message, {
        signal: AbortSignal.timeout(SEND_MS),
        idempotencyKey: `${bridge}-${name}-${key}`,
        via: [...before, bridge],
      });
    } catch (error) {
      log.error({ err: error, channel: name }, 'channel failed');
      return { kind: 'retry', reason: 'The bridge could not send the message: see its log.' };
    }
  }

  const succeeded = (sender: string): void => {
    failures = 0;
    recent.push({ at: steady(), sender });
  };

  /** @returns the time until the next attempt of this channel */
  const failed = (afterMs: number | undefined): number => {
    const ms = Math.min(afterMs ?? 0, LONGEST_MS);
    const wait = Math.max(ms, backOff(failures, CHANNEL_MAX_MS, random()));
    failures += 1;
    pausedUntil = steady() + wait;
    return ms;
  };

  async function deliver(first: Waiting): Promise<void> {
    const { row, merged, firedTs, isDropped } = await latest(first);
    const { notification } = row;
    if (notification === undefined || isDropped) {
      await noted(dropOutbox, { ids: [row.id, ...merged] });
      return;
    }
    const { announced, threadId, statusGiven, rank } = row;
    const isResolved = notification.status === 'resolved';
    const changes = announced && statusGiven && (isResolved || rank <= announced.priority);
    const message: Message = {
      ...linkToInbox,
      ...notification,
      threadId,
      key: `nb-${threadId}-${notification.id}-${row.arrivedTs.toString(36)}`,
      ref: changes ? announced.ref : undefined,
      ...(firedTs !== undefined && announced === undefined && { lastedMs: row.arrivedTs - firedTs }),
    };
    const outcome = await send(message, `${row.id}-${row.arrivedTs}`, row.via);
    if (outcome.kind === 'delivered') {
      const known = statusGiven && !isResolved ? afterSent(row, outcome.ref) : undefined;
      await noted(noteSent, {
        channel: name,
        id: row.id,
        merged,
        threadId,
        announced: known,
        now: now(),
        steady: steady(),
      });
      succeeded(row.sender);
      on.sent(1 + merged.length, Math.max(0, steady() - row.ts) / 1000);
    } else if (outcome.kind === 'refused') {
      failed(undefined);
      await giveUp([row.id, ...merged], outcome.reason);
    } else {
      await retryLater(row, merged, outcome);
    }
  }

  /** @param merged of its thread, for which it stands: they are given up with it */
  async function retryLater(row: Waiting, merged: number[], { afterMs, reason }: Outcome & { kind: 'retry' }) {
    const demanded = failed(afterMs);
    const dueTs = Math.ceil(steady() + Math.max(demanded, backOff(row.attempts, ROW_MAX_MS, random())));
    await noted(noteRetry, { id: row.id, dueTs, reason });
    on.retried(reason);
    const before = steady() - giveUpMs;
    if (row.ts <= before) {
      await giveUp([row.id, ...merged], reason);
    }
    if (failures >= CHANNEL_FAILS) {
      await giveUpOldest({ before, limit: Infinity }, reason);
    }
  }

  /**
   * Reduces an alert that has resolved meanwhile to its resolve, which covers the held rows of its thread.
   * @returns what is sent, and what it stands for
   */
  async function latest(first: Waiting): Promise<Latest> {
    const alone = { row: first, merged: [], isDropped: false };
    if (deps.isForMachines || !first.statusGiven) {
      return alone;
    }
    const thread = await store.thread(name, first.threadId);
    const last = thread.findLast(({ status, status_given: given }) => status === 'resolved' && given === 1);
    const row = last && last.id > first.id ? await store.one(name, last.id) : first;
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

  async function giveUp(ids: number[], reason: string): Promise<void> {
    await noted(noteUndelivered, { ids, reason, now: now() });
    on.gaveUp(ids.length, reason);
  }

  async function giveUpOldest(
    { limit, ...which }: { before: number; limit: number; state?: 'waiting' | 'held' },
    reason: string
  ): Promise<void> {
    for (let left = limit; left > 0;) {
      const ids = await store.oldest(name, { ...which, limit: Math.min(left, SLICE) });
      if (ids.length === 0) {
        return;
      }
      await giveUp(ids, reason);
      left -= ids.length;
    }
  }

  /** @returns senders whose notifications wait for the message that stands for all of them */
  async function floodingSenders(): Promise<string[]> {
    if (perMinute === undefined) {
      return [];
    }
    recent = recent.filter(({ at }) => at > steady() - MINUTE_MS);
    const sent = new Map<string, number>();
    recent.forEach(({ sender }) => sent.set(sender, (sent.get(sender) ?? 0) + 1));
    return flooding(await store.bySender(name), sent, perMinute);
  }

  async function sendFlood(senders: string[]): Promise<void> {
    const flood = await store.flood(name, senders);
    if (flood === undefined) {
      return;
    }
    const { count, upTo, lastTs, titles, packages, rank, via } = flood;
    const key = `nb-flood-${upTo}-${count}`;
    const title = `${count.toLocaleString('en')} notifications`;
    const body = `All of them are in the inbox. The most urgent, of ${packages.join(', ')}:\n${titles.map((one) => `- ${one}`).join('\n')}`;
    const message = summary({ key, title, body, rank, count });
    const outcome = await send(message, key, via);
    const rows = { channel: name, senders, upTo, lastTs, done_ts: now() };
    if (outcome.kind === 'delivered') {
      await noted(noteFlood, { ...rows, state: 'merged', reason: null });
      nextFlood = steady() + MINUTE_MS;
      failures = 0;
      on.sent(count, 0);
    } else if (outcome.kind === 'refused') {
      failed(undefined);
      await noted(noteFlood, { ...rows, state: 'undelivered', reason: outcome.reason });
      on.gaveUp(count, outcome.reason);
    } else {
      failed(outcome.afterMs);
      await noted(noteRetry, { id: upTo, dueTs: 0, reason: outcome.reason });
      on.retried(outcome.reason);
      if (failures >= CHANNEL_FAILS) {
        await giveUpOldest({ before: steady() - giveUpMs, limit: Infinity }, outcome.reason);
      }
    }
  }

  /** @returns whether there was one to send */
  async function sendDigest(): Promise<boolean> {
    const digest = await store.digest(name);
    if (digest === undefined || digest.dueTs > steady()) {
      return false;
    }
    const { upTo, count, ts, attempts } = digest;
    const [urgent] = digest.titles;
    const key = `nb-digest-${upTo}-${ts.toString(36)}`;
    const message = summary({ key, ...digestText(digest), rank: urgent?.rank ?? 0, count });
    const outcome = await send(message, key, digest.via);
    const note = { channel: name, now: now(), steady: steady(), reason: null };
    if (outcome.kind === 'delivered') {
      await noted(noteDigest, { ...note, state: 'merged' });
      succeeded('');
      on.sent(count, 0);
      return true;
    }
    failed(outcome.kind === 'retry' ? outcome.afterMs : undefined);
    if (outcome.kind === 'refused' || ts <= steady() - giveUpMs) {
      await noted(noteDigest, { ...note, state: 'undelivered', reason: outcome.reason });
      on.gaveUp(count, outcome.reason);
    } else {
      const dueTs = Math.ceil(steady() + backOff(attempts, ROW_MAX_MS, random()));
      await noted(noteRetry, { id: upTo, dueTs, reason: outcome.reason });
      on.retried(outcome.reason);
    }
    return true;
  }

  async function tidy(): Promise<void> {
    nextTidy = steady() + MINUTE_MS;
    const max = LIMITS.channelWaiting.value;
    const counts = { waiting: await store.waiting(name), held: await store.heldCount(name) };
    for (const state of ['waiting', 'held'] as const) {
      if (counts[state] > max) {
        const reason = `More than ${max.toLocaleString('en')} notifications wait for the channel.`;
        await giveUpOldest({ before: Number.MAX_SAFE_INTEGER, limit: counts[state] - max, state }, reason);
      }
    }
    const before = steady() - LIMITS.deliveryDays.value * DAY_MS;
    while ((await noted(cleanOutbox, { channel: name, before, limit: SLICE })).more) {
      // The next slice.
    }
  }

  /** @returns whether there was anything to send */
  async function sendNext(except: readonly string[]): Promise<boolean> {
    const rows = await store.next(name, steady(), Math.min(BATCH, perMinute ?? BATCH), except);
    const seen = new Set<number>();
    for (const row of rows) {
      if (closing.signal.aborted || pausedUntil > steady() || !leads() || holds.holds(row)) {
        break;
      }
      // Later rows of a thread depend on the outcome of the first: read again.
      if (!seen.has(row.threadId)) {
        seen.add(row.threadId);
        await deliver(row);
      }
    }
    return rows.length > 0;
  }

  /** @returns milliseconds until there may be more to do */
  async function pass(): Promise<number> {
    if (!leads()) {
      return FIRST_MS;
    }
    if (pausedUntil > steady()) {
      return pausedUntil - steady();
    }
    if (nextTidy <= steady()) {
      await tidy();
    }
    const held = await holds.step();
    // A digest that could not be sent before quiet hours waits until they end.
    if (!holds.isQuiet() && (await sendDigest())) {
      return 0;
    }
    const senders = await floodingSenders();
    // Later arrivals must not be part of the message.
    if (await holds.disturbs()) {
      return 0;
    }
    if (senders.length > 0 && nextFlood <= steady()) {
      await sendFlood(senders);
      return 0;
    }
    if (await sendNext(senders)) {
      return 0;
    }
    if (senders.length > 0) {
      // Each look reads all that waits: not at each arrival.
      pausedUntil = steady() + FIRST_MS;
    }
    const due = await store.nextDue(name, steady());
    const times = [due ?? Infinity, senders.length > 0 ? nextFlood : Infinity];
    return Math.min(held, MINUTE_MS, ...times.map((at) => at - steady()));
  }

  async function run(): Promise<void> {
    await noted(wakeOutbox, { channel: name }).catch(() => undefined);
    while (!closing.signal.aborted) {
      woken = false;
      const wait = await pass().catch((error: unknown) => {
        log.error({ err: error, channel: name }, 'could not read the outbox; retrying');
        return STORE_RETRY_MS;
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
