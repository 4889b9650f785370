/** What Grafana's own alerting knows, asked with the rights of the user who looks. */
import { askGrafana } from './grafana';

/** A rule of Grafana. */
export interface GrafanaRule {
  uid: string;
  title: string;
}

interface RulerGroup {
  rules?: Array<{ grafana_alert?: { uid?: string; title?: string } }>;
}

/**
 * The rules that say they belong to a panel.
 * @returns undefined when Grafana does not tell: the user may not see rules, or there is no alerting
 */
export async function rulesOfPanel(dashboardUid: string, panelId: number): Promise<GrafanaRule[] | undefined> {
  const query = new URLSearchParams({ dashboard_uid: dashboardUid, panel_id: String(panelId) }).toString();
  try {
    const { data } = await askGrafana(`/api/ruler/grafana/api/v1/rules?${query}`, 'GET');
    const groups = Object.values((data ?? {}) as Record<string, RulerGroup[]>).flat();
    return groups
      .flatMap(({ rules = [] }) => rules)
      .flatMap(({ grafana_alert: rule }) => (rule?.uid ? [{ uid: rule.uid, title: rule.title ?? rule.uid }] : []));
  } catch {
    return undefined;
  }
}

/** Whether Grafana has a contact point of this name that the user may choose. */
export async function hasContactPoint(name: string): Promise<boolean> {
  try {
    const { data } = await askGrafana('/api/v1/notifications/receivers', 'GET');
    return Array.isArray(data) && data.some((receiver: { name?: string }) => receiver?.name === name);
  } catch {
    return false;
  }
}
