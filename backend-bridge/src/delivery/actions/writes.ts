/** Acts for a message, once. Runs in the writer thread. */
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { MessageActionKind } from '../../../contract/messageAction.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';
import type { Destinations } from '../../inbox/notifications/receive.ts';
import { resolveByHand } from '../../inbox/notifications/resolving.ts';
import { acknowledge } from '../../inbox/respond/acknowledging.ts';
import { snooze } from '../../inbox/respond/snoozing.ts';
import type { Changed } from '../../inbox/respond/threads.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import { isCurrent } from './epochs.ts';

export interface TakeAction {
  /** As they are stored: each of them acts once. */
  tokens: readonly string[];
  action: MessageActionKind;
  /** Id of the notification of the message. */
  notification: number;
  /** Tag and epoch of the channel; see token.ts. */
  tag: string;
  epoch: number;
  by: Actor;
  /** UTC milliseconds. */
  now: number;
  /** By the bridge's own clock. */
  steady: number;
  /** Channels on which a resolved thread was announced. */
  destinations: Destinations | undefined;
}

/** `full`: too many threads are snoozed; the token stays valid. */
export type Taken =
  { outcome: 'done'; step?: Changed } | { outcome: 'revoked' | 'used' | 'resolved' | 'absent' | 'full' };

/** Acts, and invalidates the token, in one transaction. */
export async function takeAction(trx: Transacting, act: TakeAction): Promise<Written<Taken>> {
  const { tokens, notification, tag, epoch, steady } = act;
  if (!(await isCurrent(trx, tag, epoch))) {
    return refused('revoked');
  }
  const used = await trx.selectFrom('used_actions').select('ts').where('token', 'in', tokens).executeTakeFirst();
  if (used) {
    return refused('used');
  }
  const state = await stateOf(trx, notification);
  if (state !== 'current') {
    return refused(state);
  }
  const { result, events } = await done(trx, act);
  if (result.outcome === 'done') {
    await trx
      .insertInto('used_actions')
      .values(tokens.map((token) => ({ token, ts: steady })))
      .execute();
  }
  return { result, events };
}

const refused = (outcome: Exclude<Taken['outcome'], 'done'>): Written<Taken> => ({ result: { outcome }, events: [] });

/** `resolved`: its thread has resolved since, and may have fired again. */
async function stateOf(trx: Transacting, id: number): Promise<'current' | 'resolved' | 'absent'> {
  const row = await trx
    .selectFrom('notifications as n')
    .innerJoin('threads as t', 't.id', 'n.thread_id')
    .select(['n.thread_id', 't.state'])
    .where('n.id', '=', id)
    .executeTakeFirst();
  if (!row) {
    return 'absent';
  }
  // Also if the notification that resolved it was deleted.
  if (row.state === 'resolved') {
    return 'resolved';
  }
  const resolve = await trx
    .selectFrom('notifications')
    .select('id')
    .where('thread_id', '=', row.thread_id)
    .where('id', '>', id)
    .where('status', '=', 'resolved')
    .where('status_given', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return resolve ? 'resolved' : 'current';
}

async function done(trx: Transacting, act: TakeAction): Promise<Written<Taken>> {
  const { action, notification: id, by, now, steady, destinations } = act;
  if (action === 'resolve') {
    const { result, events } = await resolveByHand(trx, { id, by, now, steady, destinations });
    return { result: { outcome: result.outcome === 'not-open' ? 'resolved' : 'done' }, events };
  }
  const common = { ids: [id], by, now };
  const { result, events } =
    action === 'acknowledge'
      ? await acknowledge(trx, { ...common, acknowledged: true })
      : await snooze(trx, { ...common, until: now + HOUR_MS, reader: undefined });
  return { result: result === 'full' ? { outcome: 'full' } : { outcome: 'done', step: result }, events };
}

/** Removes used tokens that have expired. @param now by the bridge's own clock */
export async function cleanActions(trx: Transacting, now: number): Promise<void> {
  const before = now - (LIMITS.actionDays.value + 1) * DAY_MS;
  await trx.deleteFrom('used_actions').where('ts', '<', before).execute();
}
