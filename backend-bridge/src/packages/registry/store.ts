/** Reads the registered packages. */
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { PackageApprovalRow, PackageHistoryRow, PackageRow } from '../../platform/storage/schema.ts';

/** A row without its files, to detect changes. */
export type PackageHeader = Pick<PackageRow, (typeof HEADER)[number]>;
const HEADER = [
  'dnp_name',
  'revision',
  'version',
  'type',
  'origin_file',
  'registered_ts',
  'registered_by',
  'updated_ts',
] as const;

export function headerOf(row: PackageRow): PackageHeader {
  return Object.fromEntries(HEADER.map((column) => [column, row[column]])) as PackageHeader;
}

/** Queries of registered packages, on the reading connection. */
export type PackageStore = ReturnType<typeof createPackageStore>;

export function createPackageStore(db: Database) {
  return {
    /** Every package, by name in code point order. */
    headers: (): Promise<PackageHeader[]> =>
      db
        .selectFrom('packages')
        .select([...HEADER])
        .orderBy('dnp_name')
        .execute(),
    row: (dnpName: string): Promise<PackageRow | undefined> =>
      db.selectFrom('packages').selectAll().where('dnp_name', '=', dnpName).executeTakeFirst(),
    rows: (dnpNames: readonly string[]): Promise<PackageRow[]> =>
      db.selectFrom('packages').selectAll().where(inList('dnp_name', dnpNames)).execute(),
    /** Distinct. */
    filesDirs: async (): Promise<string[]> => {
      const rows = await db.selectFrom('packages').select('files_dir').distinct().execute();
      return rows.flatMap(({ files_dir: dir }) => (dir === null ? [] : [dir]));
    },
    /** The newest approval since a time; with a text, the newest of that text. */
    approval: (dnpName: string, sinceTs: number, text?: string): Promise<PackageApprovalRow | undefined> =>
      db
        .selectFrom('package_approvals')
        .selectAll()
        .where('dnp_name', '=', dnpName)
        .where('ts', '>=', sinceTs)
        .$if(text !== undefined, (query) => query.where('message', '=', text as string))
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst(),
    /** Newest first. */
    history: (dnpName: string, limit: number): Promise<PackageHistoryRow[]> =>
      db
        .selectFrom('package_history')
        .selectAll()
        .where('dnp_name', '=', dnpName)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute(),
  };
}
