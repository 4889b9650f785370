/** Reading the journal of events; it is written with the changes that it describes (platform/storage/events.ts). */
import type { Database } from '../storage/engine.ts';
import type { JournalEvent } from '../storage/events.ts';
import { lastNumber } from '../storage/series.ts';

export type Journal = ReturnType<typeof createJournal>;

export const createJournal = (db: Database) => ({
  /** Id of the newest event. */
  newest: (): Promise<number> => lastNumber(db, 'event'),
  /** Events after `id`, oldest first, at most `limit`. */
  async after(id: number, limit: number): Promise<JournalEvent[]> {
    const rows = await db.selectFrom('events').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute();
    return rows.map((row) => ({
      id: row.id,
      type: row.type as JournalEvent['type'],
      data: JSON.parse(row.data) as Record<string, unknown>,
    }));
  },
  /** Ids of the oldest kept event and of the newest given out. */
  async bounds(): Promise<{ oldest: number; newest: number }> {
    const newest = await lastNumber(db, 'event');
    const first = await db.selectFrom('events').select('id').orderBy('id').limit(1).executeTakeFirst();
    return { oldest: first?.id ?? newest + 1, newest };
  },
});
