/** Groups of a list by the value of a label. */
import { type RawBuilder, sql } from 'kysely';
import type { Facets, NotificationFilter } from '../../../contract/query.ts';
import { valuesOf } from '../labels/values.ts';
import { unreadThreads } from '../readers/unread.ts';
import { snoozedThreads } from '../responses/conditions.ts';
import { flagOf } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { countable, countedRows, MAX_INDEXED } from './cells.ts';
import {
  conditions,
  every,
  FEW_THREADS,
  hidesSnoozed,
  isRead,
  isThreadView,
  type View,
  type Viewer,
} from './filter.ts';
import { byUrgency, type Counted, firstItems, type OpenThread, withOpen } from './groups.ts';

interface Options extends Viewer {
  filter: NotificationFilter;
  /** Name of the label. */
  name: string;
  /** All that match the filter. */
  whole: Counted;
  /** Open threads that match the filter. */
  open: readonly OpenThread[];
}

interface Groups {
  counts: Map<string, Counted>;
  /** False if not all values, or only the newest rows, were counted. */
  exact: boolean;
}

/** The groups, by urgency, then by value; none without a name. What does not have the label is the group ''. */
export async function readLabelGroups(
  db: Database,
  { name, ...rest }: Omit<Options, 'name'> & { name: string | undefined }
): Promise<Pick<Facets, 'groups' | 'moreGroups' | 'exact'>> {
  if (name === undefined) {
    return { exact: true };
  }
  const { filter, open } = rest;
  const { counts, exact } = await (isIndexed(filter) ? fromIndex : fromRows)(db, { name, ...rest });
  const valueOf = await valuesOf(db, name, open);
  const all = withOpen(counts, open, valueOf).map(([value, group]) => ({ value, ...group }));
  const isLast = ({ value }: (typeof all)[number]) => Number(value === '');
  all.sort((a, b) => byUrgency(a, b) || isLast(a) - isLast(b) || a.value.localeCompare(b.value));
  const { items, more } = firstItems(all, ({ value }) => `=${value}`);
  return { groups: items, ...(more > 0 && { moreGroups: more }), exact };
}

/** Whether the index of labels has what the filter needs. */
const isIndexed = (filter: NotificationFilter): boolean =>
  isThreadView(filter) && countable(filter) && !filter.priority && !filter.status && filter.isBanner === undefined;

/** Whether it is one of these threads, which are few. By its newest member: the index does not have the id of the thread. */
const isOneOf = (threads: RawBuilder<{ thread_id: number }>) =>
  sql<boolean>`t.head_id in (select own_thread.head_id from ${threads} own cross join threads own_thread
    where own_thread.id = own.thread_id and own_thread.head_id is not null)`;

const { thread: _id, ...WITHOUT_ID } = FEW_THREADS;
/** Threads, of which only the index is read. */
const INDEXED: View = { ...WITHOUT_ID, unread: (reader) => isOneOf(unreadThreads(reader)) };

/** Threads with the label, in the order of its values; the others are what is left of all. */
async function fromIndex(db: Database, { filter, name, whole, ...viewer }: Options): Promise<Groups> {
  const unread = flagOf(isRead(false, INDEXED, viewer.reader));
  const narrowed = [
    ...conditions(filter, INDEXED, viewer),
    ...(hidesSnoozed(filter) ? [sql<boolean>`not (${isOneOf(snoozedThreads(viewer.reader))})`] : []),
  ];
  const { rows } = await sql<Counted & { value: string }>`select l.value, count(*) as count, sum(${unread}) as unseen
    from labels l cross join threads t
    where l.name = ${name} and t.label_set = l.set_id and t.label_set > 0 and ${every(narrowed)}
    group by l.value order by l.value limit ${MAX_INDEXED + 1}`.execute(db);
  const counts = new Map(rows.map(({ value, ...counted }) => [value, counted]));
  const left = { ...whole };
  for (const { count, unseen } of rows) {
    left.count -= count;
    left.unseen = Math.max(0, left.unseen - unseen);
  }
  return { counts: left.count > 0 ? counts.set('', left) : counts, exact: rows.length <= MAX_INDEXED };
}

async function fromRows(db: Database, { filter, name, ...viewer }: Options): Promise<Groups> {
  const most = filter.q === undefined ? MAX_INDEXED : undefined;
  const { rows, exact } = await countedRows<{ label_set: number }>(db, { filter, most, ...viewer }, ({ labelSet }) => [
    sql`${sql.ref(labelSet!)} as label_set`,
  ]);
  const valueOf = await valuesOf(db, name, rows);
  const counts = new Map<string, Counted>();
  for (const row of rows) {
    const { count, unseen } = counts.get(valueOf(row)) ?? { count: 0, unseen: 0 };
    counts.set(valueOf(row), { count: count + 1, unseen: unseen + row.unread });
  }
  return { counts, exact };
}
