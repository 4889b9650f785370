/**
 * The context that Grafana passes to a link. These shapes are internal to Grafana's pages, differ between releases and are read-only
 * proxies. Pure.
 */

/** An alert instance. */
export interface AlertContext {
  /** As `name=value`, without Grafana's internal ones. */
  labels: string[];
  /** The display name. */
  name: string;
  /** When the alert became active, UTC milliseconds. */
  since: number | undefined;
}

/** A panel of a dashboard. */
export interface PanelContext {
  dashboardUid: string;
  panelId: number;
  title: string;
  targets: PanelQuery[];
  scopedVars: object | undefined;
}

/** One query of a panel, as much of it as all data sources share. */
export interface PanelQuery extends Record<string, unknown> {
  refId: string;
  datasource?: { uid?: string; type?: string };
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Grafana 12 and 13.1 give `{ instance, rule }` whole, later ones a copy of parts of them.
 * @returns undefined without an instance: Grafana also calls this without one, to check whether the link exists
 */
export function readAlert(context: unknown): AlertContext | undefined {
  const { instance, rule } = object(context);
  const { labels, activeAt } = object(instance);
  const known = Object.entries(object(labels)).filter(
    (label): label is [string, string] => typeof label[1] === 'string' && !label[0].startsWith('__')
  );
  if (known.length === 0) {
    return undefined;
  }
  const began = Date.parse(text(activeAt) ?? '');
  return {
    labels: known.map(([name, value]) => `${name}=${value}`),
    name: text(object(labels)['alertname']) ?? text(object(rule)['name']) ?? '',
    // Go's zero time, the year 1, means that there is none.
    since: began > 0 ? began : undefined,
  };
}

/** @returns undefined where there is nothing to point at: a panel of a dashboard that has never been saved */
export function readPanel(context: unknown): PanelContext | undefined {
  const { id, title, dashboard, targets, scopedVars, data } = object(context);
  const dashboardUid = text(object(dashboard)['uid']);
  if (dashboardUid === undefined || typeof id !== 'number' || id <= 0) {
    return undefined;
  }
  // Queries as they were sent name their data source even where only the panel did.
  const sent = object(object(data)['request'])['targets'];
  const queries = [sent, targets].find((list) => Array.isArray(list) && list.length > 0) as unknown[] | undefined;
  return {
    dashboardUid,
    panelId: id,
    title: text(title) ?? '',
    targets: (queries ?? []).filter((query): query is PanelQuery => text(object(query)['refId']) !== undefined),
    scopedVars: typeof scopedVars === 'object' && scopedVars !== null ? scopedVars : undefined,
  };
}
