/** Reads settings. */
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { CategoryRow, SettingHistoryRow, SettingRow } from '../../platform/storage/schema.ts';

/** Queries of settings, on the reading connection. */
export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(db: Database) {
  const settings = () =>
    db.selectFrom('settings').selectAll().orderBy('dnp_name').orderBy('correlation_id').orderBy('member');
  return {
    /** Settings of all packages, sorted by name and id. */
    all: (): Promise<SettingRow[]> => settings().execute(),
    ofPackage: (dnpName: string): Promise<SettingRow[]> => settings().where('dnp_name', '=', dnpName).execute(),
    /** Categories that are switched off. */
    async mutedCategories(): Promise<Set<string>> {
      const rows = await db.selectFrom('categories').select('category').where('enabled', '=', 0).execute();
      return new Set(rows.map(({ category }) => category));
    },
    /** Categories that were ever switched. */
    categories: (): Promise<CategoryRow[]> => db.selectFrom('categories').selectAll().orderBy('category').execute(),
    /**
     * Newest first.
     * @param before only entries older than this id
     */
    history(wanted: { dnpName?: readonly string[]; before?: number; limit: number }): Promise<SettingHistoryRow[]> {
      const { dnpName, before, limit } = wanted;
      let query = db.selectFrom('settings_history').selectAll().orderBy('id', 'desc').limit(limit);
      query = dnpName === undefined ? query : query.where(inList('dnp_name', dnpName));
      return (before === undefined ? query : query.where('id', '<', before)).execute();
    },
    /** The stored ids of endpoints that packages switch off, by package. */
    async shippedOff(): Promise<Map<string, string[]>> {
      const rows = await db.selectFrom('shipped_off').selectAll().execute();
      const byPackage = Map.groupBy(rows, ({ dnp_name }) => dnp_name);
      return new Map([...byPackage].map(([name, of]) => [name, of.map(({ correlation_id }) => correlation_id)]));
    },
  };
}
