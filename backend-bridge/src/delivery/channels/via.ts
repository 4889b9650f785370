/** The bridges through which what is sent has come (contract/via.ts), as the outbox holds them. */
import { type SelectQueryBuilder, sql } from 'kysely';
import { parseVia } from '../../../contract/via.ts';
import type { OutboxRow, Schema } from '../../platform/storage/schema.ts';

/** The ids stored in a row of the outbox. */
export const storedVia = (via: OutboxRow['via']): string[] => (via === null ? [] : parseVia(via));

/**
 * The ids for one message for many: the longest list, so that such messages cannot loop either. All ids have one length.
 * @param rows of the outbox, as `o`
 */
export async function longestVia(rows: SelectQueryBuilder<Schema & { o: OutboxRow }, 'o', object>): Promise<string[]> {
  const row = await rows
    .select('o.via')
    .where('o.via', 'is not', null)
    .orderBy(sql`length(o.via)`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return storedVia(row?.via ?? null);
}
