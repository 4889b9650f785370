/** Writing what arrived: everything that waits, in one transaction. Runs in the writer thread. */
import { DEFAULTS } from '../../../contract/notification.ts';
import { keepLabelSets, readLabels, selectLabelSets } from '../labels/writes.ts';
import { inList, inRows, insertRows, together } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';
import { prepared } from '../../platform/storage/prepared.ts';
import { keepSeries, selectSeries, takeNumbers } from '../../platform/storage/series.ts';
import type { Written } from '../../platform/storage/write.ts';
import { type Muted, type Placed, toRow } from './arrivalRow.ts';
import { type ArrivalBatch, arrivalHooks, type Arrivals, type StoredArrival } from './arrivals.ts';
import { opens } from './burst.ts';
import { keyOfSource, type OpeningRow, selectSources, setBursts } from './burstRows.ts';
import { countArrivals } from './counts.ts';
import { insertReceipts, isRepeat, knownReceipts, onceKey, selectReceipts } from './receipts.ts';
import type { Incoming, Once } from './receive.ts';
import { flag, hasMembers, type Placement, UPDATE_THREAD } from './rows.ts';
import { advance, EMPTY_THREAD } from './thread.ts';

/** One call's notifications, and when they were received. */
export interface ReceiveRequest {
  incoming: Incoming[];
  now: number;
  /** Time by the bridge's own clock, by which receipts age (platform/storage/steadyClock.ts). Default: `now`. */
  steady?: number;
}

/** Outcome of one notification. `placed` is absent for a repeat. */
export interface ReceivedRow {
  id: number;
  outcome: 'stored' | 'duplicate' | 'conflict';
  placed?: Placement;
}

/** They are any text, so a separator alone could not keep them apart; a node has no spaces. */
export const threadKey = (dnpName: string, correlationId: string, node: string): string =>
  `${node} ${dnpName.length} ${dnpName}${correlationId}`;

/** Stores one request; calls that wait together are stored by {@link receiveRows}. */
export async function receive(trx: Transacting, request: ReceiveRequest): Promise<Written<ReceivedRow[]>> {
  const { results, events } = await receiveRows(trx, [request]);
  return { result: results[0]!, events };
}

/** Stores all requests. Returns the outcome of each, and the events to publish. */
export async function receiveRows(
  trx: Transacting,
  requests: ReceiveRequest[]
): Promise<{ results: ReceivedRow[][]; events: Omit<JournalEvent, 'id'>[] }> {
  const items = requests.flatMap(({ incoming, now, steady = now }, request) =>
    incoming.map((item, position) => ({ request, position, item, now, steady }))
  );
  const receipts = selectReceipts(
    trx,
    items.map(({ item }) => item)
  );
  const [found, series, muted, ...selected] = await together(
    trx,
    receipts,
    selectSeries(trx),
    selectMuted(trx),
    ...arrivalHooks().map((hook) => hook.select?.(trx))
  );
  keepSeries(trx, series);
  const known = await knownReceipts(trx, items, found);
  const results: ReceivedRow[][] = requests.map(() => []);
  const fresh: typeof items = [];
  const firsts = new Map<string, number>();
  const repeats: { request: number; position: number; of: number; hash: string | undefined }[] = [];
  items.forEach((one, index) => {
    const { request, position, item } = one;
    const key = item.once && onceKey(item.once);
    const first = key === undefined ? undefined : firsts.get(key);
    // After another one of its key, what was received before that is not the last one any more.
    const receipt = first === undefined ? known[index] : undefined;
    if (receipt) {
      const same = receipt.hash === (item.once?.hash ?? null);
      results[request]![position] = { id: receipt.notification_id, outcome: same ? 'duplicate' : 'conflict' };
    } else if (first !== undefined && repeatsFirst(item.once, fresh[first]!.item.once)) {
      repeats.push({ request, position, of: first, hash: item.once?.hash });
    } else {
      if (key !== undefined) {
        firsts.set(key, fresh.length);
      }
      fresh.push(one);
    }
  });

  const { stored, others } = await storeFresh(trx, fresh, muted, selected);
  stored.forEach((row, index) => {
    const { request, position } = fresh[index]!;
    results[request]![position] = { id: row.row.id, outcome: 'stored', placed: toPlacement(row) };
  });
  for (const repeat of repeats) {
    const same = fresh[repeat.of]!.item.once?.hash === repeat.hash;
    results[repeat.request]![repeat.position] = {
      id: stored[repeat.of]!.row.id,
      outcome: same ? 'duplicate' : 'conflict',
    };
  }
  const events: Omit<JournalEvent, 'id'>[] = stored.map(({ row }) => ({ type: 'notification', data: { id: row.id } }));
  return { results, events: [...events, ...others] };
}

/** Compares two requests with the same key in one batch. */
const repeatsFirst = (once: Once | undefined, first: Once | undefined): boolean =>
  once?.within === undefined || isRepeat(once, first?.hash ?? null);

function toPlacement({ row, thread }: { row: NotificationRow; thread: ThreadRow }): Placement {
  const { state, opened_ts, closed_ts, last_ts, closed_by_hand, count, unseen } = thread;
  return {
    dnpName: row.dnp_name,
    correlationId: row.correlation_id,
    seen: row.seen,
    muted: row.muted,
    thread: { state, opened_ts, closed_ts, last_ts, closed_by_hand, count, unseen },
  };
}

async function beginHooks(
  trx: Transacting,
  batch: Omit<ArrivalBatch, 'selected'>,
  selected: readonly (readonly unknown[])[]
): Promise<Arrivals[]> {
  const begun: Arrivals[] = [];
  for (const [index, hook] of arrivalHooks().entries()) {
    begun.push(await hook.begin(trx, { ...batch, selected: selected[index]! }));
  }
  return begun;
}

/** @param selected rows of each hook's query */
async function storeFresh(
  trx: Transacting,
  fresh: { item: Incoming; now: number; steady: number }[],
  mutedCategories: readonly { category: string }[],
  selected: readonly (readonly unknown[])[]
) {
  if (fresh.length === 0) {
    return { stored: [], others: [] };
  }
  const firstId = await takeNumbers(trx, 'notification', fresh.length);
  const placed: Placed[] = fresh.map(({ item, now, steady }, index) => ({
    item,
    now,
    steady,
    id: firstId + index,
    correlationId: item.payload.correlationId ?? String(firstId + index),
    dnpName: item.payload.dnpName ?? DEFAULTS.dnpName,
    node: item.payload.node ?? '',
    labelSet: item.labelSet ?? 0,
  }));
  const { threads, sources } = await readFor(trx, placed);
  const rowsWhere = (existing: boolean): ThreadRow[] =>
    [...threads.values()].flatMap(({ row, existed }) => (existed === existing ? [row] : []));
  const before = rowsWhere(true);
  const hooks = await beginHooks(trx, { placed, threads: before }, selected);
  const muted: Muted = {
    categories: new Set(mutedCategories.map(({ category }) => category)),
    endpoint: (dnpName, correlationId) => hooks.some((hook) => hook.mutes?.(dnpName, correlationId)),
  };
  const openings: OpeningRow[] = [];
  const stored = placed.map((one) => {
    const thread = threads.get(threadKey(one.dnpName, one.correlationId, one.node))!;
    const arrived = toRow(one, thread.row, muted);
    // Every hook sees every arrival.
    const handled = hooks.filter((hook) => hook.handles?.(thread.row, arrived)).length > 0;
    const before = thread.row;
    const row = handled ? { ...arrived, seen: 1 as const } : arrived;
    thread.row = advance(before, row);
    row.turned = flag(thread.row.state !== before.state);
    if (opens(before, thread.row)) {
      openings.push({ thread, id: row.id, rule: one.item.rule, ts: one.steady });
    }
    return { row, thread: thread.row, placed: one, handled };
  });
  await setBursts(trx, openings, sources);
  const [changed, added] = [rowsWhere(true), rowsWhere(false)];
  const notifications = stored.map(({ row }) => row);
  await insertRows(trx, 'threads', changed, UPDATE_THREAD);
  await insertRows(trx, 'threads', added);
  await insertRows(trx, 'notifications', notifications);
  const others = await runHooks(trx, hooks, stored);
  await countArrivals(trx, { notifications, before, after: [...changed, ...added] });
  await insertReceipts(trx, placed);
  return { stored, others };
}

/** @returns their events */
async function runHooks(trx: Transacting, hooks: readonly Arrivals[], stored: readonly StoredArrival[]) {
  const events: Omit<JournalEvent, 'id'>[] = [];
  for (const hook of hooks) {
    events.push(...((await hook.store?.(trx, stored)) ?? []));
  }
  return events;
}

/** Reads the rows that these notifications depend on. */
async function readFor(trx: Transacting, placed: readonly Placed[]) {
  const keys = new Map(
    placed.map(({ dnpName, correlationId, node }) => [
      threadKey(dnpName, correlationId, node),
      [dnpName, correlationId, node] as const,
    ])
  );
  const sources = new Set(
    placed.map(({ item: { payload, rule }, dnpName, node }) =>
      keyOfSource({ dnpName, category: payload.category ?? DEFAULTS.category, node }, rule)
    )
  );
  const labels = readLabels(placed.map(({ item }) => (item.labelSet === undefined ? item.payload.labels : undefined)));
  const [threads, found, labelSets] = await together(
    trx,
    trx
      .selectFrom('threads')
      .selectAll()
      .where(inRows(['dnp_name', 'correlation_id', 'node'], [...keys.values()])),
    selectSources(trx, [...sources]),
    selectLabelSets(trx, labels)
  );
  const sets = await keepLabelSets(trx, labels, labelSets);
  placed.forEach((one, index) => (one.labelSet = sets[index] ?? one.labelSet));
  return { threads: await threadsOf(trx, keys, threads), sources: { keys: sources, rows: found } };
}

/** The threads of these keys: those with members as they are, the others empty, with a new id. */
async function threadsOf(
  trx: Transacting,
  keys: ReadonlyMap<string, readonly [dnpName: string, correlationId: string, node: string]>,
  rows: readonly ThreadRow[]
): Promise<Map<string, { row: ThreadRow; existed: boolean }>> {
  const emptied = await removeEmptied(trx, rows);
  const threads = new Map<string, { row: ThreadRow; existed: boolean }>(
    rows
      .filter(({ id }) => !emptied.has(id))
      .map((row) => [threadKey(row.dnp_name, row.correlation_id, row.node), { row, existed: true }])
  );
  const missing = [...keys].filter(([key]) => !threads.has(key));
  if (missing.length > 0) {
    const first = await takeNumbers(trx, 'thread', missing.length);
    missing.forEach(([key, [dnp_name, correlation_id, node]], index) => {
      const row = { id: first + index, dnp_name, correlation_id, node, ...EMPTY_THREAD, answered: 0 as const };
      threads.set(key, { row, existed: false });
    });
  }
  return threads;
}

/**
 * Removes threads whose members are all deleted, so that an arrival starts afresh. Members that are restored later join it.
 * @returns their ids
 */
async function removeEmptied(trx: Transacting, threads: readonly ThreadRow[]): Promise<ReadonlySet<number>> {
  const headless = threads.flatMap(({ id, head_id }) => (head_id === null ? [id] : []));
  if (headless.length === 0) {
    return new Set();
  }
  const removed = await trx
    .deleteFrom('threads')
    .where(inList('id', headless))
    .where((all) => all.not(hasMembers()))
    .returning('id')
    .execute();
  return new Set(removed.map(({ id }) => id));
}

const selectMuted = prepared<{ category: string }>((trx) =>
  trx.selectFrom('categories').select('category').where('enabled', '=', 0)
);
