/**
 * A new alert rule of Grafana for a panel, as its form is filled in from an address: `/alerting/new?defaults=<JSON>`. The rest
 * is left to the user. Pure.
 */
import { ALERT_URL_TEMPLATE, INBOX_ANNOTATION } from '@nodebell/contract/inboxLink.ts';
import type { PanelContext, PanelQuery } from './contexts';
import { urlValue } from '@nodebell/contract/url.ts';

/** A query with its data source. */
export interface AlertingQuery {
  query: PanelQuery;
  datasourceUid: string;
}

/** Grafana's name for its own expressions as a data source. */
const EXPRESSIONS = '__expr__';
/** The last ten minutes, in seconds before now. */
const RANGE = { from: 600, to: 0 };

/** An unused query letter. */
const freeRefId = (taken: readonly string[]): string =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((letter) => !taken.includes(letter)) ?? `N${taken.length}`;

const expression = (refId: string, of: string, model: Record<string, unknown>, params: number[]) => ({
  refId,
  datasourceUid: EXPRESSIONS,
  queryType: '',
  model: {
    ...model,
    refId,
    expression: of,
    datasource: { type: EXPRESSIONS, uid: EXPRESSIONS },
    // Whole, as Grafana's own form makes it: it reads every part of it.
    conditions: [
      {
        ...{ type: 'query', evaluator: { type: 'gt', params }, operator: { type: 'and' } },
        ...{ query: { params: [] }, reducer: { type: 'last', params: [] } },
      },
    ],
  },
});

const isExpression = ({ datasourceUid }: AlertingQuery) => datasourceUid === EXPRESSIONS;

/** The last of the queries, reduced to one number, compared with zero: a beginning, with a threshold to be set. */
function queriesOf(queries: readonly AlertingQuery[]) {
  const ruleQueries = queries.map(({ query, datasourceUid }) => ({
    refId: query.refId,
    datasourceUid,
    queryType: typeof query['queryType'] === 'string' ? query['queryType'] : '',
    ...(datasourceUid !== EXPRESSIONS && { relativeTimeRange: RANGE }),
    model: { ...query, hide: false },
  }));
  const last = ruleQueries.at(-1)!;
  if (queries.some(isExpression)) {
    return { queries: ruleQueries, condition: last.refId };
  }
  const taken = ruleQueries.map(({ refId }) => refId);
  const reduced = freeRefId(taken);
  const compared = freeRefId([...taken, reduced]);
  return {
    queries: [
      ...ruleQueries,
      expression(reduced, last.refId, { type: 'reduce', reducer: 'last' }, []),
      expression(compared, reduced, { type: 'threshold' }, [0]),
    ],
    condition: compared,
  };
}

/** Links of Grafana 13.2 and later decode their URL once (@braintree/sanitize-url 7.1), so no character may end the value. */
const escaped = (json: string): string =>
  json.replace(/[&#%+]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);

/**
 * The address of the form, below Grafana's own.
 * @param queries those that Grafana Alerting can evaluate; if empty, the form starts with its defaults
 * @param contactPoint where the rule sends to; undefined leaves it to the notification policies
 */
export function newRulePath(
  { dashboardUid, panelId, title }: PanelContext,
  queries: readonly AlertingQuery[],
  contactPoint: string | undefined
): string {
  const route = contactPoint !== undefined && {
    manualRouting: true,
    contactPoints: {
      grafana: {
        selectedContactPoint: contactPoint,
        ...{ overrideGrouping: false, groupBy: [], overrideTimings: false },
        ...{ groupWaitValue: '', groupIntervalValue: '', repeatIntervalValue: '' },
        ...{ muteTimeIntervals: [], activeTimeIntervals: [] },
      },
    },
  };
  const defaults = {
    name: title,
    ...(queries.length > 0 && queriesOf(queries)),
    annotations: [
      { key: '__dashboardUid__', value: dashboardUid },
      { key: '__panelId__', value: String(panelId) },
      { key: INBOX_ANNOTATION, value: ALERT_URL_TEMPLATE },
    ],
    ...route,
  };
  return `/alerting/new?defaults=${urlValue(escaped(JSON.stringify(defaults)))}`;
}
