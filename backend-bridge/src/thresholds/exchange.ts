/** Taking settings out and in as a whole, and who set what. */
import type { Imported, SettingChange, SettingsDocument } from '../../contract/settings.ts';
import type { SettingHistoryRow } from '../storage/schema.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { changesOf, documentOf, readDocument } from './document.ts';
import type { SettingsStore } from './store.ts';
import type { ShippedPackage } from './types.ts';
import { changeSettings } from './writes.ts';

export interface SettingsExchange {
  take(): Promise<SettingsDocument>;
  /**
   * @param by who, where that is known
   * @throws HttpProblem 400; then nothing was set
   */
  put(given: string | Record<string, unknown>, options: { dryRun: boolean; by: string | undefined }): Promise<Imported>;
  /** Newest first. */
  history(query: { dnpName?: readonly string[]; before?: number; limit: number }): Promise<SettingChange[]>;
}

export interface ExchangeDeps {
  store: SettingsStore;
  writes: Pick<WriteQueue, 'submit'>;
  packages: () => Promise<ShippedPackage[]>;
  /** UTC milliseconds. */
  now: () => number;
}

export function createSettingsExchange({ store, writes, packages, now }: ExchangeDeps): SettingsExchange {
  const judge = async (document: SettingsDocument) => {
    const [known, rows, categories] = await Promise.all([packages(), store.all(), store.categories()]);
    return changesOf(document, { packages: known, rows, categories });
  };
  return {
    take: async () => documentOf(await store.all(), await store.categories()),
    async put(given, { dryRun, by }) {
      const document = readDocument(given);
      for (;;) {
        const { notes, ...change } = await judge(document);
        const changed = change.changes.length + change.categories.length;
        if (dryRun || changed === 0) {
          return { changed, notes };
        }
        const { conflict } = await writes.submit(changeSettings, { ...change, by: by ?? null, now: now() });
        // What a file has come to set meanwhile stays: judged anew, it is among the notes.
        if (conflict === null) {
          return { changed, notes };
        }
      }
    },
    history: async (query) => (await store.history(query)).map(changeOf),
  };
}

function changeOf(row: SettingHistoryRow): SettingChange {
  const { id, ts, set_by: by, file, category, dnp_name: dnpName, correlation_id: correlationId } = row;
  const member = row.member === 'threshold' ? 'threshold' : 'enabled';
  const told = (value: number | null) => (value === null || member === 'threshold' ? value : value !== 0);
  return {
    id,
    at: new Date(ts).toISOString(),
    ...(by !== null && { by }),
    ...(file !== null && { file }),
    ...(category !== null && { category }),
    ...(dnpName !== null && { dnpName }),
    ...(correlationId !== null && { correlationId }),
    member,
    from: told(row.old_value),
    to: told(row.new_value),
  };
}
