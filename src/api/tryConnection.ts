/**
 * Asks Grafana's alerting what happens when Grafana's server connects to an address. The proxy for plugins answers 502 and
 * an empty body whatever happened; a test of a webhook contact point, which is not saved, repeats the words of the network.
 * Grafana 12.4 has the first path, 13 the second (12.4's answers 410 there); where neither answers, nothing is known.
 */
import { config } from '@grafana/runtime';
import { z } from 'zod';
import { requestGrafana } from './grafana';

const ALERT = { labels: { alertname: 'Nodebell tests its connection' }, annotations: {} };

const resultSchema = z.object({ status: z.string(), error: z.string().optional() });
const receiversSchema = z.object({
  receivers: z.tuple([z.object({ grafana_managed_receiver_configs: z.tuple([resultSchema]) })]),
});

/** `error` in Grafana's words; without it, something answered. */
export interface Tried {
  error?: string;
}

/**
 * Changes nothing at the bridge: what is sent goes to a path that takes nothing.
 * @returns undefined where Grafana does not tell
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

/** The body of the answer, also of one that says by its status that the test failed. */
async function post(url: string, data: unknown): Promise<unknown> {
  try {
    return (await requestGrafana(url, 'POST', data)).data;
  } catch (thrown) {
    return (thrown as { data?: unknown } | undefined)?.data;
  }
}
