/** Finds the label sets that matchers select. Reading only. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import {
  compileMatcher,
  compileMatchers,
  type Labels,
  type Matcher,
  parseMatchers,
} from '../../../contract/matchers.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { grouped } from '../../../contract/text.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { RejectedRead } from '../../platform/storage/read.ts';
import { distinctLabels } from './distinct.ts';

/** Label sets that match, or all but those that do not. A notification without labels has set 0. */
export interface LabelSets {
  ids: readonly number[];
  isExcluded: boolean;
}

const MOST = LIMITS.labelSets.value;

/** Looks up the label sets of the filter's matchers. @throws MatcherError, RejectedRead if they are too many */
export async function withLabelSets<T extends NotificationFilter>(
  db: Database,
  filter: T
): Promise<T & { labelSets?: LabelSets | undefined }> {
  const matchers = filter.matchers === undefined ? [] : parseMatchers(filter.matchers, compileRegex);
  return matchers.length === 0
    ? { ...filter, matchers: undefined }
    : { ...filter, labelSets: await find(db, matchers) };
}

async function find(db: Database, matchers: readonly Matcher[]): Promise<LabelSets> {
  const needed = matchers.filter((matcher) => !compileMatcher(matcher, compileRegex)(''));
  if (needed.length === 0) {
    const failing = await Promise.all(matchers.map((matcher) => setsOf(db, negated(matcher))));
    return { ids: bounded([...new Set(failing.flat())]), isExcluded: true };
  }
  const equal = needed.filter(({ isRegex, isEqual }) => isEqual && !isRegex);
  const ids = bounded(equal.length > 0 ? await setsWith(db, equal) : await setsOf(db, needed[0]!));
  const rest = matchers.filter((matcher) => (equal.length > 0 ? !equal.includes(matcher) : matcher !== needed[0]));
  return { ids: rest.length === 0 ? ids : await matching(db, ids, rest), isExcluded: false };
}

const negated = (matcher: Matcher): Matcher => ({ ...matcher, isEqual: !matcher.isEqual });

function bounded(ids: number[]): number[] {
  if (ids.length > MOST) {
    throw tooMany(`They select more than ${grouped(MOST)} different sets of labels`);
  }
  return ids;
}

const tooMany = (what: string): RejectedRead =>
  new RejectedRead(`The matchers are too broad. ${what}: add a matcher with =.`);

/** Sets with all of these labels. */
async function setsWith(db: Database, [first, ...others]: readonly Matcher[]): Promise<number[]> {
  const { rows } = await sql<{ set_id: number }>`select l.set_id from labels l
    where l.name = ${first!.name} and l.value = ${first!.value} ${sql.join(
      others.map(
        ({ name, value }) =>
          sql`and exists (select 1 from labels m where m.name = ${name} and m.value = ${value} and m.set_id = l.set_id)`
      ),
      sql` `
    )} limit ${MOST + 1}`.execute(db);
  return rows.map(({ set_id }) => set_id);
}

/** Sets that have the label, with a value that matches. */
async function setsOf(db: Database, matcher: Matcher): Promise<number[]> {
  const { name, value, isRegex, isEqual } = matcher;
  if (!isRegex && isEqual) {
    return value === '' ? [] : setsWith(db, [matcher]);
  }
  const limit = LIMITS.labelValues.value;
  const values = await distinctLabels(db, { name, limit: limit + 1 });
  if (values.length > limit) {
    throw tooMany(`The label ${name} has more than ${grouped(limit)} values`);
  }
  const matched = values.filter(compileMatcher(matcher, compileRegex));
  const { rows } = await sql<{ set_id: number }>`select set_id from labels
    where name = ${name} and ${inList('value', matched)} limit ${MOST + 1}`.execute(db);
  return matched.length === 0 ? [] : rows.map(({ set_id }) => set_id);
}

/** Ids of the label sets that match. */
async function matching(db: Database, ids: readonly number[], matchers: readonly Matcher[]): Promise<number[]> {
  const matches = compileMatchers(matchers, compileRegex);
  const rows = await db.selectFrom('label_sets').select(['id', 'labels']).where(inList('id', ids)).execute();
  return rows.filter(({ labels }) => matches(JSON.parse(labels) as Labels)).map(({ id }) => id);
}
