/**
 * Takes what waits for one channel and sends it, one message at a time. A message counts as sent when that is stored: what is sent and
 * not stored, because the process was killed in between, is sent again.
 */
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import { priorityOf } from '../../inbox/notifications/rows.ts';
import type { MessageActions } from '../actions/service.ts';
import type { Message, Outcome } from './kinds/channel.ts';
import { digestText } from './digest.ts';
import { flooding, floodText, RecentMessages, takeOne } from './flood.ts';
import type { SenderWaiting } from './floodStore.ts';
import { dropDeleted, noteDigest } from './heldWrites.ts';
import { latestOf } from './latest.ts';
import { Holds, type Quiet, quietOf } from './holds.ts';
import { Pump, type PumpDeps, SECOND_MS } from './pump.ts';
import { ResponseEdits } from './responseEdits.ts';
import { type Details, type Renderer, rendererOf } from './templates.ts';
import { noteResponse } from './threadResponses.ts';
import { afterSent, messageOf, type Waiting } from './waiting.ts';
import { ownMessage, withInbox, withoutTokens } from './kinds/text.ts';
import { dropOutbox, noteFlood, noteSent } from './writes.ts';

export interface SenderDeps extends PumpDeps {
  /** Quiet hours of the person to whom the device belongs. */
  personal?: () => Quiet | undefined;
  /** Buttons and links of messages. */
  actions?: Pick<MessageActions, 'of'> | undefined;
}

const BATCH = 50;
/** Back-off of the channel. Milliseconds. */
const CHANNEL_MAX_MS = 5 * MINUTE_MS;
/** Longer than the limit of each type. */
const SEND_MS = LIMITS.channelTime.value + 5000;

/** One message at a time, in order within a thread; back-off of the channel and of each notification (docs/decisions/0023-channels.md). */
export class Sender extends Pump<SenderDeps> {
  readonly #isForMachines: boolean;
  readonly #holds: Holds;
  /** Undefined: the channel has no templates. */
  readonly #renderer: Renderer | undefined;
  readonly #recent = new RecentMessages();
  readonly #responses: ResponseEdits;
  #nextFlood = 0;

  constructor(deps: SenderDeps) {
    super(deps, CHANNEL_MAX_MS);
    const { settings, store, now, steady, personal, log } = deps;
    const { type, name } = settings;
    const { edits, isForMachines = false } = DESCRIPTORS[type];
    this.#isForMachines = isForMachines;
    this.#renderer = rendererOf(settings, (text) => log.error({ channel: name }, text));
    const quiet = quietOf(settings, personal);
    this.#holds = new Holds({
      ...{ channel: name, edits, quiet, store, now, steady },
      noted: (write, args) => this.noted(write, args),
    });
    this.#responses = new ResponseEdits({
      ...deps,
      actions: deps.actions,
      send: (message, details, key) => this.#send(this.#rendered(message, details).message, key, []),
      note: (threadId, responseTs, ref) => this.noted(noteResponse, { channel: name, threadId, responseTs, ref }),
    });
  }

  override wake(hasResponses = false): void {
    if (hasResponses) {
      this.#responses.wake();
    }
    super.wake();
  }

  protected async pass(): Promise<number> {
    const { settings, store, steady } = this.deps;
    const held = await this.#holds.step();
    // A digest that could not be sent before quiet hours waits until they end.
    if (!this.#holds.isQuiet() && (await this.#sendDigest())) {
      return 0;
    }
    const counted = settings.perMinute === undefined ? undefined : await store.bySender(this.name);
    const senders = this.#floodingSenders(counted);
    // Later arrivals must not be part of the message.
    if (await this.#holds.disturbs()) {
      return 0;
    }
    if (senders.length > 0 && this.#nextFlood <= steady()) {
      await this.#sendFlood(senders);
      return 0;
    }
    if (await this.#sendNext(senders, counted)) {
      return 0;
    }
    if (senders.length > 0) {
      // Each look reads all that waits: not at each arrival.
      this.pausedUntil = steady() + SECOND_MS;
    }
    const edited = await this.#responses.step();
    const due = await store.nextDue(this.name, steady());
    const times = [due ?? Infinity, senders.length > 0 ? this.#nextFlood : Infinity];
    return Math.min(held, edited, MINUTE_MS, ...times.map((at) => at - steady()));
  }

  /** @param counted by sender, when the limit was checked: later arrivals wait for the next check @returns whether there may be more to send at once */
  async #sendNext(except: readonly string[], counted?: readonly SenderWaiting[]): Promise<boolean> {
    const { settings, store, steady, leads } = this.deps;
    const rows = await store.next(this.name, steady(), {
      limit: Math.min(BATCH, settings.perMinute ?? BATCH),
      except,
      isDetailed: this.#renderer !== undefined,
    });
    const seen = new Set<number>();
    let isBlocked = false;
    const left = counted && new Map(counted.map(({ sender, count }) => [sender, count]));
    for (const row of rows) {
      if (this.closing.signal.aborted || this.pausedUntil > steady() || !leads() || this.#holds.holds(row)) {
        isBlocked = true;
        break;
      }
      if (left && row.notification && !takeOne(left, row.sender)) {
        continue;
      }
      // Later rows of a thread depend on the outcome of the first: read again.
      if (!seen.has(row.threadId)) {
        seen.add(row.threadId);
        await this.#deliver(row);
      }
    }
    return isBlocked || seen.size > 0;
  }

  async #deliver(first: Waiting): Promise<void> {
    const { row, merged, firedTs, isDropped } = await latestOf(this.deps.store, this.name, first, {
      isForMachines: this.#isForMachines,
      isDetailed: this.#renderer !== undefined,
    });
    const { id, notification, announced, statusGiven, rank, isStep } = row;
    if (notification === undefined || isDropped) {
      await this.noted(dropOutbox, { ids: [id, ...merged] });
      return;
    }
    const isResolved = notification.status === 'resolved';
    const changes = announced && !isStep && statusGiven && (isResolved || rank <= announced.priority);
    const plain = {
      ...messageOf(row, notification, changes ? announced.ref : undefined, firedTs),
      ...(!isResolved && (await this.#responses.partsOf(notification.id, statusGiven, row.responded))),
    };
    const { message, warning } = this.#rendered(plain, row.details);
    const replaced = await this.#responses.shownBy(row, changes);
    const outcome = await this.#send(message, `${id}-${row.arrivedTs}`, row.via);
    if (outcome.kind === 'delivered') {
      await this.#delivered(row, merged, outcome, warning);
      await this.#responses.clear(replaced, outcome.ref);
    } else if (outcome.kind === 'refused') {
      this.failed();
      await this.giveUp([id, ...merged], outcome.reason);
    } else {
      await this.#retryLater(row, merged, outcome);
    }
  }

  /** @param warning about its templates */
  async #delivered(row: Waiting, merged: number[], outcome: Outcome & { kind: 'delivered' }, warning: string | null) {
    const { now, steady, on } = this.deps;
    const { id, threadId } = row;
    const warnings = [warning, outcome.warning].filter((one) => one != null).join(' ');
    const retryTs = outcome.isDeferred && row.ts > this.giveUpBefore ? this.retryTs(row.attempts) : undefined;
    const announced = afterSent(row, outcome.ref);
    const note = { channel: this.name, id, merged, threadId, announced, retryTs, now: now(), steady: steady() };
    await this.noted(noteSent, { ...note, warning: warnings || null });
    this.#succeeded(row.sender);
    if (retryTs === undefined) {
      on.sent(1 + merged.length, Math.max(0, steady() - row.ts) / 1000);
    } else {
      on.retried(warnings);
    }
  }

  /** @param merged of its thread, for which it stands: they are given up with it */
  async #retryLater(row: Waiting, merged: number[], { afterMs, reason }: Outcome & { kind: 'retry' }) {
    await this.retry(row.id, this.retryTs(row.attempts, this.failed(afterMs)), reason);
    if (row.ts <= this.giveUpBefore) {
      await this.giveUp([row.id, ...merged], reason);
    }
    await this.giveUpOld(reason);
  }

  /** @returns senders whose notifications wait for the message that stands for all of them */
  #floodingSenders(counted: readonly SenderWaiting[] = []): string[] {
    const { settings, steady } = this.deps;
    return flooding(counted, this.#recent.since(steady() - MINUTE_MS), settings.perMinute ?? Infinity);
  }

  async #sendFlood(senders: string[]): Promise<void> {
    const { store, now, steady, on } = this.deps;
    const flood = await store.flood(this.name, senders);
    if (flood === undefined) {
      return;
    }
    const { count, upTo, lastTs, rank, via } = flood;
    const key = `nb-flood-${upTo}-${count}`;
    const outcome = await this.#send(this.#summary({ key, ...floodText(flood), rank, count }), key, via);
    const rows = { channel: this.name, senders, upTo, lastTs, done_ts: now() };
    if (outcome.kind === 'delivered') {
      await this.noted(noteFlood, { ...rows, state: 'merged', reason: outcome.warning ?? null });
      this.#nextFlood = steady() + MINUTE_MS;
      this.failures = 0;
      on.sent(count, 0);
    } else if (outcome.kind === 'refused') {
      this.failed();
      await this.noted(noteFlood, { ...rows, state: 'undelivered', reason: outcome.reason });
      on.gaveUp(count, outcome.reason);
    } else {
      this.failed(outcome.afterMs);
      await this.retry(upTo, 0, outcome.reason);
      await this.giveUpOld(outcome.reason);
    }
  }

  /** @returns whether there was one to send */
  async #sendDigest(): Promise<boolean> {
    const { store, now, steady, on } = this.deps;
    const digest = await store.digest(this.name);
    if (digest === undefined || digest.dueTs > steady()) {
      return false;
    }
    if (digest.deleted > 0) {
      await this.noted(dropDeleted, { channel: this.name });
      return true;
    }
    const { upTo, count, ts, attempts } = digest;
    const key = `nb-digest-${upTo}-${ts.toString(36)}`;
    const rank = digest.titles[0]?.rank ?? 0;
    const outcome = await this.#send(this.#summary({ key, ...digestText(digest), rank, count }), key, digest.via);
    const note = { channel: this.name, now: now(), steady: steady() };
    if (outcome.kind === 'delivered') {
      await this.noted(noteDigest, { ...note, state: 'merged', reason: outcome.warning ?? null });
      this.#succeeded('');
      on.sent(count, 0);
      return true;
    }
    this.failed(outcome.kind === 'retry' ? outcome.afterMs : undefined);
    if (outcome.kind === 'refused' || ts <= this.giveUpBefore) {
      await this.noted(noteDigest, { ...note, state: 'undelivered', reason: outcome.reason });
      on.gaveUp(count, outcome.reason);
    } else {
      await this.retry(upTo, this.retryTs(attempts), outcome.reason);
    }
    return true;
  }

  /** A message for many notifications. */
  #summary({ rank, ...text }: Pick<Message, 'key' | 'title' | 'body'> & { rank: number; count: number }): Message {
    return withInbox(ownMessage({ ...text, priority: priorityOf(rank) }, this.deps.now()), this.deps.settings);
  }

  /** With links to the inbox, and texts by the templates. */
  #rendered(message: Message, details: Details | undefined): { message: Message; warning: string | null } {
    const plain = withInbox(message, this.deps.settings);
    return this.#renderer?.apply(plain, details) ?? { message: plain, warning: null };
  }

  /** @param key names the message among those of this channel @param before bridges through which it has come */
  async #send(message: Message, key: string, before: readonly string[]): Promise<Outcome> {
    const { channel, bridge, log } = this.deps;
    try {
      const outcome = await channel.send(message, {
        signal: AbortSignal.timeout(SEND_MS),
        idempotencyKey: `${bridge}-${this.name}-${key}`,
        via: [...before, bridge],
      });
      return withoutTokens(outcome, message);
    } catch (error) {
      log.error({ err: error, channel: this.name }, 'channel failed');
      return { kind: 'retry', reason: 'The bridge could not send the message: see its log.' };
    }
  }

  #succeeded(sender: string): void {
    this.failures = 0;
    this.#recent.add(sender, this.deps.steady());
  }
}
