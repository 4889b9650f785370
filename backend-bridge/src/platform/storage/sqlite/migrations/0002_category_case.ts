import { type Kysely, sql } from 'kysely';
import { foldCategory } from '../../../../../contract/notification.ts';
import type { Schema } from '../../schema.ts';

/** Writes all categories in lower case and merges those that differed by case. Of their switches, the newest applies. */
export async function foldCategories(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ category: string }>`select category from counts union select category from categories
      union select category from threads union select category from trash`.execute(db);
  const changed = rows.map(({ category }) => [category, foldCategory(category)]).filter(([from, to]) => from !== to);
  if (changed.length === 0) {
    return;
  }
  await sql`create temp table folded (old text primary key, new text not null) without rowid`.execute(db);
  await sql`insert into folded select value ->> 0, value ->> 1 from json_each(${JSON.stringify(changed)})`.execute(db);
  for (const table of ['notifications', 'threads', 'trash']) {
    await sql`update ${sql.table(table)} set category = (select new from folded where old = category)
        where category in (select old from folded)`.execute(db);
  }
  await sql`insert into counts select scope, span, slot, hidden, muted, seen, new, dnp_name, priority, state, banner, sum(n)
      from counts join folded on old = category group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
      on conflict do update set n = n + excluded.n`.execute(db);
  await sql`delete from counts where category in (select old from folded)`.execute(db);
  await sql`insert into categories select new, enabled, ts, file from categories join folded on old = category
      where true order by ts on conflict do update set enabled = excluded.enabled, ts = excluded.ts, file = excluded.file
      where excluded.ts > categories.ts`.execute(db);
  await sql`delete from categories where category in (select old from folded)`.execute(db);
  await sql`drop table folded`.execute(db);
}
