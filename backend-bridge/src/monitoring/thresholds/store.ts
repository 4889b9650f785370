/** Reads settings. */
import { sql } from 'kysely';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { CategoryRow, SettingHistoryRow, SettingRow } from '../../platform/storage/schema.ts';

export interface SettingsStore {
  /** Settings of all packages, sorted by name and id. */
  all(): Promise<SettingRow[]>;
  ofPackage(dnpName: string): Promise<SettingRow[]>;
  /** Categories that are switched off. */
  mutedCategories(): Promise<Set<string>>;
  /**
   * Newest first.
   * @param before only entries older than this id
   */
  history(query: { dnpName?: readonly string[]; before?: number; limit: number }): Promise<SettingHistoryRow[]>;
  /** Categories that were ever switched. */
  categories(): Promise<CategoryRow[]>;
  /** The stored ids of endpoints that packages switch off, by package. */
  shippedOff(): Promise<Map<string, string[]>>;
}

export function createSettingsStore(db: Database): SettingsStore {
  const settings = () =>
    db.selectFrom('settings').selectAll().orderBy('dnp_name').orderBy('correlation_id').orderBy('member');
  return {
    all: () => settings().execute(),
    ofPackage: (dnpName) => settings().where('dnp_name', '=', dnpName).execute(),
    async mutedCategories() {
      const rows = await db.selectFrom('categories').select('category').where('enabled', '=', 0).execute();
      return new Set(rows.map(({ category }) => category));
    },
    categories: () => db.selectFrom('categories').selectAll().orderBy('category').execute(),
    history({ dnpName, before, limit }) {
      let query = db.selectFrom('settings_history').selectAll().orderBy('id', 'desc').limit(limit);
      query = dnpName === undefined ? query : query.where(inList(sql.ref('dnp_name'), dnpName));
      return (before === undefined ? query : query.where('id', '<', before)).execute();
    },
    async shippedOff() {
      const rows = await db.selectFrom('shipped_off').selectAll().execute();
      const off = new Map<string, string[]>();
      rows.forEach(({ dnp_name: name, correlation_id: id }) => off.set(name, [...(off.get(name) ?? []), id]));
      return off;
    },
  };
}
