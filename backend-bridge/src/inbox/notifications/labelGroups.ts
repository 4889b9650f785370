/** Groups of a list by the value of a label. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Facets, NotificationFilter } from '../../../contract/query.ts';
import { valuesOf } from '../labels/values.ts';
import { flagOf } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { countable, countedRows, MAX_INDEXED } from './cells.ts';
import { conditions, every, FEW_THREADS, isRead, isThreadView, type Viewer } from './filter.ts';
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

/** The groups, by urgency, then by value. What does not have the label is the group ''. */
export async function readLabelGroups(db: Database, options: Options) {
  const { name, open } = options;
  const { counts, exact } = await (isIndexed(options.filter) ? fromIndex : fromRows)(db, options);
  const values = await valuesOf(
    db,
    name,
    open.map(({ label_set }) => label_set)
  );
  const items = withOpen(counts, open, ({ label_set }) => values.get(label_set) ?? '').map(([value, group]) => ({
    value,
    ...group,
  }));
  const last = ({ value }: NonNullable<Facets['groups']>[number]) => Number(value === '');
  items.sort((a, b) => byUrgency(a, b) || last(a) - last(b) || a.value.localeCompare(b.value));
  return { ...firstItems(items, ({ value }) => `=${value}`), exact };
}

/** Whether the index of labels has what the filter needs. */
const isIndexed = (filter: NotificationFilter): boolean =>
  isThreadView(filter) && countable(filter) && !filter.priority && !filter.status && filter.isBanner === undefined;

const MOST = LIMITS.labelValues.value;

/** Threads with the label, in the order of its values; the others are what is left of all. */
async function fromIndex(db: Database, { filter, name, whole, ...viewer }: Options): Promise<Groups> {
  const unread = flagOf(isRead(false, FEW_THREADS, viewer.reader));
  const { rows } = await sql<Counted & { value: string }>`select l.value, count(*) as count, sum(${unread}) as unseen
    from labels l cross join threads t
    where l.name = ${name} and t.label_set = l.set_id and t.label_set > 0 and ${every(conditions(filter, FEW_THREADS, viewer))}
    group by l.value order by l.value limit ${MOST + 1}`.execute(db);
  const counts = new Map(rows.map(({ value, ...counted }) => [value, counted]));
  const left = { ...whole };
  for (const { count, unseen } of rows) {
    left.count -= count;
    left.unseen = Math.max(0, left.unseen - unseen);
  }
  return { counts: left.count > 0 ? counts.set('', left) : counts, exact: rows.length <= MOST };
}

async function fromRows(db: Database, { filter, name, ...viewer }: Options): Promise<Groups> {
  const most = filter.q === undefined ? MAX_INDEXED : undefined;
  const { rows, exact } = await countedRows<{ label_set: number }>(db, { filter, most, ...viewer }, ({ labelSet }) => [
    sql`${sql.ref(labelSet!)} as label_set`,
  ]);
  const values = await valuesOf(
    db,
    name,
    rows.map(({ label_set }) => label_set)
  );
  const counts = new Map<string, Counted>();
  for (const { label_set, unread } of rows) {
    const value = values.get(label_set) ?? '';
    const { count, unseen } = counts.get(value) ?? { count: 0, unseen: 0 };
    counts.set(value, { count: count + 1, unseen: unseen + unread });
  }
  return { counts, exact };
}
