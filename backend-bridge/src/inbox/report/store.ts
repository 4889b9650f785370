/** Reads the report from its sums. */
import { sql } from 'kysely';
import type { Source } from '../../../contract/notification.ts';
import {
  type Report,
  type ReportBy,
  type ReportFigures,
  type ReportRow,
  type ReportSort,
  TREND_WEEKS,
  weekOf,
  weekStart,
} from '../../../contract/report.ts';
import { isoTime } from '../../../contract/text.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { ReportKindRow } from '../../platform/storage/schema.ts';
import { lastNumber } from '../../platform/storage/series.ts';
import { NO_SUMS, type Sums, SUMS } from './fold.ts';

/** Weeks since 1970, from Monday in UTC; both included. */
export interface ReportWeeks {
  /** Number of the first week, see weekOf. */
  first: number;
  last: number;
}

export interface ReportQuery extends ReportWeeks {
  by: ReportBy;
  sort: ReportSort;
  limit: number;
  /** Also rows of which nothing is counted in these weeks, but which are open now. */
  withOpen: boolean;
}

/** Subject of a row of the report. */
export type Subject = Pick<ReportRow, 'source' | 'rule' | 'dnpName' | 'category'>;

/** How many notifications have arrived after the last one that is counted. */
export async function behindBy(db: Database): Promise<number> {
  return Math.max(0, (await lastNumber(db, 'notification')) - (await lastNumber(db, 'reported')));
}

export async function reportOf(db: Database, { first, last, by, sort, limit, withOpen }: ReportQuery): Promise<Report> {
  const kinds = await selectKinds(db);
  const groups = new Groups(by, kinds);
  (await selectSums(db, { first, last })).forEach((sums) => groups.add(sums));
  (await selectOpen(db)).forEach((open) => groups.addOpen(open, withOpen));
  const trend = newTrend();
  const start = last - TREND_WEEKS + 1;
  for (const { week, kind, notifications } of await selectTrend(db, { first: start, last })) {
    trend[week - start]! += notifications;
    groups.addTrend(kind, week - start, notifications);
  }
  const all = groups.all();
  const rows = all.map(toRow).sort((a, b) => (b[sort] ?? -1) - (a[sort] ?? -1) || b.last - a.last);
  return {
    from: dateOf(first),
    to: dateOf(last + 1),
    first: await firstWeek(db),
    behind: await behindBy(db),
    total: { ...figuresOf(sumOf(all)), trend },
    rows: rows.slice(0, limit),
    more: Math.max(0, rows.length - limit),
  };
}

/** All rows of one week, those with most notifications first. */
export async function rowsOfWeek(db: Database, week: number, by: ReportBy): Promise<(Subject & ReportFigures)[]> {
  const groups = new Groups(by, await selectKinds(db));
  (await selectSums(db, { first: week, last: week })).forEach((sums) => groups.add(sums));
  return groups
    .all()
    .map((group) => ({ ...group.subject, ...figuresOf(group) }))
    .sort((a, b) => b.notifications - a.notifications);
}

/** The Monday of a week, as YYYY-MM-DD. */
export const dateOf = (week: number): string => isoTime(weekStart(week)).slice(0, 10);
/** The week of a day, as YYYY-MM-DD. */
export const weekOfDate = (date: string): number => weekOf(Date.parse(date));

async function firstWeek(db: Database): Promise<string | null> {
  const row = await db
    .selectFrom('report_weeks')
    .select((all) => all.fn.min<number | null>('week').as('week'))
    .executeTakeFirst();
  return row?.week == null ? null : dateOf(row.week);
}

async function selectKinds(db: Database): Promise<ReadonlyMap<number, ReportKindRow>> {
  return new Map((await db.selectFrom('report_kinds').selectAll().execute()).map((row) => [row.id, row]));
}

/** Sums of bigint are texts on PostgreSQL. */
const numbersOf = <T extends object>(row: T): { [K in keyof T]: number } =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as { [K in keyof T]: number };

async function selectSums(db: Database, { first, last }: ReportWeeks): Promise<(Sums & { kind: number })[]> {
  const rows = await db
    .selectFrom('report_weeks')
    .select('kind')
    .select((all) => [
      ...SUMS.map((name) => all.fn.sum<number | string>(name).as(name)),
      all.fn.max<number>('longest_ms').as('longest_ms'),
    ])
    .where('week', '>=', first)
    .where('week', '<=', last)
    .groupBy('kind')
    .execute();
  return rows.map(numbersOf);
}

const selectTrend = (db: Database, { first, last }: ReportWeeks) =>
  db
    .selectFrom('report_weeks')
    .select(['week', 'kind', 'notifications'])
    .where('week', '>=', first)
    .where('week', '<=', last)
    .where('notifications', '>', 0)
    .execute();

async function selectOpen(db: Database): Promise<{ kind: number; open: number; since: number }[]> {
  const { rows } = await sql<{ kind: number; open: number; since: number }>`
    select kind, count(*) as open, min(opened_ts) as since from report_spells where closed_ts is null group by kind`.execute(
    db
  );
  return rows.map(numbersOf);
}

interface Group extends Sums {
  subject: Subject;
  open: number;
  since: number;
  trend: number[];
  last: number;
}

const newTrend = (): number[] => Array.from({ length: TREND_WEEKS }, () => 0);

const newGroup = (subject: Subject): Group => ({
  subject,
  ...NO_SUMS,
  open: 0,
  since: Infinity,
  trend: newTrend(),
  last: 0,
});

function subjectOf({ source, rule, dnp_name, category }: ReportKindRow, by: ReportBy): Subject {
  switch (by) {
    case 'package':
      return { dnpName: dnp_name };
    case 'category':
      return { category };
    case 'source':
      return { source: source as Source };
    default:
      return { source: source as Source, rule, dnpName: dnp_name, category };
  }
}

/** Kinds put together to rows. */
class Groups {
  readonly #groups = new Map<string, Group>();
  readonly #byKind = new Map<number, Group>();

  readonly #by: ReportBy;
  readonly #kinds: ReadonlyMap<number, ReportKindRow>;

  constructor(by: ReportBy, kinds: ReadonlyMap<number, ReportKindRow>) {
    this.#by = by;
    this.#kinds = kinds;
  }

  /** Undefined: the kind was removed meanwhile. */
  #of(kind: number): Group | undefined {
    const known = this.#byKind.get(kind);
    const row = this.#kinds.get(kind);
    if (known || !row) {
      return known;
    }
    const subject = subjectOf(row, this.#by);
    const key = JSON.stringify(subject);
    const group = this.#groups.get(key) ?? newGroup(subject);
    group.last = Math.max(group.last, row.last_id);
    this.#groups.set(key, group);
    this.#byKind.set(kind, group);
    return group;
  }

  #existing(kind: number): Group | undefined {
    const row = this.#kinds.get(kind);
    return row && this.#groups.get(JSON.stringify(subjectOf(row, this.#by)));
  }

  add(sums: Sums & { kind: number }): void {
    const group = this.#of(sums.kind);
    if (group) {
      addSums(group, sums);
    }
  }

  /** @param adds a row that is not there yet */
  addOpen({ kind, open, since }: { kind: number; open: number; since: number }, adds: boolean): void {
    const group = adds ? this.#of(kind) : this.#existing(kind);
    if (group) {
      group.open += open;
      group.since = Math.min(group.since, since);
    }
  }

  /** Only of rows that are there: what was noisy before is in the report of then. */
  addTrend(kind: number, place: number, notifications: number): void {
    const group = this.#existing(kind);
    if (group) {
      group.trend[place]! += notifications;
    }
  }

  all(): Group[] {
    return [...this.#groups.values()];
  }
}

function addSums(to: Sums, from: Sums): void {
  SUMS.forEach((name) => (to[name] += from[name]));
  to.longest_ms = Math.max(to.longest_ms, from.longest_ms);
}

function sumOf(groups: readonly Group[]): Group {
  const total = newGroup({});
  for (const group of groups) {
    addSums(total, group);
    total.open += group.open;
    total.since = Math.min(total.since, group.since);
  }
  return total;
}

const seconds = (ms: number): number => Math.round(ms / 1000);
const mean = (ms: number, count: number): number | null => (count === 0 ? null : seconds(ms / count));

const figuresOf = (sums: Group): ReportFigures => ({
  notifications: sums.notifications,
  fired: sums.fired,
  flapping: sums.flapping,
  resolved: sums.resolved,
  notActedOn: sums.not_acted_on,
  acknowledged: sums.acknowledged,
  openSeconds: seconds(sums.open_ms),
  longestOpenSeconds: seconds(sums.longest_ms),
  timeToAcknowledge: mean(sums.acknowledge_ms, sums.acknowledged),
  timeToResolve: mean(sums.open_ms, sums.resolved),
  open: sums.open,
  openSince: sums.open === 0 ? null : isoTime(sums.since),
});

const toRow = (group: Group): ReportRow => ({
  ...group.subject,
  ...figuresOf(group),
  trend: group.trend,
  last: group.last,
});
