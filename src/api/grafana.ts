/** Requests to Grafana itself, with the permissions of the user. */
import { getBackendSrv, config } from '@grafana/runtime';
import { lastValueFrom } from 'rxjs';
import { t } from '../i18n/t';
import { z } from 'zod';
import { urlSegment } from '@nodebell/contract/url.ts';

/** `none`: there is no such dashboard here, or the user may not see it. */
export type DashboardPresence = 'there' | 'none';

/**
 * Sends one request to Grafana without showing alerts.
 * @throws what Grafana's client throws: `status` and `data` of the error
 */
export function requestGrafana(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  data?: unknown,
  headers: Record<string, string> = {}
) {
  const options = { url, method, data, headers, showErrorAlert: false, showSuccessAlert: false };
  return lastValueFrom(getBackendSrv().fetch<unknown>(options));
}

interface Refusal {
  status?: number;
  data?: { message?: string };
}

export const statusOf = (thrown: unknown): number | undefined => (thrown as Refusal | undefined)?.status;

/** The message of Grafana for a failed request. */
export function refusalOf(thrown: unknown): string {
  const message = (thrown as Refusal | undefined)?.data?.message;
  return message
    ? t('bridge.grafana.refused', 'Grafana rejected the request: {{message}}', { message })
    : t('bridge.grafana.silent', 'Grafana is not responding.');
}

/** Whether a dashboard exists in Grafana. */
export async function findDashboard(uid: string): Promise<DashboardPresence> {
  const url = `/api/dashboards/uid/${urlSegment(uid)}`;
  try {
    await requestGrafana(url, 'GET');
    return 'there';
  } catch (thrown) {
    if (statusOf(thrown) === 404 || statusOf(thrown) === 403) {
      return 'none';
    }
    throw new Error(toErrorMessage(thrown), { cause: thrown });
  }
}

/**
 * Saves a dashboard and overwrites one with the same uid.
 * @param dashboard Grafana's JSON model
 * @param message message in the version history of the dashboard
 * @throws Error with a message for the user
 */
export async function saveDashboard(dashboard: Record<string, unknown>, message: string): Promise<void> {
  try {
    await requestGrafana('/api/dashboards/db', 'POST', { dashboard, overwrite: true, message });
  } catch (thrown) {
    throw new Error(toErrorMessage(thrown), { cause: thrown });
  }
}

/** The error of a failed request to Grafana, as a message for the user. */
export function toErrorMessage(thrown: unknown): string {
  switch (statusOf(thrown)) {
    case 403:
      return t('bridge.grafana.forbidden', 'You do not have permission to create dashboards.');
    case 404:
      return t(
        'bridge.grafana.none',
        'This page does not run in a Grafana that stores dashboards. Use the command “nodebell dashboards” to write them to files.'
      );
    default:
      return refusalOf(thrown);
  }
}

/** A rule of Grafana. */
export interface GrafanaRule {
  uid: string;
  title: string;
}

interface RulerGroup {
  rules?: Array<{ grafana_alert?: { uid?: string; title?: string } }>;
}

/**
 * The alert rules that belong to a panel.
 * @returns undefined when the rules cannot be read: no permission, or no alerting
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

interface Receivers {
  items: Array<{ spec?: { title?: string } }>;
}

/** API versions of Grafana 12.4 and of later releases. */
const RECEIVER_VERSIONS = ['v0alpha1', 'v1beta1'];

/** Whether Grafana has a contact point of this name that the user may choose. */
export async function hasContactPoint(name: string): Promise<boolean> {
  for (const version of RECEIVER_VERSIONS) {
    const path = `/apis/notifications.alerting.grafana.app/${version}/namespaces/${config.namespace}/receivers`;
    try {
      const { items } = (await requestGrafana(path, 'GET')).data as Receivers;
      return items.some(({ spec }) => spec?.title === name);
    } catch {
      // Rejected, missing or of another shape: try the next version.
    }
  }
  return false;
}

const ALERT = { labels: { alertname: 'Nodebell tests its connection' }, annotations: {} };

const resultSchema = z.object({ status: z.string(), error: z.string().optional() });
const receiversSchema = z.object({
  receivers: z.tuple([z.object({ grafana_managed_receiver_configs: z.tuple([resultSchema]) })]),
});

/** `error` is Grafana's message; without it, the address responded. */
interface Tried {
  error?: string;
}

/**
 * Changes nothing in the bridge: the path accepts no data.
 * @returns undefined where Grafana cannot run the test
 */
export async function tryConnection(bridgeUrl: string): Promise<Tried | undefined> {
  const settings = { url: `${bridgeUrl}/healthz`, httpMethod: 'POST' };
  const resource = `/apis/notifications.alerting.grafana.app/v1beta1/namespaces/${config.namespace}/receivers/-/test`;
  const integration = { type: 'webhook', version: '', settings };
  const now = resultSchema.safeParse(await post(resource, { alert: ALERT, integration })).data;
  if (now) {
    return toTried(now);
  }
  const managed = { name: 'nodebell', type: 'webhook', disableResolveMessage: true, settings };
  const body = { alert: ALERT, receivers: [{ name: 'nodebell', grafana_managed_receiver_configs: [managed] }] };
  const before = receiversSchema.safeParse(
    await post('/api/alertmanager/grafana/config/api/v1/receivers/test', body)
  ).data;
  return before && toTried(before.receivers[0].grafana_managed_receiver_configs[0]);
}

const toTried = ({ status, error }: z.output<typeof resultSchema>): Tried =>
  status === 'success' || status === 'ok' ? {} : { error: error ?? '' };

/** The body of the response, also of a failed one. */
async function post(url: string, data: unknown): Promise<unknown> {
  try {
    return (await requestGrafana(url, 'POST', data)).data;
  } catch (thrown) {
    return (thrown as { data?: unknown } | undefined)?.data;
  }
}
