/** Writing what arrived: everything that waits, in one transaction. Runs in the writer thread. */
import { DEFAULTS } from '../../contract/notification.ts';
import { enqueue } from '../channels/writes.ts';
import { answeredAmong } from '../respond/arrivals.ts';
import { addArrivals } from '../readers/writes.ts';
import { inPairs, insertRows } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import type { JournalEvent } from '../storage/events.ts';
import type { NotificationRow, ReceiptRow, ThreadRow } from '../storage/schema.ts';
import { prepared } from '../storage/prepared.ts';
import { takeNumbers } from '../storage/series.ts';
import type { Written } from '../storage/write.ts';
import { type IsSilenced, silencedAmong } from '../thresholds/muted.ts';
import { opens } from './burst.ts';
import { type OpeningRow, setBursts } from './burstRows.ts';
import { countArrivals } from './counts.ts';
import { isRepeat, knownReceipts, onceKey } from './receipts.ts';
import type { Incoming, Once } from './receive.ts';
import { flag, type Placement, rankOf, toMember, toSummary, toThreadRow } from './rows.ts';
import { advance, concernsBanner, emptyThread, place } from './thread.ts';
import { UPDATE_THREAD } from './threadRows.ts';

/** One call's notifications, and when they were received. */
export interface ReceiveRequest {
  incoming: Incoming[];
  now: number;
  /** The same by the bridge's own clock, by which receipts age (storage/steadyClock.ts). Default: `now`. */
  steady?: number;
}

/** What became of one notification. `placed` is absent for one that was there before. */
export interface ReceivedRow {
  id: number;
  outcome: 'stored' | 'duplicate' | 'conflict';
  placed?: Placement;
}

/** Both are any text, so a separator alone could not keep them apart. */
export const threadKey = (dnpName: string, correlationId: string): string =>
  `${dnpName.length} ${dnpName}${correlationId}`;

interface Placed {
  item: Incoming;
  now: number;
  steady: number;
  id: number;
  correlationId: string;
  dnpName: string;
}

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
  const known = await knownReceipts(
    trx,
    requests.flatMap(({ incoming, now, steady = now }) => incoming.map((item) => ({ item, now: steady })))
  );
  const results: ReceivedRow[][] = requests.map(() => []);
  const fresh: { request: number; position: number; item: Incoming; now: number; steady: number }[] = [];
  const firsts = new Map<string, number>();
  const repeats: { request: number; position: number; of: number; hash: string | undefined }[] = [];
  requests.forEach(({ incoming, now, steady = now }, request) => {
    incoming.forEach((item, position) => {
      const key = item.once && onceKey(item.once);
      const receipt = key === undefined ? undefined : known.get(key);
      const first = key === undefined ? undefined : firsts.get(key);
      if (receipt) {
        const same = receipt.hash === (item.once?.hash ?? null);
        results[request]![position] = { id: receipt.notification_id, outcome: same ? 'duplicate' : 'conflict' };
      } else if (first !== undefined && repeatsFirst(item.once, fresh[first]!.item.once)) {
        repeats.push({ request, position, of: first, hash: item.once?.hash });
      } else {
        if (key !== undefined) {
          firsts.set(key, fresh.length);
        }
        fresh.push({ request, position, item, now, steady });
      }
    });
  });

  const stored = await storeFresh(trx, fresh);
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
  return { results, events: stored.map(({ row }) => ({ type: 'notification', data: { id: row.id } })) };
}

/** Of two with one key that come together. */
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

async function storeFresh(trx: Transacting, fresh: { item: Incoming; now: number; steady: number }[]) {
  if (fresh.length === 0) {
    return [];
  }
  const firstId = await takeNumbers(trx, 'notification', fresh.length);
  const placed: Placed[] = fresh.map(({ item, now, steady }, index) => ({
    item,
    now,
    steady,
    id: firstId + index,
    correlationId: item.payload.correlationId ?? String(firstId + index),
    dnpName: item.payload.dnpName ?? DEFAULTS.dnpName,
  }));
  const threads = await threadsOf(trx, placed);
  const muted: Muted = {
    categories: await mutedCategories(trx),
    isSilenced: await silencedAmong(
      trx,
      [...threads.values()].map(({ row }) => [row.dnp_name, row.correlation_id] as const)
    ),
  };
  const before = [...threads.values()].flatMap(({ row, existed }) => (existed ? [row] : []));
  const answered = await answeredAmong(trx, before);
  const openings: OpeningRow[] = [];
  const stored = placed.map((one) => {
    const thread = threads.get(threadKey(one.dnpName, one.correlationId))!;
    const arrived = toRow(one, thread.row, muted);
    const handled = answered.takes(thread.row, arrived);
    const row: NotificationRow = handled ? { ...arrived, seen: 1 } : arrived;
    const summary = toSummary(thread.row);
    const member = toMember(row);
    const { kind } = place({ ...summary, hasHead: summary.head !== null }, member);
    const next = advance(summary, member);
    thread.row = toThreadRow(thread.row, next);
    if (opens(summary, next)) {
      openings.push({ thread, id: row.id, rule: one.item.rule, ts: one.steady });
    }
    return { row, kind, thread: thread.row, handled };
  });
  await setBursts(trx, openings);
  const after = [...threads.values()].map((thread) => thread.row);
  const notifications = stored.map(({ row }) => row);
  await insertRows(trx, 'threads', after, UPDATE_THREAD);
  await insertRows(trx, 'notifications', notifications);
  await insertRows(
    trx,
    'thread_members',
    stored.map(({ row, kind }) => ({ thread_id: row.thread_id, kind, id: row.id }))
  );
  await addArrivals(trx, notifications);
  if (fresh.some(({ item }) => item.destinations)) {
    const arrivals = stored.map(({ row, handled }, index) => {
      const { item, steady } = placed[index]!;
      return { row, destinations: handled ? undefined : item.destinations, sender: item.sender, steady };
    });
    await enqueue(trx, arrivals);
  }
  await answered.store(trx);
  await countArrivals(trx, { notifications, before, after });
  await insertRows(
    trx,
    'receipts',
    lastOfEach(
      placed.flatMap(({ item: { once }, id, steady }) =>
        once ? [{ scope: once.scope, key: once.key, hash: once.hash ?? null, notification_id: id, ts: steady }] : []
      )
    ),
    // An expired one may still be there.
    'on conflict (scope, key) do update set hash = excluded.hash, notification_id = excluded.notification_id, ts = excluded.ts'
  );
  return stored;
}

const lastOfEach = (receipts: ReceiptRow[]): ReceiptRow[] => [
  ...new Map(receipts.map((receipt) => [onceKey(receipt), receipt])).values(),
];

/** The threads that these belong to: the known ones as they are, the new ones empty, with an id. */
async function threadsOf(
  trx: Transacting,
  placed: Placed[]
): Promise<Map<string, { row: ThreadRow; existed: boolean }>> {
  const keys = new Map(
    placed.map(({ dnpName, correlationId }) => [threadKey(dnpName, correlationId), [dnpName, correlationId] as const])
  );
  const rows = await trx
    .selectFrom('threads')
    .selectAll()
    .where(inPairs('dnp_name', 'correlation_id', [...keys.values()]))
    .execute();
  const threads = new Map<string, { row: ThreadRow; existed: boolean }>(
    rows.map((row) => [threadKey(row.dnp_name, row.correlation_id), { row, existed: true }])
  );
  const missing = [...keys].filter(([key]) => !threads.has(key));
  if (missing.length > 0) {
    const first = await takeNumbers(trx, 'thread', missing.length);
    missing.forEach(([key, [dnp_name, correlation_id]], index) => {
      const row = toThreadRow({ id: first + index, dnp_name, correlation_id, burst: null }, emptyThread());
      threads.set(key, { row, existed: false });
    });
  }
  return threads;
}

async function mutedCategories(trx: Transacting): Promise<Set<string>> {
  const rows = await selectMuted(trx);
  return new Set(rows.map(({ category }) => category));
}

const selectMuted = prepared<{ category: string }>((trx) =>
  trx.selectFrom('categories').select('category').where('enabled', '=', 0)
);

interface Muted {
  categories: Set<string>;
  isSilenced: IsSilenced;
}

function toRow({ item, now, id, correlationId, dnpName }: Placed, thread: ThreadRow, muted: Muted): NotificationRow {
  const { payload, source, extra, ignored } = item;
  const category = payload.category ?? DEFAULTS.category;
  const status = payload.status ?? DEFAULTS.status;
  const isBanner = payload.isBanner ?? false;
  return {
    id,
    thread_id: thread.id,
    ts: now,
    title: payload.title,
    body: payload.body,
    category,
    dnp_name: dnpName,
    priority: rankOf(payload.priority ?? DEFAULTS.priority),
    status,
    status_given: flag(payload.status !== undefined),
    correlation_id: correlationId,
    is_banner: flag(isBanner),
    banner: flag(concernsBanner({ banner: thread.banner === 1 }, { isBanner, status })),
    // A resolve by an admin is not unread.
    seen: flag(source === 'admin'),
    muted: flag(muted.categories.has(category) || muted.isSilenced(dnpName, correlationId)),
    hidden: flag(payload.errors !== undefined),
    source,
    cta_title: payload.callToAction?.title ?? null,
    cta_url: payload.callToAction?.url ?? null,
    icon: payload.icon ?? null,
    errors: payload.errors ?? null,
    // The member is the bridge's (SET_BY_BRIDGE), also where it is undefined.
    extra: extra || ignored ? JSON.stringify({ ...extra, ignored }) : null,
  };
}
