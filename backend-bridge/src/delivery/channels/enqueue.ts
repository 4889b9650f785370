/** Adds arrivals to the outbox, in the transaction that stores them. Runs in the writer thread. */
import { LIMITS } from '../../../contract/limits.ts';
import { formatVia } from '../../../contract/via.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { OutboxRow } from '../../platform/storage/schema.ts';
import { takeNumbers } from '../../platform/storage/series.ts';
import type { ArrivalHook } from '../../inbox/notifications/arrivals.ts';
import type { Destinations, Escalation, Reminder, Step } from '../../inbox/notifications/receive.ts';
import { type Announced, announcedAmong, type Arrival, channelsOf, heldFor } from './announced.ts';
import type { StepMark } from './escalation.ts';
import { endedAmong, REMINDER, type Running, runningAmong, stepKey } from './escalationStore.ts';
import { UNACKNOWLEDGED } from '../schedules/hours.ts';

const NO_HOLDS: NonNullable<Destinations['holds']> = {};
const NOTHING_ANNOUNCED: ReadonlyMap<string, Announced> = new Map();

/** Additions to the outbox: names of their channels, and whether steps of escalations are among them. */
interface Added {
  channels: string[];
  hasSteps: boolean;
}

/** For the replica that sends. */
export const addedFor = (added: Added) => ({ type: 'outbox', data: { ...added } }) as const;

const NOTHING: Added = { channels: [], hasSteps: false };

/**
 * Puts what goes out into the outbox, in the transaction that stores it. Hidden ones do not go out, and of muted ones only what closes a message.
 */
export async function enqueue(trx: Transacting, arrivals: readonly Arrival[]): Promise<Added> {
  const shown = arrivals.flatMap(reaching);
  if (shown.length === 0) {
    return NOTHING;
  }
  const escalating = new Set(
    shown.flatMap(({ row, destinations }) => (destinations!.escalations ? row.thread_id : []))
  );
  const running = await runningAmong(trx, [...escalating]);
  const ended = await endedAmong(trx, [...escalating]);
  const announced = await announcedAmong(trx, shown, new Set([...running.keys(), ...ended.keys()]));
  const added = shown.map((arrival) => ({ arrival, rows: directRows(arrival, shown, announced) }));
  const steps = stepRows(shown, { running, ended }, announced);
  const rows = added.flatMap(({ arrival, rows: direct }) => [...direct, ...(steps.rows.get(arrival) ?? [])]);
  if (steps.replaced.length > 0) {
    await trx.deleteFrom('outbox').where(inList('id', steps.replaced)).execute();
  }
  for (const [notification_id, ids] of Map.groupBy(steps.renewed.keys(), (id) => steps.renewed.get(id)!)) {
    await trx.updateTable('outbox').set({ notification_id }).where(inList('id', ids)).execute();
  }
  if (rows.length === 0) {
    return NOTHING;
  }
  const first = await takeNumbers(trx, 'outbox', rows.length);
  rows.forEach((row, index) => (row.id = first + index));
  await insertRows(trx, 'outbox', rows);
  const channels = [...new Set(rows.map(({ channel }) => channel))];
  return { channels, hasSteps: rows.some(({ escalation }) => escalation !== null) };
}

type Ended = Awaited<ReturnType<typeof endedAmong>>;
type AnnouncedByThread = Map<number, Map<string, Announced>>;

/** Rows for the channels to which routes lead. Adds to `announced` what later resolves of the same transaction follow. */
function directRows(
  { row, destinations, sender, via, steady }: Arrival,
  shown: readonly Arrival[],
  announced: AnnouncedByThread
): OutboxRow[] {
  const { holds = NO_HOLDS } = destinations!;
  const known = announced.get(row.thread_id) ?? NOTHING_ANNOUNCED;
  // Only what resolves depends on what its thread has announced.
  const resolves = shown.some((one) => one.row.status === 'resolved');
  return channelsOf(destinations!, row.status === 'resolved' ? known : NOTHING_ANNOUNCED).map((channel) => {
    const hold = holds[channel];
    const held = heldFor(row, hold, known.get(channel));
    if (resolves && row.status === 'triggered') {
      const now = announced.get(row.thread_id) ?? new Map<string, Announced>();
      announced.set(row.thread_id, now.set(channel, now.get(channel) ?? (held ? { held } : { hasMessage: true })));
    }
    return {
      ...newRow({ row, sender, via, steady }, channel),
      state: held ? 'held' : 'waiting',
      due_ts: held?.due_ts ?? 0,
      hold: held?.hold ?? null,
      drop_resolved: hold?.dropResolved === true ? 1 : 0,
    };
  });
}

/**
 * Rows for the steps of escalations. While one runs, and after its last step, what arrives in its thread is sent where the thread was
 * announced, and a higher priority begins it again.
 * @returns `replaced`: ids of steps that no longer run; `renewed`: newer notifications that steps send, by the ids of the steps
 */
function stepRows(
  shown: readonly Arrival[],
  { running, ended }: { running: Map<number, Map<string, Running>>; ended: Ended },
  announced: AnnouncedByThread
): { rows: Map<Arrival, OutboxRow[]>; replaced: number[]; renewed: Map<number, number> } {
  const rows = new Map<Arrival, OutboxRow[]>();
  const replaced: number[] = [];
  const renewed = new Map<number, number>();
  for (const arrival of shown) {
    const { row, destinations } = arrival;
    const thread = running.get(row.thread_id) ?? new Map<string, Running>();
    if (row.status === 'resolved') {
      running.delete(row.thread_id);
      ended.delete(row.thread_id);
      continue;
    }
    running.set(row.thread_id, thread);
    const added = (destinations!.escalations ?? []).flatMap((escalation) => {
      if (row.status_given === 0) {
        // Not an update of an alert: each is escalated.
        return escalation.steps.map((step) => stepRow(arrival, escalation, step));
      }
      const before = thread.get(escalation.route);
      const rank = Math.max(before?.rank ?? -1, arrival.begins ? -1 : endedRank(ended.get(row.thread_id), escalation));
      if (rank >= row.priority) {
        if (before && rank === row.priority) {
          before.ids.forEach((id) => renewed.set(id, row.id));
        }
        const known = announced.get(row.thread_id) ?? NOTHING_ANNOUNCED;
        const { channels } = destinations!;
        return escalation.reach
          .filter((channel) => known.has(channel) && !channels.includes(channel))
          .map((channel) => newRow(arrival, channel));
      }
      replaced.push(...(before?.ids ?? outdatedIn(thread, escalation)));
      thread.set(escalation.route, { ids: [], rank: row.priority });
      return [
        ...escalation.steps.map((step) => stepRow(arrival, escalation, step)),
        ...(escalation.reminder ? [reminderRow(arrival, escalation.route, escalation.reminder)] : []),
      ];
    });
    rows.set(arrival, added);
  }
  return { rows, replaced, renewed };
}

/** Steps of routes that were edited or removed since: the new one takes their place. */
const outdatedIn = (thread: ReadonlyMap<string, Running>, { known }: Escalation): number[] =>
  [...thread].flatMap(([route, { ids }]) => (known.includes(route) ? [] : ids));

/** -1: its last step was not sent. */
const endedRank = (ended: ReadonlyMap<string, number> | undefined, { route, steps }: Escalation): number =>
  ended?.get(stepKey(route, steps.at(-1)?.step ?? -1)) ?? -1;

function reminderRow(arrival: Arrival, route: string, reminder: Reminder): OutboxRow {
  const mark: StepMark = { route, step: -1, reminder };
  return {
    ...newRow(arrival, REMINDER),
    state: 'held',
    due_ts: arrival.steady + reminder.remindMs,
    hold: UNACKNOWLEDGED,
    escalation: JSON.stringify(mark),
  };
}

function stepRow(arrival: Arrival, escalation: Escalation, { to, afterMs, step }: Step): OutboxRow {
  const { route, everyMs, dropResolved, notThrough } = escalation;
  const mark: StepMark = {
    route,
    step,
    ...(everyMs !== undefined && { everyMs, left: LIMITS.escalationSteps.value }),
    ...(notThrough !== undefined && { notThrough }),
  };
  return {
    ...newRow(arrival, to),
    state: 'held',
    due_ts: arrival.steady + afterMs,
    hold: UNACKNOWLEDGED,
    drop_resolved: dropResolved === true ? 1 : 0,
    escalation: JSON.stringify(mark),
  };
}

/** A row that is sent at once; its id follows. */
const newRow = (
  { row, sender = '', via, steady }: Pick<Arrival, 'row' | 'sender' | 'via' | 'steady'>,
  channel: string
): OutboxRow => ({
  id: 0,
  channel,
  notification_id: row.id,
  thread_id: row.thread_id,
  sender,
  ts: steady,
  state: 'waiting',
  attempts: 0,
  due_ts: 0,
  done_ts: null,
  reason: null,
  hold: null,
  drop_resolved: 0,
  seen_ts: null,
  via: via ? formatVia(via) : null,
  escalation: null,
});

/** Adds arrivals to the outbox, unless somebody handles them already. */
export const outboxOfArrivals: ArrivalHook = {
  begin: () => ({
    async store(trx, stored) {
      const arrivals = stored.flatMap(({ row, handled, isSuppressed, placed: { item, steady } }) => {
        const { destinations, sender, via } = item;
        return handled || isSuppressed || destinations === undefined
          ? []
          : [{ row, destinations, sender, via, steady }];
      });
      const added = await enqueue(trx, arrivals);
      return added.channels.length > 0 ? [addedFor(added)] : [];
    },
  }),
};

/** Muted while its alert was open: the resolve still closes the message on its channels, and is no message of its own. */
function reaching(arrival: Arrival): Arrival[] {
  const { row, destinations } = arrival;
  if (!destinations || row.hidden === 1 || (row.muted === 1 && row.status !== 'resolved')) {
    return [];
  }
  const { channels, ifAnnounced } = destinations;
  return row.muted === 0
    ? [arrival]
    : [{ ...arrival, destinations: { ...destinations, channels: [], ifAnnounced: [...channels, ...ifAnnounced] } }];
}
