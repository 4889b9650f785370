/** Sends the steps of escalations when they are due, on the replica that leads. */
import type { Logger } from 'pino';
import { LIMITS } from '../../../contract/limits.ts';
import { recurring } from '../../platform/runtime/recurring.ts';
import { remindedBy } from './escalation.ts';
import { escalate } from './escalationWrites.ts';
import type { PumpDeps } from './pump.ts';
import type { Routing } from './routing.ts';
import type { OutboxStore } from './store.ts';

export interface EscalatorDeps extends Pick<PumpDeps, 'writes' | 'leads' | 'now' | 'steady'> {
  store: Pick<OutboxStore, 'steps'>;
  routing: Pick<Routing, 'reachedBy'>;
  log: Pick<Logger, 'warn'>;
}

const CHECK_MS = 1000;

/**
 * Sends steps each second, and when woken. A step reaches whoever it concerns when it is due, and is sent in the transaction that removes
 * it.
 */
export function createEscalator({ store, routing, writes, leads, now, steady, log }: EscalatorDeps) {
  const limit = LIMITS.sliceRows.value;
  const sendDue = async (): Promise<void> => {
    while (work.isStarted() && leads()) {
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
  };
  const work = recurring('send the steps of escalations', CHECK_MS, sendDue, log);
  return work;
}
