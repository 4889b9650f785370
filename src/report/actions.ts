/** Where one acts on what made noise. Pure. */
import type { ReportRow } from '@nodebell/contract/report.ts';
import { pathTo } from '../routes';

export interface Links {
  /** In the inbox. */
  inbox: string | undefined;
  /** The newest notification, of which an alert can be silenced. */
  newest: string;
  /** For all alerts of the rule; undefined: they are not of Grafana or an Alertmanager. */
  silence: string | undefined;
  /** Thresholds of the package, with its switch. */
  thresholds: string | undefined;
  /** The rule, among the rules of Grafana. */
  rule: string | undefined;
}

export function linksOf(row: ReportRow): Links {
  const { rule, dnpName, category, source } = row;
  const filter = new URLSearchParams({ ...(dnpName && { dnpName }), ...(category && { category }) }).toString();
  return {
    inbox: filter === '' ? undefined : `${pathTo.inbox}?${filter}`,
    newest: pathTo.notification(row.last),
    silence: rule && (source === 'grafana' || source === 'alertmanager') ? pathTo.silenceOf(row.last) : undefined,
    thresholds: dnpName ? pathTo.thresholdsOf(dnpName) : undefined,
    rule: source === 'grafana' && rule ? pathTo.ruleOf(rule) : undefined,
  };
}
