/** Sends the steps of escalations that are due. Runs in the writer thread. */
import { type SqlBool, sql } from 'kysely';
import { MINUTE_MS } from '../../../contract/time.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { OutboxRow } from '../../platform/storage/schema.ts';
import { takeNumbers } from '../../platform/storage/series.ts';
import type { Reminder } from '../../inbox/notifications/receive.ts';
import type { Written } from '../../platform/storage/write.ts';
import { addedFor } from './enqueue.ts';
import type { Reached } from './escalation.ts';
import { isHandled, isOpenStep, isResolved, isSnoozed, markOf } from './escalationStore.ts';

/** A step that is due. */
export interface DueStep extends Reached {
  /** In the outbox. */
  id: number;
}

/** A step that reached nobody. */
export interface SkippedStep {
  notification: number;
  /** Whom it should have notified. */
  to: string;
  reason: string;
}

interface Due {
  steps: DueStep[];
  /** UTC milliseconds. */
  now: number;
  /** The bridge's own clock. */
  steady: number;
}

/**
 * Puts what due steps send into the outbox, and drops those of alerts that somebody handles. After a step that reaches nobody, the next one
 * is due at once.
 * @returns the steps that reached nobody
 */
export async function escalate(trx: Transacting, { steps, now, steady }: Due): Promise<Written<SkippedStep[]>> {
  const due = await readDue(trx, steps, steady);
  const open = due.filter((row) => (reminderOf(row) ? remindsNow(row, now) : row.handled === 0));
  const waiting = await waitingFor(trx, open);
  const byId = new Map(steps.map((one) => [one.id, one]));
  const added: OutboxRow[] = [];
  const skipped: OutboxRow[] = [];
  const merged: OutboxRow[] = [];
  for (const { handled: _h, ends: _e, snoozed: _s, suppressed: _u, ack_ts: _a, ...row } of open) {
    const { to, nobody } = byId.get(row.id)!;
    const free = { ...row, hold: null, due_ts: 0, ts: steady };
    if (to.length === 0) {
      skipped.push({ ...free, state: 'skipped', done_ts: now, reason: nobody ?? null });
    }
    const before = added.length;
    for (const { channel, person } of to) {
      const key = `${row.notification_id} ${channel}`;
      if (!waiting.has(key)) {
        waiting.add(key);
        const { reminder: _reminder, ...own } = markOf(row.escalation) ?? {};
        const mark = { ...own, ...(person !== undefined && { person }) };
        // Rows of versions before are no steps.
        const escalation = row.escalation === null ? null : JSON.stringify(mark);
        added.push({ ...free, state: 'waiting', channel, escalation });
      }
    }
    // Each message of it waits already: the step has been sent with them.
    if (to.length > 0 && added.length === before && !reminderOf(row)) {
      merged.push({ ...free, state: 'merged', done_ts: now, reason: null });
    }
  }
  await advance(trx, due, { now, steady });
  const rows = [...skipped, ...merged, ...added];
  if (rows.length > 0) {
    const first = await takeNumbers(trx, 'outbox', rows.length);
    await insertRows(
      trx,
      'outbox',
      rows.map((row, index) => ({ ...row, id: first + index }))
    );
  }
  await bringForward(trx, { skipped, added, steady });
  const channels = [...new Set(added.map(({ channel }) => channel))];
  return {
    result: skipped.map((row) => ({ notification: row.notification_id, to: row.channel, reason: row.reason ?? '' })),
    events: channels.length > 0 ? [addedFor({ channels, hasSteps: false })] : [],
  };
}

/** The steps that still wait. `handled`: 1, somebody handles the alert; `ends`: 1, it has resolved. */
const readDue = (trx: Transacting, steps: readonly DueStep[], steady: number) =>
  trx
    .selectFrom('outbox as o')
    .leftJoin('responses as r', 'r.thread_id', 'o.thread_id')
    .selectAll('o')
    .select('r.ack_ts')
    .select(sql<number>`case when ${isHandled} then 1 else 0 end`.as('handled'))
    .select(sql<number>`case when ${isResolved} then 1 else 0 end`.as('ends'))
    .select(sql<number>`case when ${isSnoozed} then 1 else 0 end`.as('snoozed'))
    .select(
      sql<number>`case when exists (select s.thread_id from suppressed as s where s.thread_id = o.thread_id) then 1 else 0 end`.as(
        'suppressed'
      )
    )
    .where(
      inList(
        'o.id',
        steps.map(({ id }) => id)
      )
    )
    .where(isOpenStep('o'))
    .where('o.due_ts', '<=', steady)
    .orderBy('o.due_ts')
    .orderBy('o.id')
    .execute();

type DueRow = Awaited<ReturnType<typeof readDue>>[number];

const reminderOf = ({ escalation }: Pick<DueRow, 'escalation'>): Reminder | undefined => markOf(escalation)?.reminder;

/** Milliseconds until what is acknowledged is sent again; of what is not, until it may be. */
function remindsIn({ ack_ts, snoozed }: DueRow, { remindMs }: Reminder, now: number): number {
  // The clock may have been set back.
  const since = ack_ts === null || snoozed === 1 ? 0 : Math.max(0, now - ack_ts);
  return Math.max(0, remindMs - since);
}

const remindsNow = (row: DueRow, now: number): boolean =>
  row.ends === 0 && row.suppressed === 0 && remindsIn(row, reminderOf(row)!, now) === 0;

/** `notification channel` of what is not sent yet: it is not sent twice, as after quiet hours. */
async function waitingFor(trx: Transacting, open: readonly DueRow[]): Promise<Set<string>> {
  if (open.length === 0) {
    return new Set();
  }
  const rows = await trx
    .selectFrom('outbox as o')
    .select(['o.notification_id', 'o.channel'])
    .where(
      inList(
        'o.notification_id',
        open.map((row) => row.notification_id)
      )
    )
    .where('o.state', 'in', ['waiting', 'held'])
    .where(sql<SqlBool>`not (${isOpenStep('o')})`)
    .execute();
  return new Set(rows.map((row) => `${row.notification_id} ${row.channel}`));
}

/** Removes steps, or lets them begin again after their time. */
async function advance(
  trx: Transacting,
  due: readonly DueRow[],
  { now, steady }: { now: number; steady: number }
): Promise<void> {
  const gone: number[] = [];
  for (const row of due) {
    const { id, handled, due_ts, escalation } = row;
    const reminder = reminderOf(row);
    if (reminder && row.ends === 0) {
      const next = steady + (remindsIn(row, reminder, now) || (row.suppressed === 1 ? MINUTE_MS : reminder.remindMs));
      await trx.updateTable('outbox').set({ due_ts: next }).where('id', '=', id).execute();
      continue;
    }
    const { everyMs = 0, left = 0, ...mark } = markOf(escalation) ?? {};
    if (handled === 1 || everyMs === 0 || left === 0) {
      gone.push(id);
      continue;
    }
    const values = {
      due_ts: Math.max(due_ts, steady - everyMs + 1) + everyMs,
      escalation: JSON.stringify({ ...mark, everyMs, left: left - 1 }),
    };
    await trx.updateTable('outbox').set(values).where('id', '=', id).execute();
  }
  if (gone.length > 0) {
    await trx.deleteFrom('outbox').where(inList('id', gone)).execute();
  }
}

/** After a step that reached nobody, the next one of its route is due. */
async function bringForward(
  trx: Transacting,
  { skipped, added, steady }: { skipped: OutboxRow[]; added: OutboxRow[]; steady: number }
): Promise<void> {
  for (const { notification_id, escalation } of skipped) {
    const { route, step = 0, reminder } = markOf(escalation) ?? {};
    if (reminder) {
      continue;
    }
    const isSame = (one: OutboxRow): boolean => {
      const mark = markOf(one.escalation);
      return one.notification_id === notification_id && mark?.route === route && mark?.step === step;
    };
    if (added.some(isSame)) {
      continue;
    }
    const later = await trx
      .selectFrom('outbox as o')
      .select(['o.id', 'o.escalation'])
      .where('o.notification_id', '=', notification_id)
      .where(isOpenStep('o'))
      .where('o.due_ts', '>', steady)
      .execute();
    const steps = later.flatMap(({ id, escalation: text }) => {
      const mark = markOf(text);
      return mark?.route === route && mark !== undefined && mark.step > step ? [{ id, step: mark.step }] : [];
    });
    const next = Math.min(...steps.map((one) => one.step));
    const ids = steps.flatMap((one) => (one.step === next ? one.id : []));
    if (ids.length > 0) {
      await trx.updateTable('outbox').set({ due_ts: steady }).where(inList('id', ids)).execute();
    }
  }
}
