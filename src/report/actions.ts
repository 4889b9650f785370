/** Where one acts on what made noise. Pure. */
import type { ReportRow } from '@nodebell/contract/report.ts';
import { pathTo } from '../routes';

/** Grafana's own page for a new silence, with the rule as its matcher; undefined: it is not an alert of Grafana. */
const silenceInGrafana = ({ source, rule }: ReportRow): string | undefined =>
  source === 'grafana' && rule
    ? `/alerting/silence/new?${new URLSearchParams({ alertmanager: 'grafana', matcher: `alertname=${rule}` }).toString()}`
    : undefined;

export interface Links {
  /** In the inbox. */
  inbox: string | undefined;
  /** The newest notification, of which an alert can be silenced. */
  newest: string;
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
    silence: silenceInGrafana(row),
    thresholds: dnpName ? pathTo.thresholdsOf(dnpName) : undefined,
    rule: source === 'grafana' && rule ? pathTo.ruleOf(rule) : undefined,
  };
}
