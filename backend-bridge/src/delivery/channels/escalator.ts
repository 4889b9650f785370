/** Sends the steps of escalations when they are due, on the replica that leads. */
import type { Logger } from 'pino';
import { LIMITS } from '../../../contract/limits.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { remindedBy } from './escalation.ts';
import { escalate } from './escalationWrites.ts';
import type { Routing } from './routing.ts';
import type { OutboxStore } from './store.ts';

export interface EscalatorDeps {
  store: Pick<OutboxStore, 'steps'>;
  routing: Pick<Routing, 'reachedBy'>;
  writes: Pick<WriteQueue, 'submit'>;
  /** Whether this replica still leads. */
  leads: () => boolean;
  /** The system's clock, UTC milliseconds: schedules. */
  now: () => number;
  /** The bridge's own clock: when steps are due. */
  steady: () => number;
  log: Pick<Logger, 'warn'>;
}

const CHECK_MS = 1000;

/** A step reaches whoever it concerns when it is due, and is sent in the transaction that removes it. */
export class Escalator {
  readonly #deps: EscalatorDeps;
  #isStarted = false;
  readonly #inTurn = createSerial();

  constructor(deps: EscalatorDeps) {
    this.#deps = deps;
  }

  /** Checks each second, and when woken. @returns stops it */
  start(): () => Promise<void> {
    this.#isStarted = true;
    const stop = repeat('send the steps of escalations', CHECK_MS, () => this.#next(), this.#deps.log);
    return async () => {
      this.#isStarted = false;
      stop();
      await this.#inTurn(() => undefined);
    };
  }

  /** Something may be due. */
  wake(): void {
    if (this.#isStarted) {
      this.#next().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'could not send the steps of escalations; retrying')
      );
    }
  }

  #next(): Promise<void> {
    return this.#inTurn(() => this.#sendDue());
  }

  async #sendDue(): Promise<void> {
    const { store, routing, writes, leads, now, steady, log } = this.#deps;
    const limit = LIMITS.sliceRows.value;
    while (this.#isStarted && leads()) {
      const due = await store.steps(steady(), limit);
      if (due.length === 0) {
        return;
      }
      const at = now();
      const reached = new Map<string, ReturnType<typeof routing.reachedBy>>();
      const steps = due.map(({ id, channel, mark, by }) => {
        const { notThrough, reminder } = mark ?? {};
        const key = JSON.stringify([channel, notThrough, reminder && [reminder.to, by]]);
        const known =
          reached.get(key) ??
          (reminder ? remindedBy(routing.reachedBy, reminder, by, at) : routing.reachedBy(channel, at, notThrough));
        reached.set(key, known);
        return { id, ...known };
      });
      for (const step of await writes.submit(escalate, { steps, now: at, steady: steady() })) {
        log.warn(step, 'a step of an escalation reached nobody');
      }
    }
  }
}
