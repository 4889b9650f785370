/** Counts by category: of all, of what is unseen, and of what is unread to a reader. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Category, Unseen } from '../../../contract/query.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { type ReaderId, unreadNotifications } from '../readers/unread.ts';
import { EVER, NOTIFICATIONS } from './counts.ts';
import { firstItems } from './groups.ts';
import { listedName } from './texts.ts';

const unseenByCategory = (db: Database) =>
  db
    .selectFrom('counts')
    .select([listedName('category').as('category'), (all) => all.fn.sum<number>('n').as('n')])
    .where('scope', '=', NOTIFICATIONS)
    .where('span', '=', EVER)
    .where('hidden', '=', 0)
    .where('muted', '=', 0)
    .where('seen', '=', 0)
    .groupBy(sql`1`)
    .having((all) => all.fn.sum('n'), '>', 0)
    .execute();

async function unreadByCategory(db: Database, reader: number): Promise<{ category: string; n: number }[]> {
  const { rows } = await sql<{
    category: string;
    n: number;
  }>`select ${listedName('n.category')} as category, count(*) as n
    from ${unreadNotifications(reader)} own cross join notifications n where n.id = own.id group by 1`.execute(db);
  return rows;
}

/** Number of unseen notifications; with a reader, of those unread to the reader. */
export async function countUnseen(db: Database, reader?: ReaderId): Promise<Unseen> {
  const rows = await (reader === undefined ? unseenByCategory(db) : unreadByCategory(db, reader));
  const { items, more } = firstItems(
    rows.toSorted((a, b) => b.n - a.n),
    ({ category }) => category
  );
  return {
    unseenCount: rows.reduce((total, { n }) => total + n, 0),
    byCategory: Object.fromEntries(items.map(({ category, n }) => [category, n])),
    ...(more > 0 && { moreCategories: more }),
  };
}

/** Categories that have notifications or a setting, by name. */
export async function listCategories(db: Database, reader?: ReaderId): Promise<Category[]> {
  const counted = await db
    .selectFrom('counts')
    .select([
      'category',
      sql<number>`sum(n)`.as('count'),
      sql<number>`sum(case when seen = 0 and muted = 0 then n else 0 end)`.as('unseen'),
    ])
    .where('scope', '=', NOTIFICATIONS)
    .where('span', '=', EVER)
    .where('hidden', '=', 0)
    .where(sql<boolean>`${listedName('category')} <> ''`)
    .groupBy('category')
    .having((all) => all.fn.sum('n'), '>', 0)
    .orderBy(sql`count`, 'desc')
    .limit(LIMITS.categories.value)
    .execute();
  const switches = await db.selectFrom('categories').select(['category', 'enabled', 'file']).execute();
  const all = new Map<string, Category>(
    switches.map(({ category, enabled, file }) => [
      category,
      { category, enabled: enabled === 1, count: 0, unseen: 0, ...(file !== null && { file }) },
    ])
  );
  for (const { category, count, unseen } of counted) {
    all.set(category, { category, enabled: true, ...all.get(category), count, unseen });
  }
  if (reader !== undefined) {
    const own = new Map((await unreadByCategory(db, reader)).map(({ category, n }) => [category, n]));
    all.forEach((category) => (category.unseen = own.get(category.category) ?? 0));
  }
  return [...all.values()].sort((a, b) => a.category.localeCompare(b.category));
}
