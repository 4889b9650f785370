/** What Grafana's own alerting knows, asked with the rights of the user who looks. */
import { config } from '@grafana/runtime';
import { requestGrafana } from './grafana';

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
    const { data } = await requestGrafana(`/api/ruler/grafana/api/v1/rules?${query}`, 'GET');
    const groups = Object.values((data ?? {}) as Record<string, RulerGroup[]>).flat();
    return groups
      .flatMap(({ rules = [] }) => rules)
      .flatMap(({ grafana_alert: rule }) => (rule?.uid ? [{ uid: rule.uid, title: rule.title ?? rule.uid }] : []));
  } catch {
    return undefined;
  }
}

interface ReceiverResource {
  spec?: { title?: string };
}

/** Grafana 12.4 has the first path. In 13 it is deprecated, and the second is there. */
const CONTACT_POINTS: ReadonlyArray<{ path: () => string; names: (data: unknown) => Array<string | undefined> }> = [
  {
    path: () => '/api/v1/notifications/receivers',
    names: (data) => (data as Array<{ name?: string }>).map(({ name }) => name),
  },
  {
    path: () => `/apis/notifications.alerting.grafana.app/v1beta1/namespaces/${config.namespace}/receivers`,
    names: (data) => (data as { items: ReceiverResource[] }).items.map(({ spec }) => spec?.title),
  },
];

/** Whether Grafana has a contact point of this name that the user may choose. */
export async function hasContactPoint(name: string): Promise<boolean> {
  for (const { path, names } of CONTACT_POINTS) {
    try {
      return names((await requestGrafana(path(), 'GET')).data).includes(name);
    } catch {
      // Refused, gone, or of another shape: the next may answer.
    }
  }
  return false;
}
