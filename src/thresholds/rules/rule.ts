/**
 * Rules of Grafana as the page sees them: one threshold that can be read and replaced. Pure. `RulerRule` is an element of `rules`
 * in the response to GET /api/ruler/grafana/api/v1/rules of Grafana 12.4, recorded in tests/fixtures/grafana-rules.
 */
import { z } from 'zod';

const OPERATORS = [
  'gt',
  'gte',
  'lt',
  'lte',
  'eq',
  'ne',
  'within_range',
  'outside_range',
  'within_range_included',
  'outside_range_included',
] as const;
/** Operators of Grafana's threshold expressions and classic conditions. */
export type RuleOperator = (typeof OPERATORS)[number];

export const isRange = (operator: RuleOperator): boolean => operator.includes('range');

const evaluatorSchema = z.looseObject({ type: z.enum(OPERATORS), params: z.array(z.number()) });
/** `-100` is the uid in rules of old versions (pkg/expr/service.go). */
export const isExpression = <T extends Pick<RuleQuery, 'datasourceUid'>>(query: T | undefined): query is T =>
  query?.datasourceUid === '__expr__' || query?.datasourceUid === '-100';

const conditionSchema = z.looseObject({
  evaluator: evaluatorSchema,
  unloadEvaluator: evaluatorSchema.nullish(),
  query: z.looseObject({ params: z.array(z.string()) }).nullish(),
  reducer: z.looseObject({ type: z.string() }).nullish(),
});
const querySchema = z.looseObject({
  refId: z.string(),
  datasourceUid: z.string(),
  relativeTimeRange: z.looseObject({ from: z.number(), to: z.number() }).nullish(),
  model: z.looseObject({ type: z.unknown().optional() }),
});
export type RuleQuery = z.infer<typeof querySchema>;

export const rulerRuleSchema = z.looseObject({
  for: z.string().nullish(),
  keep_firing_for: z.string().nullish(),
  grafana_alert: z.looseObject({
    uid: z.string(),
    title: z.string(),
    condition: z.string().nullish(),
    data: z
      .array(querySchema)
      .nullish()
      .transform((data) => data ?? []),
    version: z.number(),
    updated: z.string(),
    updated_by: z.looseObject({ name: z.string() }).nullish(),
    intervalSeconds: z.number(),
    namespace_uid: z.string().optional(),
    rule_group: z.string().optional(),
    provenance: z.string().optional(),
    is_paused: z.boolean().optional(),
    record: z.unknown().optional(),
  }),
});
export type RulerRule = z.infer<typeof rulerRuleSchema>;

/** Folder path and its groups. */
export const rulerSchema = z.record(
  z.string(),
  z.array(z.looseObject({ name: z.string(), rules: z.array(rulerRuleSchema) }))
);
export type Ruler = z.infer<typeof rulerSchema>;

export interface RuleValues {
  /** One number, or the two ends of a range, in the order of the rule. */
  params: readonly number[];
  /** The recovery threshold, of the same form; undefined if the rule has none. */
  recovery?: readonly number[];
}

export interface RuleThreshold extends RuleValues {
  kind: 'threshold' | 'classic';
  operator: RuleOperator;
  recoveryOperator?: RuleOperator;
  /** `refId` of the expression with the threshold. */
  refId: string;
  /** `refId` of the query or expression whose values are compared. */
  input: string;
  /** Function of a classic condition that reduces the values of a query to one number. */
  reducer?: string;
}

/** Why a rule has no slider. */
export type NoThreshold = 'recording' | 'several' | 'other';
/** Why a value cannot be saved in Grafana. */
export type ReadOnly = 'file' | 'api' | 'other';

export interface Rule {
  uid: string;
  title: string;
  /** Path of the folder, with slashes. */
  folder: string;
  group: string;
  version: number;
  /** ISO 8601. */
  updated: string;
  updatedBy: string;
  paused: boolean;
  /** Seconds between evaluations. */
  intervalSeconds: number;
  forSeconds: number;
  keepFiringSeconds: number;
  /** Either `threshold` or `none`. */
  threshold?: RuleThreshold;
  none?: NoThreshold;
  /** Undefined: not provisioned. */
  readOnly?: ReadOnly;
  data: readonly RuleQuery[];
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/** Seconds of a duration of Prometheus: "1h30m". */
export function ruleSeconds(text: string | null | undefined): number {
  const parts = (text ?? '').matchAll(/(\d+)(ms|[smhdwy])/g);
  return [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** All rules, sorted by folder, group and position in the group. */
export function rulesOf(ruler: Ruler): Rule[] {
  return Object.entries(ruler)
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([folder, groups]) =>
      [...groups]
        .sort((a, b) => a.name.localeCompare(b.name))
        .flatMap(({ name, rules }) => rules.map((rule) => readRule(rule, folder, name)))
    );
}

/** @param folder path of the folder */
export function readRule(ruler: RulerRule, folder: string, group: string): Rule {
  const { grafana_alert: alert } = ruler;
  const found = findThreshold(alert);
  const readOnly = readOnlyOf(alert.provenance);
  return {
    uid: alert.uid,
    title: alert.title,
    folder,
    group,
    version: alert.version,
    updated: alert.updated,
    updatedBy: alert.updated_by?.name ?? '',
    paused: alert.is_paused ?? false,
    intervalSeconds: alert.intervalSeconds,
    forSeconds: ruleSeconds(ruler.for),
    keepFiringSeconds: ruleSeconds(ruler.keep_firing_for),
    data: alert.data,
    ...(typeof found === 'string' ? { none: found } : { threshold: found }),
    ...(readOnly && { readOnly }),
  };
}

function readOnlyOf(provenance: string | undefined): ReadOnly | undefined {
  switch (provenance) {
    case undefined:
    case '':
      return undefined;
    case 'file':
    case 'api':
      return provenance;
    default:
      return 'other';
  }
}

type Alert = Pick<RulerRule['grafana_alert'], 'condition' | 'data' | 'record'>;

function findThreshold({ condition, data, record }: Alert): RuleThreshold | NoThreshold {
  if (record !== undefined && record !== null) {
    return 'recording';
  }
  const node = data.find(({ refId }) => refId === condition);
  const { type, conditions } = node?.model ?? {};
  const kind = type === 'classic_conditions' ? 'classic' : type;
  if (!isExpression(node) || (kind !== 'classic' && kind !== 'threshold') || !Array.isArray(conditions)) {
    return 'other';
  }
  return conditions.length > 1 ? 'several' : (readCondition(node, kind, conditions[0]) ?? 'other');
}

function readCondition(
  { refId, model }: RuleQuery,
  kind: RuleThreshold['kind'],
  condition: unknown
): RuleThreshold | undefined {
  const one = conditionSchema.safeParse(condition).data;
  const input = kind === 'classic' ? one?.query?.params[0] : model['expression'];
  const params = one && numbersOf(one.evaluator);
  if (one === undefined || params === undefined || typeof input !== 'string') {
    return undefined;
  }
  const read: RuleThreshold = {
    kind,
    operator: one.evaluator.type,
    params,
    refId,
    input: input.replace(/^\$/, ''),
    ...(kind === 'classic' && { reducer: one.reducer?.type ?? 'last' }),
  };
  if (!one.unloadEvaluator) {
    return read;
  }
  const recovery = numbersOf(one.unloadEvaluator);
  return recovery && { ...read, recovery, recoveryOperator: one.unloadEvaluator.type };
}

/** Grafana ignores further numbers: its editor keeps the second one of a former range. */
function numbersOf({ type, params }: z.infer<typeof evaluatorSchema>): number[] | undefined {
  const count = isRange(type) ? 2 : 1;
  return params.length < count ? undefined : params.slice(0, count);
}

export const valuesOf = ({ params, recovery }: RuleValues): RuleValues => ({ params, ...(recovery && { recovery }) });

export const sameValues = (a: RuleValues, b: RuleValues): boolean =>
  JSON.stringify([a.params, a.recovery]) === JSON.stringify([b.params, b.recovery]);

/** `order`: the ends of a range are swapped. `recovery`: the recovery threshold is on the wrong side of the threshold. */
export type ValuesProblem = 'order' | 'recovery';

/** Values that Grafana's own editor rejects. */
export function problemOf({ operator }: RuleThreshold, { params, recovery }: RuleValues): ValuesProblem | undefined {
  const [first = 0, second = 0] = params;
  if (isRange(operator) && first >= second) {
    return 'order';
  }
  return recovery === undefined || recovers(operator, [first, second], recovery) ? undefined : 'recovery';
}

function recovers(
  operator: RuleOperator,
  [first, second]: readonly [number, number],
  recovery: readonly number[]
): boolean {
  const [from = 0, to = 0] = recovery;
  switch (operator) {
    case 'gt':
    case 'gte':
      return from <= first;
    case 'lt':
    case 'lte':
      return from >= first;
    case 'within_range':
    case 'within_range_included':
      return from <= first && to >= second;
    case 'outside_range':
    case 'outside_range_included':
      return from >= first && to <= second && from < to;
    default:
      return true;
  }
}

/**
 * The body for PUT /api/v1/provisioning/alert-rules/{uid} with other values.
 * @param body of the response to GET of the same path; every other member stays as it is
 * @throws Error when the rule has no threshold of this form
 */
export function withValues(body: unknown, values: RuleValues): Record<string, unknown> {
  const copy = structuredClone(z.looseObject({ condition: z.string(), data: z.array(querySchema) }).parse(body));
  const threshold = findThreshold(copy);
  if (
    typeof threshold === 'string' ||
    threshold.params.length !== values.params.length ||
    threshold.recovery?.length !== values.recovery?.length
  ) {
    throw new Error('The rule has another condition now.');
  }
  if (![...values.params, ...(values.recovery ?? [])].every(Number.isFinite)) {
    throw new RangeError('A threshold must be a finite number.');
  }
  const model = copy.data.find(({ refId }) => refId === copy.condition)?.model as {
    conditions: Array<{ evaluator: { params: number[] }; unloadEvaluator?: { params: number[] } }>;
  };
  const [one] = model.conditions;
  one?.evaluator.params.splice(0, values.params.length, ...values.params);
  one?.unloadEvaluator?.params.splice(0, values.recovery?.length ?? 0, ...(values.recovery ?? []));
  return copy;
}

/** Whether two versions of a rule differ only in what Grafana counts, and what other rules of the group share. */
export const sameContent = (a: Rule, b: Rule): boolean => JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b));

const contentOf = ({ version: _v, updated: _u, updatedBy: _b, intervalSeconds: _i, ...content }: Rule) => content;

/** Whether a rule has changed. Grafana increases the version of a rule also when another rule of its group is saved. */
export const hasChanged = (before: Rule, now: Rule): boolean =>
  before.version !== now.version && !sameContent(before, now);
