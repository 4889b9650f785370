/**
 * Result and argument types of each part of a Prometheus query: an instant vector, a range of one, a number or a text (Prometheus
 * documentation, "Expression language data types" and "Functions"). Pure.
 */

export type QueryType = 'vector' | 'range' | 'number' | 'text';

export interface Signature {
  takes: readonly QueryType[];
  /** Minimum number of arguments; the last of `takes` may be repeated where `repeats`. */
  least: number;
  repeats: boolean;
  gives: QueryType;
}

const LETTERS: Readonly<Record<string, QueryType>> = { v: 'vector', r: 'range', n: 'number', t: 'text' };

/** @param spelled a letter for each argument; `?` after one that may be left out, `*` after one that may be repeated or left out */
function signature(spelled: string, gives: QueryType): Signature {
  const takes = [...spelled].flatMap((letter) => LETTERS[letter] ?? []);
  const repeats = spelled.endsWith('*');
  return { takes, least: takes.length - (/[?*]$/.test(spelled) ? 1 : 0), repeats, gives };
}

/** Functions that Prometheus takes without a feature flag, by what they take. All give a vector but those of {@link NUMBERS}. */
const BY_ARGUMENTS: Readonly<Record<string, string>> = {
  v:
    'abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor histogram_avg histogram_count histogram_stddev ' +
    'histogram_stdvar histogram_sum ln log10 log2 rad sgn sin sinh sort sort_desc sqrt tan tanh timestamp',
  'v?': 'day_of_month day_of_week day_of_year days_in_month hour minute month year',
  r:
    'absent_over_time avg_over_time changes count_over_time delta deriv idelta increase irate last_over_time max_over_time ' +
    'min_over_time present_over_time rate resets stddev_over_time stdvar_over_time sum_over_time',
  n: 'vector',
  nr: 'quantile_over_time',
  nv: 'histogram_quantile',
  nnv: 'histogram_fraction',
  rn: 'predict_linear',
  rnn: 'holt_winters',
  vn: 'clamp_max clamp_min',
  vnn: 'clamp',
  'vn?': 'round',
  vtttt: 'label_replace',
  'vttt*': 'label_join',
};
const NUMBERS: Readonly<Record<string, string>> = { '': 'pi time', v: 'scalar' };
const AGGREGATIONS: Readonly<Record<string, string>> = {
  v: 'avg count group max min stddev stdvar sum',
  nv: 'bottomk quantile topk',
  tv: 'count_values',
};

const table = (names: Readonly<Record<string, string>>, gives: QueryType): [string, Signature][] =>
  Object.entries(names).flatMap(([spelled, listed]) =>
    listed.split(' ').map((name): [string, Signature] => [name, signature(spelled, gives)])
  );

/** By name. Functions that are missing are behind a feature flag, or do not exist. */
export const FUNCTIONS: ReadonlyMap<string, Signature> = new Map([
  ...table(BY_ARGUMENTS, 'vector'),
  ...table(NUMBERS, 'number'),
]);

/** `sum by (…) (…)` and its like, by name. */
export const AGGREGATIONS_BY_NAME: ReadonlyMap<string, Signature> = new Map(table(AGGREGATIONS, 'vector'));
