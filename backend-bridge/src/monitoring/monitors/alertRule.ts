/** Alert rules for Grafana and Prometheus, from endpoints whose URL is a query of Prometheus. Pure. */
import type { Condition, Operator } from '../../../contract/condition.ts';
import type { EndpointDefinition } from '../../validation/notifications/validateNotifications.ts';
import { describeAlert, pendingSeconds, unsupportedTimes, unsupportedWait } from './definition.ts';
import type { MonitoredEndpoint, ShippedEndpoint, Support } from './monitor.ts';
import { brokenQuery } from './promql.ts';

export interface AlertRule {
  dnpName: string;
  correlationId: string;
  title: string;
  /** PromQL. */
  expr: string;
  /** Fires while `expr OP threshold` holds: the opposite of the condition, which states health. */
  operator: Operator;
  threshold: number;
  /** `for`: from the first failed check to the one at which Gatus alerts. */
  forSeconds: number;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  on: boolean;
  /** Keeps its state while there is no data or an error; absent: that fires as well. */
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

/** The value of the first series in a response of the Prometheus HTTP API. */
const VALUE = '[BODY].data.result[0].value[1]';

/** @returns the PromQL in a URL such as `http://prometheus:9090/api/v1/query?query=up`; undefined for any other */
export function promQuery({ url }: Pick<EndpointDefinition, 'url'>): string | undefined {
  if (url === undefined || !URL.canParse(url)) {
    return undefined;
  }
  const { pathname, searchParams } = new URL(url);
  const query = searchParams.get('query')?.trim();
  return /\/api\/v1\/query$/.test(pathname) && query !== '' ? (query ?? undefined) : undefined;
}

export function ruleSupport({ shipped }: MonitoredEndpoint): Support {
  const { definition, condition } = shipped;
  const query = definition && promQuery(definition);
  if (definition === undefined || query === undefined) {
    return { kind: 'none' };
  }
  const reason = condition?.readOnly ?? unsupported(definition, query, condition);
  if (reason !== undefined) {
    return { kind: 'read-only', reason };
  }
  return definition.conditions.length === 1
    ? { kind: 'supported' }
    : { kind: 'supported', note: 'Only the first condition is monitored here.' };
}

function unsupported(definition: EndpointDefinition, query: string, condition?: Condition): string | undefined {
  if (condition?.number === undefined) {
    return 'No rule: it has no condition.';
  }
  if (condition.left.replace(/\s/g, '') !== VALUE) {
    return `No rule: the condition does not compare ${VALUE}.`;
  }
  if (condition.number.unit !== undefined) {
    return `No rule: the condition compares with ${condition.right}, but values of Prometheus have no unit.`;
  }
  const invalid = brokenQuery(query);
  const reason =
    invalid === undefined ? (unsupportedTimes(definition) ?? unsupportedWait(definition)) : `of its query, ${invalid}`;
  return reason && `No rule: ${reason}`;
}

/** Endpoints that a monitor has rules for. */
export interface RuleSource {
  support(endpoint: MonitoredEndpoint): Support;
  /** @param endpoint `supported` */
  rule(endpoint: MonitoredEndpoint): AlertRule;
}

/** Endpoints whose URL is a query of Prometheus. */
export const QUERIES: RuleSource = { support: ruleSupport, rule: alertRule };

/** @param endpoint supported ({@link ruleSupport}) */
export function alertRule({ dnpName, shipped, condition, threshold, on }: MonitoredEndpoint): AlertRule {
  const { correlationId, title } = shipped;
  const definition = shipped.definition as EndpointDefinition;
  const [alert] = definition.alerts;
  const value = threshold ?? condition?.number?.value ?? 0;
  return {
    dnpName,
    correlationId,
    title,
    expr: promQuery(definition) ?? '',
    operator: OPPOSITE[condition?.operator ?? '=='],
    threshold: value,
    forSeconds: pendingSeconds(definition),
    labels: labelsOf(dnpName, shipped),
    annotations: annotationsOf(shipped, alert ? describeAlert(alert, condition?.right, value) : ''),
    on: on && alert?.enabled !== false,
  };
}

/** The labels that the webhooks read (docs/connect-senders.md, "Labels of alerts"). */
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

/** Escapes Go templates: in labels and annotations, texts of a package are literal. */
export const literals = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll('{{', '{{"{{"}}')]));
