/** Reading the journal of events; it is written with the changes that it describes (platform/storage/events.ts). */
import type { Database } from '../storage/engine.ts';
import type { JournalEvent } from '../storage/events.ts';

export interface JournalReader {
  /** Events after `id`, oldest first, at most `limit`. */
  after(id: number, limit: number): Promise<JournalEvent[]>;
  /** Ids of the oldest kept event and of the newest given out. */
  bounds(): Promise<{ oldest: number; newest: number }>;
}

export interface Journal extends JournalReader {
  /** Id of the newest event. */
  newest(): Promise<number>;
}

export function createJournalReader(db: Database): Journal {
  const newest = async (): Promise<number> =>
    (await db.selectFrom('series').select('last').where('name', '=', 'event').executeTakeFirstOrThrow()).last;
  return {
    newest,
    async after(id, limit) {
      const rows = await db.selectFrom('events').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute();
      return rows.map((row) => ({
        id: row.id,
        type: row.type as JournalEvent['type'],
        data: JSON.parse(row.data) as Record<string, unknown>,
      }));
    },
    async bounds() {
      const last = await newest();
      const first = await db.selectFrom('events').select('id').orderBy('id').limit(1).executeTakeFirst();
      return { oldest: first?.id ?? last + 1, newest: last };
    },
  };
}
