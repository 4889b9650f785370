/** The queries of a panel that Grafana Alerting can evaluate, with the current values of the dashboard's variables. */
import type { DataSourceApi, ScopedVars } from '@grafana/data';
import { getDataSourceSrv } from '@grafana/runtime';
import type { PanelContext, PanelQuery } from './contexts';
import type { AlertingQuery } from './newRule';

/** Rules have no variables, so the current values are filled in. */
function filledIn(source: DataSourceApi, query: PanelQuery, scopedVars: object | undefined): PanelQuery {
  const [filled] = source.interpolateVariablesInQueries?.([query], (scopedVars ?? {}) as ScopedVars) ?? [];
  return { ...((filled as PanelQuery | undefined) ?? query), refId: query.refId };
}

/** @returns nothing rather than half of it: a rule on some of the queries would be another rule */
export async function alertingQueries({ targets, scopedVars }: PanelContext): Promise<AlertingQuery[]> {
  try {
    // Grafana's objects are read-only; data sources expect queries of their own.
    const own = JSON.parse(JSON.stringify(targets)) as PanelQuery[];
    const found = await Promise.all(
      own.map(async (query) => {
        // The replacement is still unstable, and missing in Grafana 12.
        // oxlint-disable-next-line typescript/no-deprecated
        const source = await getDataSourceSrv().get(query.datasource);
        const asks = source.meta.alerting === true || source.uid === '__expr__';
        return asks ? [{ query: filledIn(source, query, scopedVars), datasourceUid: source.uid }] : [];
      })
    );
    return found.every((one) => one.length === 1) ? found.flat() : [];
  } catch {
    return [];
  }
}
