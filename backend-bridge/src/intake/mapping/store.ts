/** Stored mappings. */
import type { Mapping } from '../../../contract/mapping.ts';
import type { Database } from '../../platform/storage/engine.ts';

/** All mappings with their files, by name. */
export async function listMappings(db: Database): Promise<{ file: string; mapping: Mapping }[]> {
  const rows = await db.selectFrom('mappings').select(['file', 'content']).orderBy('name').execute();
  return rows.map(({ file, content }) => ({ file, mapping: JSON.parse(content) as Mapping }));
}

export async function findMapping(db: Database, name: string): Promise<Mapping | undefined> {
  const row = await db.selectFrom('mappings').select('content').where('name', '=', name).executeTakeFirst();
  return row && (JSON.parse(row.content) as Mapping);
}
