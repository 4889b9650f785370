/**
 * An endpoint whose address is a query of Prometheus, as a rule: what Grafana Alerting and Prometheus can watch by themselves.
 * Pure.
 */
import type { Operator } from '../../contract/condition.ts';
import type { EndpointDefinition } from '../validation/notifications/validateNotifications.ts';

import type { Concern } from './reconciler.ts';
import type { ShippedEndpoint, WatchedEndpoint } from '../thresholds/types.ts';
import { describeAlert } from './definition.ts';
import { pendingSeconds, unfitTimes, unfitWait } from './fit.ts';
import { brokenQuery } from './promql.ts';

export interface AlertRule {
  dnpName: string;
  correlationId: string;
  title: string;
  /** PromQL. */
  expr: string;
  /** It alerts while `expr OP threshold` holds: the opposite of the condition, which states health. */
  operator: Operator;
  threshold: number;
  /** How long it must hold: from the first failing check to the one that Gatus would alert at. */
  forSeconds: number;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  on: boolean;
  /** While there is no value, or no answer, what it was last stands: absent, the monitor tells that there is none. */
  keepsLast?: boolean;
}

const OPPOSITE: Readonly<Record<Operator, Operator>> = {
  '<=': '>',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '==': '!=',
  '!=': '==',
};

/** What a query of the Prometheus HTTP API answers for its first series. */
const VALUE = '[BODY].data.result[0].value[1]';

/** @returns the PromQL of an address such as `http://prometheus:9090/api/v1/query?query=up`; undefined for any other */
export function promQuery({ url }: Pick<EndpointDefinition, 'url'>): string | undefined {
  if (url === undefined || !URL.canParse(url)) {
    return undefined;
  }
  const { pathname, searchParams } = new URL(url);
  const query = searchParams.get('query')?.trim();
  return /\/api\/v1\/query$/.test(pathname) && query !== '' ? (query ?? undefined) : undefined;
}

/** Whether a rule can stand for it. */
export function ruleConcern({ shipped }: WatchedEndpoint): Concern {
  const { watch, condition } = shipped;
  const query = watch && promQuery(watch);
  if (watch === undefined || query === undefined) {
    return { kind: 'none' };
  }
  if (condition?.number === undefined) {
    return { kind: 'read-only', reason: `There is no rule for it. ${condition?.readOnly ?? 'It has no condition.'}` };
  }
  if (condition.left.replace(/\s/g, '') !== VALUE) {
    return { kind: 'read-only', reason: `There is no rule for it: its condition is not about ${VALUE}.` };
  }
  if (condition.number.unit !== undefined) {
    const reason = `There is no rule for it: a value of Prometheus has no unit, and its condition compares with ${condition.right}.`;
    return { kind: 'read-only', reason };
  }
  const broken = brokenQuery(query);
  const unfit = broken === undefined ? (unfitTimes(watch) ?? unfitWait(watch)) : `of its query, ${broken}`;
  if (unfit !== undefined) {
    return { kind: 'read-only', reason: `There is no rule for it: ${unfit}` };
  }
  return watch.conditions.length === 1
    ? { kind: 'watched' }
    : { kind: 'watched', note: 'Only the first condition is watched here.' };
}

/** @param endpoint that a rule can stand for ({@link ruleConcern}) */
export function alertRule({ dnpName, shipped, condition, threshold, on }: WatchedEndpoint): AlertRule {
  const { correlationId, title } = shipped;
  const watch = shipped.watch as EndpointDefinition;
  const [alert] = watch.alerts;
  const value = threshold ?? condition?.number?.value ?? 0;
  return {
    dnpName,
    correlationId,
    title,
    expr: promQuery(watch) ?? '',
    operator: OPPOSITE[condition?.operator ?? '=='],
    threshold: value,
    forSeconds: pendingSeconds(watch),
    labels: labelsOf(dnpName, shipped),
    annotations: annotationsOf(shipped, alert ? describeAlert(alert, condition?.right, value) : ''),
    on: on && alert?.enabled !== false,
  };
}

/** As the webhooks read them (docs/architecture.md, "Labels of alerts"). */
export function labelsOf(dnpName: string, { correlationId, category, priority, isBanner }: ShippedEndpoint) {
  return {
    dnpName,
    correlationId,
    ...(category !== undefined && { category }),
    ...(priority && { severity: priority }),
    isBanner: String(isBanner),
  };
}

function annotationsOf({ title, callToAction }: ShippedEndpoint, description: string) {
  return {
    summary: title,
    ...(description !== '' && { description }),
    ...(callToAction && { callToActionTitle: callToAction.title, callToActionUrl: callToAction.url }),
  };
}

/** Labels and annotations are templates of Go: what a package writes there is text. */
export const literals = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll('{{', '{{"{{"}}')]));
