/** The outbox of channels that are no longer provisioned. */
import { LIMITS } from '../../../contract/limits.ts';
import { placeOf } from '../../../contract/onCall.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { REMINDER } from './escalationStore.ts';
import { ofDevice } from './kinds/channel.ts';
import type { SendersDeps } from './senders.ts';
import { cleanOutbox, noteUndelivered } from './writes.ts';

type OrphansDeps = Pick<SendersDeps, 'store' | 'writes' | 'now' | 'steady'>;

/** Rows of one write. */
export const SLICE = 1000;

/** Gives up notifications for a channel that is no longer provisioned after a day, since a file may be on its way to another name. */
export async function giveUpOrphans(deps: OrphansDeps, names: ReadonlySet<string>): Promise<void> {
  const { store, writes, now, steady } = deps;
  const waiting = await store.channelsWaiting();
  // A step or a reminder decides when it is due.
  const places = waiting.filter((one) => one === REMINDER || placeOf(one) !== undefined);
  await boundSteps(deps, places);
  for (const name of waiting.filter((one) => !names.has(ofDevice(one).name) && !places.includes(one))) {
    const old = { before: steady() - DAY_MS, limit: SLICE };
    const ids = [...(await store.oldest(name, old)), ...(await store.oldest(name, { ...old, state: 'held' }))];
    if (ids.length > 0) {
      await writes.submit(noteUndelivered, { ids, reason: 'There is no such channel any more.', now: now() });
    }
  }
  const before = steady() - LIMITS.deliveryDays.value * DAY_MS;
  for (const channel of (await store.channelsDone()).filter((one) => !names.has(one))) {
    await writes.submit(cleanOutbox, { channel, before, limit: SLICE });
  }
}

/** Gives up the oldest of too many steps. @param places names of those that are not for a channel */
async function boundSteps({ store, writes, now }: OrphansDeps, places: readonly string[]): Promise<void> {
  const max = LIMITS.channelWaiting.value;
  for (const name of places) {
    const limit = Math.min(SLICE, (await store.count('held', [name])) - max);
    if (limit > 0) {
      const ids = await store.oldest(name, { before: Number.MAX_SAFE_INTEGER, limit, state: 'held' });
      const reason = `More than ${max.toLocaleString('en')} notifications wait for the step.`;
      await writes.submit(noteUndelivered, { ids, reason, now: now() });
    }
  }
}
