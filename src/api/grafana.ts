/** What the pages ask of Grafana itself, with the rights of the user who asks. */
import { getBackendSrv } from '@grafana/runtime';
import { lastValueFrom } from 'rxjs';
import { t } from '../i18n/t';

/** `none`: there is no such dashboard here, or the user may not see it. */
export type DashboardPresence = 'there' | 'none';

/**
 * Sends one request to Grafana itself, without messages of its own.
 * @throws what Grafana's client throws: `status` and `data` of the refusal
 */
export function requestGrafana(url: string, method: 'GET' | 'POST', data?: unknown) {
  const options = { url, method, data, showErrorAlert: false, showSuccessAlert: false };
  return lastValueFrom(getBackendSrv().fetch<unknown>(options));
}

interface Refusal {
  status?: number;
  data?: { message?: string };
}

const statusOf = (thrown: unknown): number | undefined => (thrown as Refusal | undefined)?.status;

/** Looks whether a dashboard is in Grafana. */
export async function findDashboard(uid: string): Promise<DashboardPresence> {
  const url = `/api/dashboards/uid/${encodeURIComponent(uid)}`;
  try {
    await lastValueFrom(getBackendSrv().fetch({ url, method: 'GET', showErrorAlert: false }));
    return 'there';
  } catch (thrown) {
    if (statusOf(thrown) === 404 || statusOf(thrown) === 403) {
      return 'none';
    }
    throw new Error(toErrorMessage(thrown), { cause: thrown });
  }
}

/**
 * Saves a dashboard, over one of the same uid if need be.
 * @param dashboard Grafana's JSON model
 * @param message what the history of the dashboard says
 * @throws Error in words for the user
 */
export async function saveDashboard(dashboard: Record<string, unknown>, message: string): Promise<void> {
  const data = { dashboard, overwrite: true, message };
  const options = { url: '/api/dashboards/db', method: 'POST', data, showErrorAlert: false, showSuccessAlert: false };
  try {
    await lastValueFrom(getBackendSrv().fetch(options));
  } catch (thrown) {
    throw new Error(toErrorMessage(thrown), { cause: thrown });
  }
}

/** Why Grafana did not do it, in words. */
export function toErrorMessage(thrown: unknown): string {
  const message = (thrown as Refusal | undefined)?.data?.message;
  switch (statusOf(thrown)) {
    case 403:
      return t('bridge.grafana.forbidden', 'You do not have permission to create dashboards.');
    case 404:
      return t(
        'bridge.grafana.none',
        'This page does not run in a Grafana that stores dashboards. Use the command “nodebell dashboards” to write them to files.'
      );
    default:
      return message
        ? t('bridge.grafana.refused', 'Grafana rejected the request: {{message}}', { message })
        : t('bridge.grafana.silent', 'Grafana is not responding.');
  }
}
