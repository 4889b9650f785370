/** Values of a label by label set. Reading only. */
import { sql } from 'kysely';
import type { Labels } from '../../../contract/matchers.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';

/** @returns without the sets that do not have the label */
export async function valuesOf(db: Database, name: string, sets: readonly number[]): Promise<Map<number, string>> {
  const ids = [...new Set(sets)].filter((id) => id > 0);
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('label_sets')
          .select(['id', 'labels'])
          .where(inList(sql.ref('id'), ids))
          .execute();
  return new Map(
    rows.flatMap(({ id, labels }) => {
      const value = new Map(Object.entries(JSON.parse(labels) as Labels)).get(name);
      return value === undefined ? [] : [[id, value] as const];
    })
  );
}
