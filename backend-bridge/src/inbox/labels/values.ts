/** Values of a label by label set. Reading only. */
import type { Labels } from '../../../contract/matchers.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';

interface Labelled {
  label_set: number;
}

/** The value of a label in each of these rows; empty: without the label. */
export async function valuesOf(
  db: Database,
  name: string,
  rows: readonly Labelled[]
): Promise<(row: Labelled) => string> {
  const ids = [...new Set(rows.map(({ label_set }) => label_set))];
  const sets = await db.selectFrom('label_sets').select(['id', 'labels']).where(inList('id', ids)).execute();
  const values = new Map(
    sets.map(({ id, labels }) => [id, new Map(Object.entries(JSON.parse(labels) as Labels)).get(name)])
  );
  return ({ label_set }) => values.get(label_set) ?? '';
}
