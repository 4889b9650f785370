/** Texts of the report. */
import type { ReportBy, ReportRow, ReportSort } from '@nodebell/contract/report.ts';
import { categoryName } from '../components/messages';
import { t } from '../i18n/t';
import { formatMoment } from '../i18n/locale';
import { dayBefore } from './view';

const BY_LABELS: Record<ReportBy, () => string> = {
  rule: () => t('report.by.rule', 'Rule'),
  package: () => t('report.by.package', 'Package'),
  category: () => t('report.by.category', 'Category'),
  source: () => t('report.by.source', 'Source'),
};

export const byLabel = (by: ReportBy): string => BY_LABELS[by]();

const SOURCES: Record<NonNullable<ReportRow['source']>, () => string> = {
  grafana: () => 'Grafana',
  alertmanager: () => 'Alertmanager',
  gatus: () => 'Gatus',
  webhook: () => t('report.source.webhook', 'Other programs'),
  bridge: () => 'Nodebell',
  admin: () => t('report.source.admin', 'By hand'),
  api: () => t('report.source.api', 'Packages and scripts'),
};

export const sourceName = (source: NonNullable<ReportRow['source']>): string => SOURCES[source]();

/** Name of a row's subject, and what it belongs to. */
export function namesOf({ source, rule, dnpName, category }: ReportRow): { name: string; of: string[] } {
  const parts = [
    rule,
    dnpName,
    category === undefined || category === '' ? undefined : categoryName(category),
    source && sourceName(source),
  ].filter((part): part is string => part !== undefined && part !== '');
  // Beyond the limit of the report, only the source is known.
  const [name = t('report.row.others', 'Others'), ...of] = parts;
  return { name, of };
}

export interface Column {
  sort: ReportSort;
  label: string;
  /** Explanation of the count. */
  help: string;
}

export const columns = (): Column[] => [
  {
    sort: 'notifications',
    label: t('report.column.notifications', 'Notifications'),
    help: t('report.help.notifications', 'All that arrived and were not muted.'),
  },
  { sort: 'fired', label: t('report.column.fired', 'Fired'), help: t('report.help.fired', 'Alerts that fired.') },
  {
    sort: 'flapping',
    label: t('report.column.flapping', 'Flapping'),
    help: t('report.help.flapping', 'Alerts that fired less than an hour after they had been resolved.'),
  },
  {
    sort: 'notActedOn',
    label: t('report.column.not-acted-on', 'Not acted on'),
    help: t(
      'report.help.not-acted-on',
      'Alerts that resolved although nobody had acknowledged, commented, snoozed, assigned, silenced or closed them.'
    ),
  },
  {
    sort: 'timeToAcknowledge',
    label: t('report.column.acknowledge', 'To acknowledge'),
    help: t('report.help.acknowledge', 'From firing to the first acknowledgement, on average.'),
  },
  {
    sort: 'timeToResolve',
    label: t('report.column.resolve', 'To resolve'),
    help: t('report.help.resolve', 'From firing to being resolved, on average.'),
  },
  {
    sort: 'openSeconds',
    label: t('report.column.open-time', 'Time open'),
    help: t('report.help.open-time', 'How long the resolved alerts were open, together.'),
  },
  {
    sort: 'open',
    label: t('report.column.open', 'Open now'),
    help: t('report.help.open', 'Alerts that are open at this moment.'),
  },
];

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** "16 Nov 2026 – 22 Nov 2026". @param to the day after the last one */
export const rangeLabel = (from: string, to: string): string =>
  [from, dayBefore(to)].map((date) => formatMoment(date, DATE, 'utc')).join(' – ');
