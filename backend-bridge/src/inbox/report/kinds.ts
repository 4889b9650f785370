/** Under what notifications are counted: source, rule, package and category. Runs in the writer thread. */
import { LIMITS } from '../../../contract/limits.ts';
import { shortName } from '../notifications/fit.ts';
import { inRows, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ReportKindRow } from '../../platform/storage/schema.ts';

/** Grouping of the report's figures. */
export type Kind = Pick<ReportKindRow, 'source' | 'rule' | 'dnp_name' | 'category'>;

/** A notification with its kind. */
export interface Counted extends Kind {
  id: number;
  week: number;
}

const COLUMNS = ['source', 'rule', 'dnp_name', 'category'] as const;
const keyOf = ({ source, rule, dnp_name, category }: Kind): string =>
  JSON.stringify([source, rule, dnp_name, category]);
const valuesOf = (kind: Kind): string[] => COLUMNS.map((column) => kind[column]);

/** Kind for those beyond the limit: the source alone. */
const rest = ({ source }: Kind): Kind => ({ source, rule: '', dnp_name: '', category: '' });

/** Stored facts of an alert (intake/webhooks/fromAlert.ts). */
interface Kept {
  alert?: { labels?: Record<string, unknown> };
}

/** The rule of an alert, by what is kept of it; empty: none. An alert about a rule that could not be evaluated names it in another label. */
export function ruleOf(extra: string | null): string {
  if (extra === null) {
    return '';
  }
  const { alertname, rulename } = (JSON.parse(extra) as Kept).alert?.labels ?? {};
  const name = alertname === 'DatasourceNoData' || alertname === 'DatasourceError' ? rulename : alertname;
  return typeof name === 'string' ? shortName(name.trim()) : '';
}

/**
 * Numbers of the kinds of notifications, in order; new ones are stored.
 * @param rows in the order of arrival
 */
export async function numberKinds(trx: Transacting, rows: readonly Counted[]): Promise<number[]> {
  const kinds = new Map(rows.map((row) => [keyOf(row), row]));
  const known = await select(trx, [...kinds.values(), ...rows.map(rest)]);
  const missing = [...kinds].filter(([key]) => !known.has(key));
  if (missing.length > 0) {
    await addKinds(trx, known, missing);
  }
  const numbered = rows.map((row) => known.get(keyOf(row)) ?? known.get(keyOf(rest(row)))!);
  const changed = new Map<number, ReportKindRow>();
  rows.forEach(({ id, week }, index) => {
    const kind = numbered[index]!;
    const before = changed.get(kind.id) ?? kind;
    changed.set(kind.id, {
      ...before,
      last_id: Math.max(before.last_id, id),
      last_week: Math.max(before.last_week, week),
    });
  });
  await insertRows(
    trx,
    'report_kinds',
    [...changed.values()],
    'on conflict (id) do update set last_id = excluded.last_id, last_week = excluded.last_week'
  );
  return numbered.map(({ id }) => id);
}

async function select(trx: Transacting, kinds: readonly Kind[]): Promise<Map<string, ReportKindRow>> {
  const wanted = new Map(kinds.map((kind) => [keyOf(kind), valuesOf(kind)]));
  const rows = await trx
    .selectFrom('report_kinds')
    .selectAll()
    .where(inRows(COLUMNS, [...wanted.values()]))
    .execute();
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Adds what is missing to `known`, as far as there is room; without, the source of it. */
async function addKinds(
  trx: Transacting,
  known: Map<string, ReportKindRow>,
  missing: readonly (readonly [string, Kind])[]
): Promise<void> {
  const { count, last } = await trx
    .selectFrom('report_kinds')
    .select((all) => [all.fn.countAll<number>().as('count'), all.fn.max<number | null>('id').as('last')])
    .executeTakeFirstOrThrow();
  let id = last ?? 0;
  let room = LIMITS.reportKinds.value - count;
  for (const [key, one] of missing) {
    const [at, kind] = room > 0 ? [key, one] : [keyOf(rest(one)), rest(one)];
    if (!known.has(at)) {
      id += 1;
      room -= 1;
      const { source, rule, dnp_name, category } = kind;
      known.set(at, { id, source, rule, dnp_name, category, last_id: 0, last_week: 0 });
    }
  }
}
