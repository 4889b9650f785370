/**
 * Tests the connection from Grafana's server to an address. The plugin proxy responds with 502 and an empty body to every failure,
 * but the test of an unsaved webhook contact point includes the network error.
 * Grafana 12.4 has the first path, 13 the second (12.4's responds with 410 there).
 */
import { config } from '@grafana/runtime';
import { z } from 'zod';
import { requestGrafana } from './grafana';

const ALERT = { labels: { alertname: 'Nodebell tests its connection' }, annotations: {} };

const resultSchema = z.object({ status: z.string(), error: z.string().optional() });
const receiversSchema = z.object({
  receivers: z.tuple([z.object({ grafana_managed_receiver_configs: z.tuple([resultSchema]) })]),
});

/** `error` is Grafana's message; without it, the address responded. */
export interface Tried {
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
