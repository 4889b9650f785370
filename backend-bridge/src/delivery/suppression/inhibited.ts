/** Open threads that new sources may inhibit. */
import { sql } from 'kysely';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { CompiledRule } from './rules.ts';

/** Identifies the newest source: it grows when one is added. */
export async function newestSource(db: Database): Promise<number> {
  const row = await db
    .selectFrom('inhibitors')
    .select((all) => all.fn.max<number | null>('notification_id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Members of notifications that matchers compare as labels, and that an index or the state of a thread narrows down. */
const COLUMNS: ReadonlyMap<string, 'dnp_name' | 'node'> = new Map([
  ['package', 'dnp_name'],
  ['node', 'node'],
]);

/**
 * Open threads that sources may inhibit which were added after a notification: those with a label that all of their targets have.
 * @returns undefined: targets may be among all open threads
 */
export async function targetsSince(
  db: Database,
  after: number,
  rules: readonly CompiledRule[]
): Promise<number[] | undefined> {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const added = await db
    .selectFrom('inhibitors')
    .select(['rule', 'equal_key'])
    .distinct()
    .where('notification_id', '>', after)
    .execute();
  const labels = [];
  for (const { rule, equal_key } of added) {
    const label = byId.get(rule)?.targetLabel(equal_key);
    if (label) {
      labels.push(label);
    } else if (byId.has(rule)) {
      return undefined;
    }
  }
  const found = new Set<number>();
  for (const [name, of] of Map.groupBy(labels, (label) => label.name)) {
    const ids = await openWith(db, name, [...new Set(of.map(({ value }) => value))]);
    ids.forEach((id) => found.add(id));
  }
  return [...found].sort((a, b) => a - b);
}

/** Open threads with such a label. */
async function openWith(db: Database, name: string, values: readonly string[]): Promise<number[]> {
  const labelled = await db
    .selectFrom('labels as l')
    .innerJoin('threads as t', 't.label_set', 'l.set_id')
    .select('t.id')
    .where('l.name', '=', name)
    .where(inList('l.value', values))
    // Literals, so that the partial index serves.
    .where(sql<boolean>`t.label_set > 0 and t.head_id is not null`)
    .where('t.state', '=', 'open')
    .execute();
  const column = COLUMNS.get(name);
  const others = column
    ? await db
        .selectFrom('threads')
        .select('id')
        .where(inList(sql.ref(column), values))
        .where('state', '=', 'open')
        .execute()
    : [];
  return [...labelled, ...others].map(({ id }) => id);
}
