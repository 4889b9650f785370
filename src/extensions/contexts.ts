/**
 * The context that Grafana passes to a link. Its shape is internal to Grafana's pages and differs between releases. It is a read-only
 * proxy, possibly around frozen objects. Pure.
 */

/** An alert instance. */
export interface AlertContext {
  /** Labels as `name=value`, without Grafana's internal ones. */
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

/**
 * A member of what Grafana passes; undefined where there is none.
 *
 * Grafana 12.4 wraps each member of a context in a proxy when it is read. A proxy must return the value itself of a member that is
 * neither writable nor configurable, so reading a member of a frozen object throws a TypeError. The property descriptor is not wrapped.
 */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const own = Object.getOwnPropertyDescriptor(value, name);
  return own && 'value' in own ? own.value : Reflect.get(value, name);
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Grafana 12 and 13.1 give `{ instance, rule }` whole, later ones a copy of parts of them.
 * @returns undefined without an instance: Grafana also calls this without one, to check whether the link exists
 */
export function readAlert(context: unknown): AlertContext | undefined {
  const instance = member(context, 'instance');
  const labels = member(instance, 'labels');
  const known = Object.keys(labels ?? {})
    .map((name) => [name, member(labels, name)])
    .filter((label): label is [string, string] => typeof label[1] === 'string' && !String(label[0]).startsWith('__'));
  if (known.length === 0) {
    return undefined;
  }
  const began = Date.parse(text(member(instance, 'activeAt')) ?? '');
  return {
    labels: known.map(([name, value]) => `${name}=${value}`),
    name: text(member(labels, 'alertname')) ?? text(member(member(context, 'rule'), 'name')) ?? '',
    // Go's zero time, the year 1, means that there is none.
    since: began > 0 ? began : undefined,
  };
}

/** @returns undefined where there is nothing to point at: a panel of a dashboard that has never been saved */
export function readPanel(context: unknown): PanelContext | undefined {
  const [id, targets, scopedVars] = ['id', 'targets', 'scopedVars'].map((name) => member(context, name));
  const dashboardUid = text(member(member(context, 'dashboard'), 'uid'));
  if (dashboardUid === undefined || typeof id !== 'number' || id <= 0) {
    return undefined;
  }
  // Queries as they were sent name their data source even where only the panel did.
  const sent = member(member(member(context, 'data'), 'request'), 'targets');
  const queries = [sent, targets].find((list) => Array.isArray(list) && list.length > 0) as unknown[] | undefined;
  return {
    dashboardUid,
    panelId: id,
    title: text(member(context, 'title')) ?? '',
    targets: (queries ?? []).filter((query): query is PanelQuery => text(member(query, 'refId')) !== undefined),
    scopedVars: typeof scopedVars === 'object' && scopedVars !== null ? scopedVars : undefined,
  };
}
