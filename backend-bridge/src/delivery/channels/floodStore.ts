/** Counts what waits, for messages that replace many. */
import { sql } from 'kysely';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { longestVia } from './via.ts';

/** Waiting notifications of one sender. */
export interface SenderWaiting {
  sender: string;
  count: number;
}

/** Notifications that one counting message replaces. */
export interface Flood {
  count: number;
  /** The last of them in the outbox. */
  upTo: number;
  /** When the last of them was received, or sent again, by the bridge's own clock. */
  lastTs: number;
  /** The most urgent ones. */
  titles: string[];
  packages: string[];
  rank: number;
  /** The longest of them. */
  via: readonly string[];
}

const waiting = sql.lit<'waiting'>('waiting');
/** Maximum number counted per sender: beyond it is a flood anyway. */
const COUNTED = 20_000;
const SHOWN_TITLES = 5;

/** Waiting rows by sender. Deleted notifications do not count: they are not sent. */
export function waitingBySender(db: Database, channel: string): Promise<SenderWaiting[]> {
  return db
    .selectFrom(
      db
        .selectFrom('outbox as o')
        .innerJoin('notifications as n', 'n.id', 'o.notification_id')
        .select('o.sender')
        .where('o.channel', '=', channel)
        .where('o.state', '=', waiting)
        .orderBy('o.id')
        .limit(COUNTED)
        .as('w')
    )
    .select(['sender', (all) => all.fn.countAll<number>().as('count')])
    .groupBy('sender')
    .execute();
}

/** All that waits of these senders. */
export async function floodOf(db: Database, channel: string, senders: readonly string[]): Promise<Flood | undefined> {
  const of = db
    .selectFrom('outbox as o')
    .where('o.channel', '=', channel)
    .where('o.state', '=', waiting)
    .where(inList('o.sender', senders));
  const present = of.innerJoin('notifications as n', 'n.id', 'o.notification_id');
  const total = await present
    .select((all) => [all.fn.countAll<number>().as('count'), all.fn.max<number | null>('o.id').as('last')])
    .select((all) => all.fn.max<number>('o.ts').as('lastTs'))
    .executeTakeFirst();
  if (total === undefined || total.last === null) {
    return undefined;
  }
  const urgent = await present
    .select(['n.title', 'n.dnp_name', 'n.priority'])
    .where('o.id', '<=', total.last)
    .orderBy('n.priority', 'desc')
    .orderBy('o.id')
    .limit(SHOWN_TITLES)
    .execute();
  return {
    count: total.count,
    upTo: total.last,
    lastTs: total.lastTs,
    titles: urgent.map(({ title }) => title),
    packages: [...new Set(urgent.map(({ dnp_name }) => dnp_name))],
    rank: urgent[0]?.priority ?? 0,
    via: await longestVia(of),
  };
}
