/** What Grafana, or the inbox, would stumble over in one alert rule. Pure. */
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { At, Told } from './read.ts';
import type { Query, Rule } from './shapes.ts';
import { isVariable } from './values.ts';

const EXPRESSION = '__expr__';
const PARAMS: Record<string, number> = {
  ...Object.fromEntries(['gt', 'lt', 'eq', 'ne', 'gte', 'lte'].map((type) => [type, 1])),
  ...Object.fromEntries(
    ['within_range', 'outside_range', 'within_range_included', 'outside_range_included'].map((type) => [type, 2])
  ),
};

const wrong = (rule: string, title: string, detail: string): Told => ({ rule, verdict: 'error', title, detail });

/** @param at finds places in the rule */
export function judgeRule(rule: Rule, at: At): ProvisioningFinding[] {
  const ids = rule.data.map(({ refId }) => String(refId));
  return [
    ...conditionOf(rule, ids, at),
    ...rule.data.flatMap((query, index) => judgeQuery(query, ids, (path, told) => at(['data', index, ...path], told))),
    ...judgePanel(rule, at),
    ...judgeGroupBy(rule, at),
    ...templates(rule, at),
  ];
}

function conditionOf({ condition, record }: Rule, ids: string[], at: At): ProvisioningFinding[] {
  const known = ids.join(', ');
  if (condition === undefined) {
    const detail = `Name the query or expression that decides: one of ${known}.`;
    return record ? [] : [at([], wrong('condition', 'The rule has no condition', detail))];
  }
  if (ids.includes(String(condition)) || isVariable(condition)) {
    return [];
  }
  const detail = `"${String(condition)}" is no refId of this rule; there are ${known}.`;
  return [at(['condition'], wrong('condition', 'The condition is not there', detail))];
}

function judgeQuery({ datasourceUid, model, relativeTimeRange }: Query, ids: string[], at: At): ProvisioningFinding[] {
  if (datasourceUid !== EXPRESSION) {
    const { from = 0, to = 0 } = relativeTimeRange ?? {};
    const detail = '"from" is the number of seconds before now at which it begins, and must be more than "to".';
    return Number(from) > Number(to) || isVariable(from) || isVariable(to)
      ? []
      : [at(['relativeTimeRange'], wrong('time-range', 'The time range is empty', detail))];
  }
  const { type, expression, conditions } = model;
  const findings: ProvisioningFinding[] = [];
  if (['threshold', 'reduce', 'resample'].includes(String(type)) && !ids.includes(String(expression))) {
    const detail = `An expression of the type ${String(type)} needs the refId of another: one of ${ids.join(', ')}.`;
    findings.push(at(['model', 'expression'], wrong('expression', 'What it works on is not there', detail)));
  }
  return type === 'threshold' ? [...findings, ...judgeThreshold(conditions, at)] : findings;
}

function judgeThreshold(conditions: unknown, at: At): ProvisioningFinding[] {
  if (!Array.isArray(conditions) || conditions.length !== 1) {
    const detail = 'A threshold has exactly one condition.';
    return [at(['model', 'conditions'], wrong('threshold', 'The threshold cannot be read', detail))];
  }
  const [condition] = conditions as [Record<string, unknown> | null];
  return ['evaluator', 'unloadEvaluator'].flatMap((member) => {
    const evaluator = condition?.[member] as { type?: unknown; params?: unknown } | null | undefined;
    if (evaluator === undefined && member === 'unloadEvaluator') {
      return [];
    }
    const place = ['model', 'conditions', 0, member];
    const count = PARAMS[String(evaluator?.type)];
    if (count === undefined) {
      const detail = `"type" must be one of ${Object.keys(PARAMS).join(', ')}.`;
      return [at([...place, 'type'], wrong('threshold', 'The comparison is not known', detail))];
    }
    const params = Array.isArray(evaluator?.params) ? (evaluator.params as unknown[]) : [];
    const isRight = params.length >= count && params.slice(0, count).every((one) => typeof one === 'number');
    const detail = `"params" must hold ${count === 1 ? 'one number' : 'two numbers'}.`;
    return isRight ? [] : [at([...place, 'params'], wrong('threshold', 'The threshold has no number', detail))];
  });
}

function judgePanel({ dashboardUid, panelId }: Rule, at: At): ProvisioningFinding[] {
  if ((dashboardUid === undefined) === (panelId === undefined)) {
    return [];
  }
  const missing = dashboardUid === undefined ? 'dashboardUid' : 'panelId';
  const detail = `A rule belongs to a panel of a dashboard, or to none: add ${missing}, or take the other out.`;
  return [at([], wrong('panel', `${missing} is missing`, detail))];
}

/** Grafana tells alerts apart by these two in any case, and refuses a grouping without them. */
function judgeGroupBy({ notification_settings: settings }: Rule, at: At): ProvisioningFinding[] {
  const by = (settings?.group_by ?? []).map(String);
  const isRight =
    by.length === 0 || by.includes('...') || ['alertname', 'grafana_folder'].every((one) => by.includes(one));
  const detail = 'Add alertname and grafana_folder, or write "..." alone.';
  return isRight
    ? []
    : [at(['notification_settings', 'group_by'], wrong('group-by', 'The grouping lacks labels', detail))];
}

/** Variables of the environment are put in first: of `{{ $labels.x }}` nothing would be left. */
function templates({ title, labels = {} }: Rule, at: At): ProvisioningFinding[] {
  const places: [path: string[], text: unknown][] = [
    [['title'], title],
    ...Object.entries(labels).map(([key, text]): [string[], unknown] => [['labels', key], text]),
  ];
  return places.flatMap(([path, text]) => {
    const [found] = /(?<!\$)\$(labels|values?)\b/.exec(String(text)) ?? [];
    const detail = `Grafana takes ${found} for a variable of its environment here: write $${found}.`;
    return found ? [at(path, wrong('template', 'The template would be emptied', detail))] : [];
  });
}
