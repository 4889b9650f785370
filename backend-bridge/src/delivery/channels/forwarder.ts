/**
 * Takes what waits for another bridge and sends it, many in one request, in the order of arrival. What is sent and not noted, because the
 * process was killed in between, is sent again; the other bridge recognises its key.
 */
import { LIMITS } from '../../../contract/limits.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { BatchChannel, BatchOutcome } from './kinds/channel.ts';
import type { WaitingWhole } from './forwardStore.ts';
import { noteForwarded } from './forwardWrites.ts';
import { Pump, type PumpDeps } from './pump.ts';

/** Heartbeat interval. Milliseconds. */
const HEARTBEAT_MS = MINUTE_MS;
/** The longest back-off: the link may be back at any time. Milliseconds. */
const LONGEST_MS = MINUTE_MS;

/** The sender of a channel to another bridge: batches in the order of arrival. A rejected batch is split until the cause is alone. */
export class Forwarder extends Pump<PumpDeps<BatchChannel>> {
  /** Notifications in a batch. */
  #most: number = LIMITS.batchRows.value;
  #nextBeat = 0;

  constructor(deps: PumpDeps<BatchChannel>) {
    super(deps, LONGEST_MS);
  }

  protected async pass(): Promise<number> {
    const { channel, steady } = this.deps;
    if (await this.#forward()) {
      return 0;
    }
    if (this.#nextBeat <= steady()) {
      // A failed heartbeat is not reported here: the other bridge reports the silence.
      this.#nextBeat = steady() + HEARTBEAT_MS;
      await channel.heartbeat(this.#signal());
      return 0;
    }
    return this.#nextBeat - steady();
  }

  /** @returns whether there was anything to send */
  async #forward(): Promise<boolean> {
    const rows = await this.deps.store.batch(this.name, { rows: this.#most, bytes: LIMITS.forwardedBytes.value });
    const [first, ...others] = rows.filter(({ forwarded }) => forwarded !== undefined);
    if (rows.length === 0) {
      return false;
    }
    const outcome = first
      ? await this.#send([first, ...others])
      : { kind: 'delivered' as const, returned: [], rejected: [] };
    if (outcome.kind === 'delivered') {
      await this.#delivered(rows, outcome);
    } else if (outcome.kind === 'refused' && others.length > 0) {
      // One of them is the cause.
      this.#most = 1;
    } else if (outcome.kind === 'refused') {
      await this.giveUp([first!.id], outcome.reason);
    } else {
      this.failed(outcome.afterMs);
      await this.retry(first!.id, 0, outcome.reason);
      await this.giveUpOldest({ before: this.giveUpBefore, limit: Infinity }, outcome.reason);
    }
    return true;
  }

  #send(rows: readonly WaitingWhole[]): Promise<BatchOutcome> {
    const { channel, bridge } = this.deps;
    const all = rows.map(({ forwarded, id, arrivedTs, via }) => ({
      ...forwarded!,
      idempotencyKey: `${bridge}-${this.name}-${id}-${arrivedTs}`,
      via: [...via, bridge],
    }));
    return channel.sendAll(all, this.#signal());
  }

  async #delivered(
    rows: readonly WaitingWhole[],
    { returned, rejected }: Extract<BatchOutcome, { kind: 'delivered' }>
  ): Promise<void> {
    const { now, steady, on } = this.deps;
    const kept = rows.filter(({ forwarded }) => forwarded !== undefined);
    const known = new Set(returned.map((index) => kept[index]!));
    const reasons = new Map(rejected.map(({ index, reason }) => [kept[index]!, reason]));
    const sent = kept.filter((row) => !known.has(row) && !reasons.has(row));
    await this.noted(noteForwarded, {
      channel: this.name,
      sent: sent.map(({ id, threadId, turn, rank }) => ({ id, threadId, turn, rank })),
      gone: rows.filter((row) => row.forwarded === undefined || known.has(row)).map(({ id }) => id),
      now: now(),
      steady: steady(),
    });
    for (const [{ id }, reason] of reasons) {
      await this.giveUp([id], reason);
    }
    this.failures = 0;
    this.#nextBeat = steady() + HEARTBEAT_MS;
    this.#most = Math.min(LIMITS.batchRows.value, this.#most * 2);
    if (sent.length > 0) {
      on.sent(sent.length, Math.max(0, steady() - sent[0]!.ts) / 1000);
    }
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.closing.signal, AbortSignal.timeout(LIMITS.channelTime.value)]);
  }
}
