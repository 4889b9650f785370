/** Reading for retention: the policy in effect, and what the notifications need. */
import { sql } from 'kysely';
import type { RetentionPolicy } from '../../../contract/retention.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { DAYS, EVER, NOTIFICATIONS } from '../notifications/counts.ts';
import { inList } from '../../platform/storage/bulk.ts';
import { type Database, engineOf } from '../../platform/storage/engine.ts';
import { labelsOfRow } from '../notifications/texts.ts';
import type { LabelledRow } from './archived.ts';

export interface Policy {
  policy: RetentionPolicy;
  /** The provisioning file that sets it. */
  file?: string;
  changedTs?: number;
  changedBy?: string;
}

export interface Measure {
  notifications: number;
  /** The size of the database in relation to the estimate, in thousandths. */
  factor: number;
}

/**
 * Size of a notification without its texts (row, thread, members, indexes, counts), and size per byte of its texts, text index included.
 * Measured: docs/decisions/0021-retention-and-backups.md.
 */
const ROW_BYTES = 550;
const TEXT_FACTOR = 1.8;
/** A smaller database is mostly what it has beside its notifications. */
const MEASURED_FROM = 1000;
/** Places at which a sample is taken, and rows at each. */
const PLACES = 40;
const ROWS = 25;

export type RetentionStore = ReturnType<typeof createRetentionStore>;

/** Queries for policy, sizes and figures, on the reading connection. Sizes in bytes. */
export function createRetentionStore(db: Database) {
  const series = async (name: string): Promise<number> =>
    (await db.selectFrom('series').select('last').where('name', '=', name).executeTakeFirst())?.last ?? 0;
  const sum = async (span: 0 | 1, from = 0, to = Number.MAX_SAFE_INTEGER): Promise<number> => {
    const row = await db
      .selectFrom('counts')
      .select((all) => all.fn.sum<number | string | null>('n').as('n'))
      .where('scope', '=', NOTIFICATIONS)
      .where('span', '=', span)
      .where('slot', '>=', from)
      .where('slot', '<', to)
      .executeTakeFirst();
    return Number(row?.n ?? 0);
  };
  return {
    async policy(): Promise<Policy> {
      const rows = await db.selectFrom('retention').selectAll().orderBy('file', 'desc').limit(1).execute();
      const [row] = rows;
      if (row === undefined) {
        return { policy: {} };
      }
      return {
        policy: JSON.parse(row.policy) as RetentionPolicy,
        ...(row.file !== '' && { file: row.file }),
        changedTs: row.ts,
        ...(row.set_by !== null && { changedBy: row.set_by }),
      };
    },
    count: (): Promise<number> => sum(EVER),
    /** Average per day of the `days` days before the one of this moment, from what is stored. @param now UTC milliseconds */
    async perDay(now: number, days: number): Promise<number> {
      const today = Math.floor(now / DAY_MS);
      return (await sum(DAYS, today - days, today)) / days;
    },
    /** Bytes that a notification takes in the database, on average: estimated from a sample, corrected as measured. 0 without notifications. */
    meanBytes: async (): Promise<number> => (((await series('size-factor')) || 1000) / 1000) * (await estimate(db)),
    /** Correction of the estimate by the size of the database; undefined: it is too small, or was fuller before (PostgreSQL). */
    async measure(): Promise<Measure | undefined> {
      const notifications = await sum(EVER);
      // A table of PostgreSQL does not shrink: only when it is as full as ever, its size says what a notification takes.
      const fullest = engineOf(db).name === 'postgres' ? await series('size-measured') : 0;
      if (notifications < Math.max(MEASURED_FROM, fullest)) {
        return undefined;
      }
      const used = await engineOf(db).usedBytes(db);
      return { notifications, factor: Math.round((1000 * used) / (notifications * (await estimate(db)))) };
    },
    /** Whole rows, by id. */
    rows: (ids: readonly number[]): Promise<LabelledRow[]> =>
      db
        .selectFrom('notifications as n')
        .selectAll('n')
        .select(labelsOfRow())
        .where(inList('n.id', ids))
        .orderBy('n.id')
        .execute(),
    lastId: (): Promise<number> => series('notification'),
    /** Until when an import pauses retention, by the bridge's own clock; 0: not. */
    pausedUntil: (): Promise<number> => series('retention-pause'),
  };
}

/** Bytes of a notification on average, by a sample. */
async function estimate(db: Database): Promise<number> {
  const ends = await db
    .selectFrom('notifications')
    .select((all) => [all.fn.min<number | null>('id').as('first'), all.fn.max<number | null>('id').as('last')])
    .executeTakeFirst();
  const first = ends?.first ?? 0;
  const step = Math.max(ROWS, ((ends?.last ?? 0) - first + 1) / PLACES);
  const sizes: number[] = [];
  for (let id = first; ends?.last != null && id <= ends.last; id += step) {
    sizes.push(...(await sampleAt(db, Math.floor(id))));
  }
  const text = sizes.reduce((total, size) => total + size, 0) / (sizes.length || 1);
  return sizes.length === 0 ? 0 : ROW_BYTES + TEXT_FACTOR * text;
}

/** Bytes of the texts of each notification from this id on. */
async function sampleAt(db: Database, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('notifications')
    .select(
      sql<
        number | string
      >`octet_length(title) + octet_length(body) + octet_length(correlation_id) + octet_length(dnp_name)
        + coalesce(octet_length(extra), 0) + coalesce(octet_length(errors), 0) + coalesce(octet_length(cta_url), 0)`.as(
        'bytes'
      )
    )
    .where('id', '>=', id)
    .orderBy('id')
    .limit(ROWS)
    .execute();
  return rows.map(({ bytes }) => Number(bytes));
}
