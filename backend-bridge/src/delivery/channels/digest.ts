/** A digest: one message for all that was held for it (heldWrites.ts). */
import { type SqlBool, sql } from 'kysely';
import { PRIORITY_WORDS } from '../../../contract/notification.ts';
import { priorityOf } from '../../inbox/notifications/rows.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { SENDING } from '../schedules/hours.ts';
import { cut, durationText, oneLine } from './kinds/text.ts';
import { longestVia } from './via.ts';

/** A digest that is to be sent: what it says of the threads in it. */
export interface Digest {
  /** Entries of the outbox. */
  count: number;
  /** How many of its notifications have been deleted since the digest was made. */
  deleted: number;
  /** The last of them. */
  upTo: number;
  /** When it was made, by the bridge's own clock. */
  ts: number;
  attempts: number;
  /** Not tried before, by the bridge's own clock. */
  dueTs: number;
  /** The longest of those in it: bridges through which it has come, without this one. */
  via: readonly string[];
  /** Threads that have not resolved. */
  open: number;
  resolved: number;
  /** Groups of unresolved threads; largest first. */
  groups: { dnpName: string; category: string; count: number }[];
  /** Titles of the most urgent threads. */
  titles: { title: string; rank: number }[];
  /** Titles of resolved threads; milliseconds for which they fired, if that was not announced before. */
  resolvedTitles: { title: string; lastedMs: number | undefined }[];
}

/** A literal, so that the partial index serves. */
const HELD = sql.lit<'held'>('held');
const SHOWN_TITLES = 5;
const SHOWN_GROUPS = 10;
const MAX_TITLE = 200;

const inDigest = (db: Database, channel: string) =>
  db
    .selectFrom('outbox as o')
    .where('o.channel', '=', channel)
    .where('o.state', '=', HELD)
    .where('o.hold', '=', SENDING);

/** The last notification of each thread in it. */
const lastOfThreads = (db: Database, channel: string) =>
  db
    .selectFrom(
      inDigest(db, channel)
        .select((all) => [all.fn.min<number>('o.id').as('first'), all.fn.max<number>('o.id').as('last')])
        .groupBy('o.thread_id')
        .as('t')
    )
    .innerJoin('outbox as l', 'l.id', 't.last')
    .innerJoin('notifications as n', 'n.id', 'l.notification_id');
const isResolved = sql<SqlBool>`(n.status = 'resolved' and n.status_given = 1)`;
const isOpen = sql<SqlBool>`not ${isResolved}`;

/** The digest that is being made; undefined: there is none. */
export async function digestOf(db: Database, channel: string): Promise<Digest | undefined> {
  const { present, ...whole } = await inDigest(db, channel)
    .leftJoin('notifications as n', 'n.id', 'o.notification_id')
    .select((all) => [all.fn.countAll<number>().as('count'), all.fn.count<number>('n.id').as('present')])
    .select((all) => [all.fn.max<number | null>('o.id').as('upTo')])
    .select((all) => [all.fn.min<number>('o.ts').as('ts'), all.fn.max<number>('o.attempts').as('attempts')])
    .select((all) => all.fn.max<number>('o.due_ts').as('dueTs'))
    .executeTakeFirstOrThrow();
  if (whole.upTo === null) {
    return undefined;
  }
  const { upTo } = whole;
  const last = lastOfThreads(db, channel);
  const groups = await last
    .select(['n.dnp_name as dnpName', 'n.category', (all) => all.fn.countAll<number>().as('count')])
    .where(isOpen)
    .groupBy(['n.dnp_name', 'n.category'])
    .orderBy('count', 'desc')
    .orderBy('n.dnp_name')
    .orderBy('n.category')
    .execute();
  const titles = await last
    .select(['n.title', 'n.priority as rank'])
    .where(isOpen)
    .orderBy('n.priority', 'desc')
    .orderBy('l.id')
    .limit(SHOWN_TITLES)
    .execute();
  const { resolved } = await last
    .select((all) => all.fn.countAll<number>().as('resolved'))
    .where(isResolved)
    .executeTakeFirstOrThrow();
  return {
    ...whole,
    upTo,
    deleted: whole.count - present,
    via: await longestVia(inDigest(db, channel)),
    open: groups.reduce((sum, { count }) => sum + count, 0),
    resolved,
    groups: groups.slice(0, SHOWN_GROUPS),
    titles,
    resolvedTitles: await resolvedTitlesOf(db, channel),
  };
}

async function resolvedTitlesOf(db: Database, channel: string): Promise<Digest['resolvedTitles']> {
  const rows = await lastOfThreads(db, channel)
    .innerJoin('outbox as f', 'f.id', 't.first')
    .innerJoin('notifications as m', 'm.id', 'f.notification_id')
    .leftJoin('channel_threads as r', (join) =>
      join.onRef('r.thread_id', '=', 'l.thread_id').onRef('r.channel', '=', 'l.channel')
    )
    .select(['n.title', 'n.ts', 'm.ts as firedTs', 'm.status as firstStatus', 'r.ref'])
    .where(isResolved)
    .orderBy('n.priority', 'desc')
    .orderBy('l.id')
    .limit(SHOWN_TITLES)
    .execute();
  return rows.map(({ title, ts, firedTs, firstStatus, ref }) => ({
    title,
    lastedMs: firstStatus === 'triggered' && ref === null ? ts - firedTs : undefined,
  }));
}

const of = (count: number): string => count.toLocaleString('en');
export const notificationsText = (count: number): string => `${of(count)} notification${count === 1 ? '' : 's'}`;

/** Text of a digest. */
export function digestText({ open, resolved, groups, titles, resolvedTitles }: Digest): {
  title: string;
  body: string;
} {
  const all = notificationsText(open + resolved);
  const list = (lines: string[]): string => lines.map((line) => `- ${line}`).join('\n');
  const shown = (title: string): string => cut(oneLine(title), MAX_TITLE);
  const sections = [
    groups.map(({ dnpName, category, count }) => `${dnpName} · ${category}: ${of(count)}`).join('\n'),
    titles.length === 0
      ? ''
      : `The most urgent:\n${list(titles.map(({ title, rank }) => `${PRIORITY_WORDS[priorityOf(rank)]}: ${shown(title)}`))}`,
    resolved === 0
      ? ''
      : `Resolved: ${of(resolved)}\n${list(
          resolvedTitles.map(({ title, lastedMs }) =>
            lastedMs === undefined ? shown(title) : `${shown(title)} (fired and resolved, ${durationText(lastedMs)})`
          )
        )}`,
  ];
  return {
    title: resolved === 0 ? all : `${all}, ${open === 0 ? 'all' : of(resolved)} resolved`,
    body: sections.filter((section) => section !== '').join('\n\n'),
  };
}
