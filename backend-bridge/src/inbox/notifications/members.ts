/**
 * Threads after members went or came back, without reading all that are left: the state follows from the newest member of each kind
 * (`thread_members`), and a change concerns only the members after it up to the first one for which it makes no difference. Held to the
 * rule of thread.ts by members.stores.test.ts. Runs in the writer thread.
 */
import { sql } from 'kysely';
import type { Status } from '../../../contract/notification.ts';
import { eachRow, inList, inRows, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ThreadRepairRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { recount } from './counts.ts';
import { flag, type MemberRow, toMember } from './rows.ts';
import { type Kind, KINDS, place, type Point, stateOf } from './thread.ts';
import { newest, SHOWN, type Shown, SPEAKING, summarise } from './threadRows.ts';

/** A member that went, or that is back. */
export type Changed = Pick<MemberRow, 'id' | 'seen' | 'muted' | 'hidden'> & { thread_id: number };

/** From where members of a thread are read again. */
interface Start {
  thread_id: number;
  id: number;
  /** The member of this id is back, and what it is to its thread is not known. */
  restored: boolean;
}

/** Members that one transaction looks at beyond those that changed; the rest is left to {@link repairThreads}. */
const MAX_READ = 2000;
/** Members read at once from each start: nearly always the first decides. */
const FIRST_WINDOW = 2;
const WINDOW_GROWTH = 16;
/** Window if it is known that the first does not. */
const REPAIR_WINDOW = 500;

/** Before members are deleted from `notifications`. */
export async function removeMembers(trx: Transacting, gone: readonly Changed[]): Promise<void> {
  const keys = gone.flatMap(({ thread_id, id, muted, hidden }) =>
    kindsOf({ muted, hidden }).map((kind) => [thread_id, kind, id])
  );
  await trx
    .deleteFrom('thread_members')
    .where(inRows(['thread_id', 'kind', 'id'], keys))
    .execute();
}

/** The kinds that a member may have, whatever came before it. */
function kindsOf({ muted, hidden }: Pick<MemberRow, 'muted' | 'hidden'>): readonly Kind[] {
  if (hidden) {
    return [KINDS.hidden];
  }
  return muted ? [KINDS.silent, KINDS.muted, KINDS.mutedTurn] : [KINDS.shown, KINDS.shownTurn];
}

/** After members came back to `notifications`; what they are to their threads is found out by {@link changeThreads}. */
export async function addMembers(trx: Transacting, back: readonly Changed[]): Promise<void> {
  await insertRows(
    trx,
    'thread_members',
    back.map((row) => ({ thread_id: row.thread_id, kind: kindsOf(row)[0]!, id: row.id }))
  );
}

/**
 * Updates threads after members were deleted (sign -1) or restored (sign 1). Threads without members are removed. To be called within
 * `recount` of the threads; restored members must be counted before.
 * @returns whether members are left for {@link repairThreads}
 */
export async function changeThreads(
  trx: Transacting,
  changed: readonly Changed[],
  sign: 1 | -1
): Promise<{ repairs: boolean }> {
  const left = await replay(
    trx,
    await startsAfter(trx, changed, sign),
    MAX_READ + changed.length * FIRST_WINDOW,
    FIRST_WINDOW
  );
  await keepRepairs(trx, left);
  await summarise(trx, shownOf(changed, sign));
  return { repairs: left.length > 0 };
}

/** Continues where {@link changeThreads} stopped, in one thread. `more`: call again. */
export async function repairThreads(trx: Transacting, _args: null): Promise<Written<{ more: boolean }>> {
  const first = await trx.selectFrom('thread_repairs').select('thread_id').limit(1).executeTakeFirst();
  if (first === undefined) {
    return { result: { more: false }, events: [] };
  }
  const thread = first.thread_id;
  const rows = await trx
    .selectFrom('thread_repairs')
    .selectAll()
    .where('thread_id', '=', thread)
    .orderBy('from_id')
    .limit(MAX_READ)
    .execute();
  await trx
    .deleteFrom('thread_repairs')
    .where('thread_id', '=', thread)
    .where('from_id', '<=', rows.at(-1)!.from_id)
    .execute();
  const starts = rows.map(({ from_id, restored }) => ({ thread_id: thread, id: from_id, restored: restored === 1 }));
  await recount(trx, { threads: [thread] }, async () => {
    await keepRepairs(trx, await replay(trx, starts, MAX_READ, REPAIR_WINDOW));
    await summarise(trx, new Map([[thread, { count: 0, unseen: 0 }]]));
  });
  const next = await trx.selectFrom('thread_repairs').select('thread_id').limit(1).executeTakeFirst();
  return { result: { more: next !== undefined }, events: [] };
}

async function keepRepairs(trx: Transacting, starts: readonly Start[]): Promise<void> {
  // A place may be there twice: where reading stopped, and a start of its own.
  const repairs = new Map<string, ThreadRepairRow>();
  for (const { thread_id, id, restored } of starts) {
    const key = `${thread_id} ${id}`;
    repairs.set(key, { thread_id, from_id: id, restored: flag(restored || repairs.get(key)?.restored === 1) });
  }
  await insertRows(
    trx,
    'thread_repairs',
    [...repairs.values()],
    `on conflict (thread_id, from_id) do update set
      restored = case when excluded.restored = 1 then 1 else thread_repairs.restored end`
  );
}

/** Change of the number of shown members of each thread. */
function shownOf(changed: readonly Changed[], sign: 1 | -1): Map<number, Shown> {
  const threads = new Map<number, Shown>();
  for (const { thread_id, seen, muted, hidden } of changed) {
    const { count, unseen } = threads.get(thread_id) ?? { count: 0, unseen: 0 };
    const shown = muted || hidden ? 0 : sign;
    threads.set(thread_id, { count: count + shown, unseen: unseen + (seen ? 0 : shown) });
  }
  return threads;
}

/** The members that follow those that went, or the ones that are back, in order. */
async function startsAfter(trx: Transacting, changed: readonly Changed[], sign: 1 | -1): Promise<Start[]> {
  const places = changed.map(({ thread_id, id }) => [thread_id, id]);
  const { rows } = await sql<{ thread_id: number; id: number }>`select distinct thread_id, id from (
      select c.thread_id, (select min(n.id) from notifications n where n.thread_id = c.thread_id and n.id >= c.id) as id
      from ${eachRow('c', ['thread_id', 'id'], places)}) as following
    where id is not null order by thread_id, id`.execute(trx);
  return rows.map(({ thread_id, id }) => ({ thread_id, id, restored: sign === 1 }));
}

/** `start`: place of its start among the starts. */
type WindowRow = MemberRow & { thread_id: number; banner: 0 | 1; kind: Kind; start: number };

/** Progress of reading a thread again. */
interface Reached {
  /** The members before this id are in line. */
  next: number;
  /** Whether the members after it are settled as well, up to the next start. */
  settled: boolean;
}

/** Starts that are left in one thread, in order. */
interface Queue {
  starts: readonly Start[];
  /** False: more members have to be read from the first start before the others can be. */
  settled: boolean;
}

/**
 * Reads members from each start on until nothing changes any more.
 * @param first how many to read from a start at first
 * @returns where it stopped before that, after about `most` members
 */
async function replay(trx: Transacting, starts: readonly Start[], most: number, first: number): Promise<Start[]> {
  const restored = new Set(starts.flatMap((start) => (start.restored ? [start.id] : [])));
  let queues: Queue[] = [...Map.groupBy(starts, ({ thread_id }) => thread_id).values()].map((queue) => ({
    starts: queue,
    settled: true,
  }));
  let read = 0;
  for (let size = first; queues.length > 0 && read < most; size = Math.min(size * WINDOW_GROWTH, most)) {
    const batch = queues
      .flatMap((queue) => (queue.settled ? queue.starts : queue.starts.slice(0, 1)))
      .slice(0, Math.ceil((most - read) / size));
    const rows = await windows(trx, batch, size);
    read += rows.length;
    const reached = await readWindows(trx, { batch, rows, size, restored });
    queues = queues
      .map((queue) => remaining(queue, reached.get(queue.starts[0]!.thread_id)))
      .filter((queue) => queue.starts.length > 0);
  }
  return queues.flatMap((queue) => queue.starts);
}

function remaining(queue: Queue, reached: Reached | undefined): Queue {
  if (reached === undefined) {
    return queue;
  }
  const { next, settled } = reached;
  const later = queue.starts.filter(({ id }) => id >= next);
  return {
    starts: settled ? later : [{ thread_id: queue.starts[0]!.thread_id, id: next, restored: false }, ...later],
    settled,
  };
}

interface Round {
  batch: readonly Start[];
  rows: readonly WindowRow[];
  size: number;
  restored: ReadonlySet<number>;
}

/** @returns how far each thread of the batch has been read */
async function readWindows(
  trx: Transacting,
  { batch, rows, size, restored }: Round
): Promise<ReadonlyMap<number, Reached>> {
  const points = await pointsBefore(trx, batch);
  const members = Map.groupBy(rows, ({ start }) => start);
  const changes: Changes = { banners: [], kinds: [] };
  const reached = new Map<number, Reached>();
  for (const [index, start] of batch.entries()) {
    const before = reached.get(start.thread_id);
    if (before && (!before.settled || before.next > start.id)) {
      continue;
    }
    const window = members.get(index) ?? [];
    const after = readOn(points[index]!, window, restored, changes);
    const atEnd = !after.settled && window.length < size;
    reached.set(start.thread_id, atEnd ? { next: Infinity, settled: true } : after);
  }
  await apply(trx, changes);
  return reached;
}

interface Changes {
  banners: number[];
  kinds: { thread_id: number; id: number; from: Kind; to: Kind }[];
}

function readOn(before: Point, window: readonly WindowRow[], restored: ReadonlySet<number>, changes: Changes): Reached {
  let point = before;
  for (const row of window) {
    const { kind, banner, after } = place(point, toMember(row));
    if (kind !== row.kind) {
      changes.kinds.push({ thread_id: row.thread_id, id: row.id, from: row.kind, to: kind });
    }
    const same = flag(banner) === row.banner;
    if (!same) {
      changes.banners.push(row.id);
    }
    point = after;
    // After a shown member only its own status and its banner count, and both are what they were.
    if (same && !row.muted && !row.hidden && !restored.has(row.id)) {
      return { next: row.id + 1, settled: true };
    }
  }
  return { next: (window.at(-1)?.id ?? 0) + 1, settled: false };
}

/** Members from each start on, at most `size` of each. */
async function windows(trx: Transacting, starts: readonly Start[], size: number): Promise<WindowRow[]> {
  const places = starts.map(({ thread_id, id }) => [thread_id, id]);
  const { rows } =
    await sql<WindowRow>`select s.place as start, n.thread_id, n.id, n.ts, n.status, n.status_given, n.source,
      n.category, n.priority, n.is_banner, n.banner, n.seen, n.muted, n.hidden,
      (select m.kind from thread_members m where m.thread_id = n.thread_id and m.id = n.id and m.kind in (0, 1, 2, 3, 4, 5)) as kind
    from ${eachRow('s', ['thread_id', 'id'], places)} cross join notifications n
    where n.id in (select x.id from notifications x where x.thread_id = s.thread_id and x.id >= s.id order by x.id limit ${size})
    order by s.place, n.id`.execute(trx);
  return rows;
}

async function pointsBefore(trx: Transacting, starts: readonly Start[]): Promise<Point[]> {
  const places = starts.map(({ thread_id, id }) => [thread_id, id]);
  const { rows } = await sql<{
    has_head: number;
    status: Status | null;
    status_given: number;
    banner: number;
  }>`with p as materialized (select place, thread_id, id from ${eachRow('s', ['thread_id', 'id'], places)}),
      q as materialized (
        select place, ${newest(SPEAKING, 'p.id')} as speaker, ${newest(SHOWN, 'p.id')} as head from p)
    select q.head > 0 as has_head, n.status, n.status_given, n.banner
    from q left join notifications n on n.id = q.speaker order by q.place`.execute(trx);
  return rows.map(({ has_head, status, status_given, banner }) => ({
    state: status === null ? 'event' : stateOf({ status, statusGiven: status_given === 1 }),
    banner: banner === 1,
    hasHead: has_head === 1,
  }));
}

async function apply(trx: Transacting, { banners, kinds }: Changes): Promise<void> {
  if (kinds.length > 0) {
    const before = kinds.map(({ thread_id, id, from }) => [thread_id, from, id]);
    await trx
      .deleteFrom('thread_members')
      .where(inRows(['thread_id', 'kind', 'id'], before))
      .execute();
    await insertRows(
      trx,
      'thread_members',
      kinds.map(({ thread_id, id, to }) => ({ thread_id, kind: to, id }))
    );
  }
  if (banners.length > 0) {
    await recount(trx, { notifications: banners }, () =>
      sql`update notifications set banner = 1 - banner where ${inList(sql.ref('id'), banners)}`.execute(trx)
    );
  }
}
