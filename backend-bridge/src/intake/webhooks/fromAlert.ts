/**
 * Converts an alert of Grafana or Alertmanager to a notification. The mapping of labels: docs/connect-senders.md, "Labels of alerts".
 * Other members have the defaults of notifications.
 */
import type { GrafanaAlert } from '../../../contract/grafanaWebhook.ts';
import { fitLabels } from '../../../contract/labels.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import { RULE_LABEL } from '../../../contract/silence.ts';
import { isoTime, show } from '../../../contract/text.ts';
import { shortName } from '../../inbox/notifications/fit.ts';
import { readPriority } from './priority.ts';
import { addNote, codeSpan, firstSafeLink, isTrue, type ReadAlert, shortHash, textOf } from './text.ts';

type TextMap = Record<string, string>;

export interface AlertContext {
  source: 'grafana' | 'alertmanager';
  receiver: string | undefined;
  groupKey: string | undefined;
  /** URL of the monitor, as it reports it. */
  externalURL: string | undefined;
}

/** Alerts of Grafana for rules that could not be evaluated (Grafana documentation, "No data and error states"). */
const NOT_EVALUATED: Record<string, { title: string; sentence: string }> = {
  DatasourceNoData: {
    title: 'No data',
    sentence: 'Grafana could not evaluate this rule: its query returned no data.',
  },
  DatasourceError: {
    title: 'Data source error',
    sentence: 'Grafana could not evaluate this rule: its query failed.',
  },
};

/** Labels with a member of their own, and internal ones. */
const OMITTED_LABELS = new Set(
  'alertname category grafana_folder dnpName package severity priority correlationId isBanner rulename ref_id datasource_uid'.split(
    ' '
  )
);

/** @param notes changes are added here */
export function readAlert(alert: GrafanaAlert, context: AlertContext, notes: string[]): ReadAlert {
  const labels = alert.labels ?? {};
  const fingerprint = shortName(textOf(alert.fingerprint) ?? fingerprintOf(labels));
  const startsAt = moment(alert.startsAt, 'startsAt', notes);
  const endsAt = moment(alert.endsAt, 'endsAt', notes);
  // Without a start, firing periods cannot be distinguished: a duplicate is better than a lost alert.
  const once =
    startsAt === undefined
      ? undefined
      : { scope: context.source, key: `${fingerprint}|${isoTime(startsAt)}|${alert.status}` };
  const rule = ruleOf(labels);
  const payload = toPayload(alert, labels, fingerprint, context, notes);
  return {
    incoming: { payload, extra: extraOf(alert, context), source: context.source, rule: rule && shortName(rule), once },
    fingerprint,
    startsAt,
    endsAt,
    status: alert.status,
  };
}

function toPayload(
  alert: GrafanaAlert,
  labels: TextMap,
  fingerprint: string,
  context: AlertContext,
  notes: string[]
): NotificationPayload {
  const annotations = alert.annotations ?? {};
  const { priority, unknown } = readPriority(labels.severity, labels.priority);
  if (unknown !== undefined) {
    addNote(notes, `the severity ${show(unknown)} is unknown; stored as ${priority}`);
  }
  return {
    title: titleOf(labels, annotations, context.source),
    body: bodyOf(alert, labels, annotations),
    priority,
    status: alert.status === 'firing' ? 'triggered' : 'resolved',
    correlationId: textOf(labels.correlationId) ?? fingerprint,
    isBanner: isTrue(labels.isBanner) || isTrue(annotations.isBanner),
    ...sortedBy(labels),
    ...labelsToFilter(labels, notes),
    ...optional('callToAction', linkOf(alert, annotations, context.source, notes)),
  };
}

/** Labels to filter by; all are in the details. */
function labelsToFilter(labels: TextMap, notes: string[]): Pick<NotificationPayload, 'labels'> {
  const { labels: kept, omitted } = fitLabels(labels);
  if (omitted > 0) {
    addNote(notes, `too many or too long labels: ${omitted} cannot be used in filters`);
  }
  return Object.keys(kept).length > 0 ? { labels: kept } : {};
}

/** Category and package, if labels name them. */
export function sortedBy(labels: TextMap): Pick<NotificationPayload, 'category' | 'dnpName'> {
  return {
    ...optional('category', textOf(labels.category) ?? textOf(labels.grafana_folder)),
    ...optional('dnpName', textOf(labels.dnpName) ?? textOf(labels.package)),
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

/** An alert about a rule that could not be evaluated names the rule in another label. */
const ruleOf = (labels: TextMap): string | undefined =>
  textOf(Object.hasOwn(NOT_EVALUATED, labels.alertname ?? '') ? labels.rulename : labels.alertname);

function titleOf(labels: TextMap, annotations: TextMap, source: AlertContext['source']): string {
  const notEvaluated = NOT_EVALUATED[labels.alertname ?? ''];
  const name = ruleOf(labels);
  if (notEvaluated) {
    // The summary refers to values, which are missing.
    return `${notEvaluated.title}: ${name ?? 'a rule without a name'}`;
  }
  const where = textOf(labels.instance);
  return (
    textOf(annotations.summary) ??
    (name && where ? `${name} on ${where}` : (name ?? textOf(labels.rulename) ?? where)) ??
    `An alert of ${source === 'grafana' ? 'Grafana' : 'Alertmanager'} without a name`
  );
}

function bodyOf(alert: GrafanaAlert, labels: TextMap, annotations: TextMap): string {
  const runbook = firstSafeLink([['', annotations.runbook_url]], []);
  return [
    NOT_EVALUATED[labels.alertname ?? '']?.sentence,
    textOf(annotations.description) ?? textOf(annotations.message) ?? valuesOf(alert) ?? labelsOf(labels),
    runbook && `Runbook: <${runbook.url}>`,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

/** Grafana's values; a resolved alert often has none (grafana/grafana#45459). */
function valuesOf(alert: GrafanaAlert): string | undefined {
  const text = textOf(alert.valueString);
  const values = Object.entries(alert.values ?? {}).filter(([, value]) => value !== null);
  // Any JSON value is possible; String() would call a member named toString.
  const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : show(value));
  const shown = text ?? values.map(([name, value]) => `${name} = ${textOfValue(value)}`).join(', ');
  return shown === '' ? undefined : codeSpan(shown);
}

function labelsOf(labels: TextMap): string | undefined {
  const shown = Object.entries(labels).filter(([name]) => !OMITTED_LABELS.has(name) && !name.startsWith('__'));
  return shown.length === 0 ? undefined : shown.map(([name, value]) => codeSpan(`${name}="${value}"`)).join(' ');
}

function linkOf(alert: GrafanaAlert, annotations: TextMap, source: AlertContext['source'], notes: string[]) {
  // Grafana also sends its alerts to Alertmanagers, with the rule as a label.
  const isGrafanas = source === 'grafana' || alert.labels?.[RULE_LABEL] !== undefined;
  return firstSafeLink(
    [
      [textOf(annotations.callToActionTitle) ?? 'Open', annotations.callToActionUrl],
      ['Open panel', alert.panelURL],
      ['Open dashboard', alert.dashboardURL],
      [isGrafanas ? 'Open alert rule' : 'Open in Prometheus', alert.generatorURL],
    ],
    notes
  );
}

/** Stored, not shown. Embedded images (embeddedImage) are dropped: they would fill the store. */
function extraOf(alert: GrafanaAlert, { receiver, groupKey, externalURL }: AlertContext): Record<string, unknown> {
  const { labels, annotations, startsAt, endsAt, fingerprint, generatorURL, ruleUID, values } = alert;
  const { dashboardURL, panelURL, silenceURL, imageURL } = alert;
  return {
    receiver,
    groupKey,
    externalURL,
    alert: {
      labels,
      annotations,
      startsAt,
      endsAt,
      fingerprint,
      generatorURL,
      dashboardURL,
      panelURL,
      silenceURL,
      imageURL,
      ruleUID,
      values,
    },
  };
}

function fingerprintOf(labels: TextMap): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `labels-${shortHash(JSON.stringify(sorted))}`;
}

/** Undefined for Go's zero time (the year 1, in any time zone) and that of Unix (1970). */
function moment(text: string | null | undefined, name: string, notes: string[]): number | undefined {
  const given = textOf(text);
  const ms = given === undefined ? 0 : Date.parse(given);
  if (Number.isNaN(ms)) {
    addNote(notes, `${name} ${show(given)} is not a time; left out`);
    return undefined;
  }
  return ms <= 0 ? undefined : ms;
}
