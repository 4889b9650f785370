/**
 * The index for searching. A full-text index pays for every transaction, whatever its size, so arrivals are indexed in bulk:
 * soon after they arrive, and always before a search (figures: docs/decisions/0006-counts-search-and-report.md).
 */
import { sql } from 'kysely';
import { type Database, engineOf, type Transacting } from './engine.ts';
import { lastNumber, setNumber } from './series.ts';
import type { WriteQueue } from './writeQueue.ts';
import type { Written } from './write.ts';

/** Rows of one transaction: they block other writes for about 50 ms. */
const CHUNK = 1000;
/** Time for which arrivals are collected, and interval of checking for waiting writes. Milliseconds. */
const DELAY_MS = 250;
/** Arrivals that may wait while others write; a search has to index them first. */
const MAX_BEHIND = 50_000;

/** Indexes the next rows. `more`: call again. Runs in the writer thread. */
export async function indexText(trx: Transacting, _args: null): Promise<Written<{ more: boolean }>> {
  const last = await lastNumber(trx, 'indexed');
  const rows = await trx
    .selectFrom('notifications')
    .select('id')
    .where('id', '>', last)
    .orderBy('id')
    .limit(CHUNK)
    .execute();
  const end = rows.at(-1)?.id;
  if (end !== undefined) {
    await engineOf(trx).indexText(trx, last, end);
    await setNumber(trx, 'indexed', end);
  }
  return { result: { more: rows.length === CHUNK }, events: [] };
}

/** Keeps the search index up to date. */
export type TextIndexer = ReturnType<typeof createTextIndexer>;

/** Indexes in chunks, a quarter of a second after arrivals; later while writes wait, unless too many are not indexed yet. */
export function createTextIndexer(db: Database, writes: Pick<WriteQueue, 'submit' | 'waiting'>) {
  let timer: NodeJS.Timeout | undefined;
  let arrivals = 0;
  const step = async (): Promise<boolean> => {
    arrivals = Math.max(0, arrivals - CHUNK);
    return (await writes.submit(indexText, null)).more;
  };
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (writes.waiting > 0 && arrivals < MAX_BEHIND) {
        later();
        return;
      }
      run();
    }, DELAY_MS);
    timer.unref();
  };
  // One chunk at a time, so that what arrives meanwhile does not wait behind all of them. A failed write is reported by the queue;
  // the rows stay above the mark and are indexed next time.
  const run = (): void => {
    step().then(
      (more) => more && (writes.waiting === 0 ? run() : later()),
      () => undefined
    );
  };
  const behind = async (): Promise<boolean> => {
    // By the newest id: PostgreSQL estimates a third of all rows above a mark, and would read the whole table to find none.
    const { rows } = await sql<{ behind: number }>`
      select coalesce((select max(id) from notifications), 0) > last as behind from series where name = 'indexed'`.execute(
      db
    );
    return rows[0]?.behind === 1;
  };
  later();
  return {
    /** Call after so many arrived. */
    arrived(count: number): void {
      arrivals += count;
      later();
    },
    /** Resolves when everything stored is indexed. */
    async ready(): Promise<void> {
      while (await behind()) {
        await step();
      }
    },
    close: (): void => clearTimeout(timer),
  };
}
