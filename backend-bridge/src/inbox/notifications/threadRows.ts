/**
 * The row of a thread from its newest members: what `advance` (thread.ts) makes of all of them, found by one look at the index for each
 * kind of member.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Source, Status } from '../../../contract/notification.ts';
import { eachOf, greatest, inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ThreadRow } from '../../platform/storage/schema.ts';
import { toThreadRow } from './rows.ts';
import { emptyThread, type Kind, KINDS, stateOf, type ThreadSummary } from './thread.ts';

/** Writes a thread's new summary over its old one. */
export const UPDATE_THREAD = `on conflict (id) do update set ${[
  'state',
  'opened_ts',
  'closed_ts',
  'last_ts',
  'closed_by_hand',
  'banner',
  'head_id',
  'head_ts',
  'category',
  'priority',
  'count',
  'unseen',
  'burst',
]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

export type Shown = Pick<ThreadSummary, 'count' | 'unseen'>;

/** The newest member of these kinds, of the thread `p.thread_id`, before the id; 0: none. */
export function newest(kinds: readonly Kind[], before?: string): RawBuilder<number> {
  const earlier = before === undefined ? sql`` : sql`and m.id < ${sql.ref(before)}`;
  const each = kinds.map(
    (kind) =>
      sql`coalesce((select max(m.id) from thread_members m where m.thread_id = p.thread_id and m.kind = ${sql.lit(kind)} ${earlier}), 0)`
  );
  return greatest(...each);
}

export const SHOWN = [KINDS.shown, KINDS.shownTurn];
const TURNS = [KINDS.mutedTurn, KINDS.shownTurn];
export const SPEAKING = [KINDS.muted, ...TURNS, KINDS.shown];
const NOT_HIDDEN = [KINDS.silent, ...SPEAKING];

interface Found {
  id: number;
  ts: number;
  status: Status;
  status_given: number;
  source: Source;
  category: string;
  priority: number;
  banner: number;
}

/** Derives the summaries of threads from their newest members; threads without members are removed. */
export async function summarise(trx: Transacting, shown: ReadonlyMap<number, Shown>): Promise<void> {
  const { rows } = await sql<
    Record<'thread_id' | 'speaker' | 'turn' | 'turn_before' | 'head' | 'last', number>
  >`with p as materialized (select value as thread_id from ${eachOf([...shown.keys()])}),
      q as materialized (
        select thread_id, ${newest(SPEAKING)} as speaker, ${newest(TURNS)} as turn, ${newest(SHOWN)} as head, ${newest(NOT_HIDDEN)} as last
        from p)
    select thread_id, speaker, turn, ${newest(TURNS, 'p.turn')} as turn_before, head,
      case when last > 0 then last else (select min(n.id) from notifications n where n.thread_id = p.thread_id) end as last
    from q as p`.execute(trx);
  const threads = await trx
    .selectFrom('threads')
    .selectAll()
    .where(inList(sql.ref('id'), [...shown.keys()]))
    .execute();
  const places = new Map(rows.map((row) => [row.thread_id, row]));
  const ids = rows.flatMap(({ speaker, turn, turn_before, head, last }) => [speaker, turn, turn_before, head, last]);
  const found = await trx
    .selectFrom('notifications')
    .select(['id', 'ts', 'status', 'status_given', 'source', 'category', 'priority', 'banner'])
    .where(inList(sql.ref('id'), [...new Set(ids)].filter(Boolean)))
    .execute();
  const byId = new Map(found.map((row) => [row.id, row as Found]));
  const gone: number[] = [];
  const rebuilt: ThreadRow[] = [];
  for (const thread of threads) {
    const at = places.get(thread.id)!;
    if (!byId.has(at.last)) {
      gone.push(thread.id);
      continue;
    }
    const more = shown.get(thread.id)!;
    const [speaker, turn, turnBefore, head] = [at.speaker, at.turn, at.turn_before, at.head].map((id) => byId.get(id));
    const summary = summaryOf({ speaker, turn, turnBefore, head, lastTs: byId.get(at.last)!.ts });
    rebuilt.push(
      toThreadRow(thread, { ...summary, count: thread.count + more.count, unseen: thread.unseen + more.unseen })
    );
  }
  await insertRows(trx, 'threads', rebuilt, UPDATE_THREAD);
  await trx
    .deleteFrom('threads')
    .where(inList(sql.ref('id'), gone))
    .execute();
}

interface Newest {
  /** The newest member that is part of the state. */
  speaker: Found | undefined;
  /** The newest one at which the state became another, and the one before that. */
  turn: Found | undefined;
  turnBefore: Found | undefined;
  head: Found | undefined;
  lastTs: number;
}

/** Result of `advance` for all members, without their numbers. */
function summaryOf({ speaker, turn, turnBefore, head, lastTs }: Newest): ThreadSummary {
  const state = wordOf(speaker);
  const opened =
    state === 'open' ? turn : state === 'resolved' && wordOf(turnBefore) === 'open' ? turnBefore : undefined;
  const closed = state === 'resolved' ? turn : undefined;
  return {
    ...emptyThread(),
    state,
    openedTs: opened?.ts ?? null,
    closedTs: closed?.ts ?? null,
    closedByHand: closed?.source === 'admin',
    banner: speaker?.banner === 1,
    lastTs,
    head: head ? { id: head.id, ts: head.ts, category: head.category, priority: head.priority } : null,
  };
}

const wordOf = (row: Found | undefined) =>
  row === undefined ? 'event' : stateOf({ status: row.status, statusGiven: row.status_given === 1 });
