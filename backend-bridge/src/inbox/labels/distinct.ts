/** Names of labels, or values of one. Reading only. */
import { sql } from 'kysely';
import type { Database } from '../../platform/storage/engine.ts';

interface Distinct {
  /** Values of this label; undefined: names of labels. */
  name?: string | undefined;
  /** Only names or values with this prefix. Default: all. */
  prefix?: string | undefined;
  limit: number;
}

/**
 * The first ones, sorted by code point: one look at the index for each, whatever the number of label sets. The end is compared afterwards:
 * for a range with both ends PostgreSQL expects one row, and reads all of it.
 */
export async function distinctLabels(db: Database, { name, prefix = '', limit }: Distinct): Promise<string[]> {
  const column = sql.ref(name === undefined ? 'l.name' : 'l.value');
  const of = name === undefined ? sql`1 = 1` : sql`l.name = ${name}`;
  // After every character of Unicode.
  const end = sql`${`${prefix}\u{10ffff}`}`;
  const next = (after: ReturnType<typeof sql>) =>
    sql`(select ${column} from labels l where ${of} and ${column} ${after} order by ${column} limit 1)`;
  const { rows } = await sql<{ text: string }>`with recursive found(text) as (
      select ${next(sql`>= ${prefix}`)} union all
      select ${next(sql`> found.text`)} from found where found.text < ${end})
    select text from found where text < ${end} limit ${limit}`.execute(db);
  return rows.map(({ text }) => text);
}
