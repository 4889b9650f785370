/** Rules in the format of Grafana's provisioning API (Grafana documentation, "Alerting provisioning HTTP API"). Pure. */
import { createHash } from 'node:crypto';
import type { Operator } from '../../../../contract/condition.ts';
import { CONTACT_POINT } from '../../../../contract/contactPoint.ts';
import { INBOX_ANNOTATION, ruleUrlTemplate } from '../../../../contract/inboxLink.ts';
import { durationSeconds } from '../../../../contract/text.ts';
import { type AlertRule, literals } from '../alertRule.ts';

export const FOLDER_UID = 'nodebell';
export const RULE_GROUP = 'Nodebell';
/** The limit of Grafana. */
const MAX_TITLE = 190;

/** Names in Grafana's threshold expression (pkg/expr/threshold.go). */
const EVALUATORS: Readonly<Record<Operator, string>> = {
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '==': 'eq',
  '!=': 'ne',
};

export type GrafanaRule = ReturnType<typeof grafanaRule>;

/** Constant for an endpoint. At most 40 characters, the limit of Grafana. */
export function ruleUid({ dnpName, correlationId }: Pick<AlertRule, 'dnpName' | 'correlationId'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([dnpName, correlationId]))
    .digest('hex');
  return `nodebell-${hash.slice(0, 24)}`;
}

/** Whether a uid is one that {@link ruleUid} gives. */
export const isRuleUid = (uid: string): boolean => /^nodebell-[0-9a-f]{24}$/.test(uid);

/** @param datasource uid of the Prometheus data source */
export function grafanaRule(rule: AlertRule, datasource: string) {
  const { dnpName, correlationId, expr, operator, threshold, forSeconds, labels, annotations, on, keepsLast } = rule;
  const range = { from: 600, to: 0 };
  const uid = ruleUid(rule);
  return {
    uid,
    folderUID: FOLDER_UID,
    ruleGroup: RULE_GROUP,
    // Must be unique in the folder; titles of packages are not.
    title: `${dnpName} ${correlationId}`.slice(0, MAX_TITLE),
    condition: 'B',
    data: [
      {
        refId: 'A',
        queryType: '',
        relativeTimeRange: range,
        datasourceUid: datasource,
        model: {
          datasource: { type: 'prometheus', uid: datasource },
          editorMode: 'code',
          expr,
          instant: true,
          intervalMs: 1000,
          maxDataPoints: 43_200,
          range: false,
          refId: 'A',
        },
      },
      {
        refId: 'B',
        queryType: '',
        relativeTimeRange: range,
        datasourceUid: '__expr__',
        model: {
          conditions: [{ evaluator: { params: [threshold], type: EVALUATORS[operator] } }],
          datasource: { type: '__expr__', uid: '__expr__' },
          expression: 'A',
          intervalMs: 1000,
          maxDataPoints: 43_200,
          refId: 'B',
          type: 'threshold',
        },
      },
    ],
    noDataState: keepsLast ? 'KeepLast' : 'NoData',
    execErrState: keepsLast ? 'KeepLast' : 'Error',
    for: `${forSeconds}s`,
    annotations: { ...literals(annotations), [INBOX_ANNOTATION]: ruleUrlTemplate(uid) },
    labels: literals(labels),
    isPaused: !on,
    notification_settings: { receiver: CONTACT_POINT },
  };
}

/** Whether a stored rule has all values of the wanted one; Grafana adds members, and formats durations differently. */
export function includes(stored: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(stored) &&
      stored.length === wanted.length &&
      wanted.every((one, index) => includes(stored[index], one))
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return (
      typeof stored === 'object' &&
      stored !== null &&
      Object.entries(wanted).every(([key, value]) => {
        const other = (stored as Record<string, unknown>)[key];
        return includes(other, value) && (!EXACT.has(key) || hasNoOthers(other, value));
      })
    );
  }
  return (
    stored === wanted ||
    (isDuration(stored) && isDuration(wanted) && durationSeconds(stored) === durationSeconds(wanted))
  );
}

const EXACT = new Set(['labels', 'annotations']);
/** Names that begin with `__` are Grafana's own, such as the link to a panel. */
const hasNoOthers = (stored: unknown, wanted: unknown): boolean =>
  Object.keys(stored as object).every((name) => name.startsWith('__') || Object.hasOwn(wanted as object, name));

const DURATION = /^(?:\d+[wdhms])+$/;
const isDuration = (value: unknown): value is string => typeof value === 'string' && DURATION.test(value);
