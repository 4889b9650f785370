/** The monitors that thresholds and switches are applied to. */
import type { Monitor as MonitorName } from '../../contract/endpoint.ts';
import type { AlertOwnership } from './monitors/alertOwnership.ts';
import { QUERIES } from './monitors/alertRule.ts';
import { QUERIES_AND_NODES } from './chainRule.ts';
import { gatusMonitor } from './monitors/gatus/monitor.ts';
import { createGrafanaClient } from './monitors/grafana/client.ts';
import { grafanaMonitor } from './monitors/grafana/monitor.ts';
import type { Monitor } from './monitors/monitor.ts';
import type { PrometheusClient } from './monitors/prometheus/client.ts';
import { prometheusMonitor } from './monitors/prometheus/monitor.ts';
import type { MonitorSettings } from './monitors/settings.ts';

export interface MonitorDeps {
  settings: MonitorSettings;
  /** The address that the bridge listens at. */
  listensAt: () => string;
  webhookSecret: string | undefined;
  prometheus: PrometheusClient | undefined;
  ownership: AlertOwnership;
}

/** The configured monitors. */
export function createMonitors({ settings, listensAt, webhookSecret, prometheus, ownership }: MonitorDeps): Monitor[] {
  const { gatusConfig, grafana, prometheusRules, token, chainAlerts } = settings;
  const webhookUrl = (name: string) => (): string =>
    `${settings.bridgeUrl ?? reachable(listensAt())}/api/v1/webhooks/${name}`;
  const rulesOf = (name: MonitorName) => (chainAlerts === name ? QUERIES_AND_NODES : QUERIES);
  const monitors = [
    gatusConfig && gatusMonitor({ path: gatusConfig, webhookUrl: webhookUrl('gatus'), token }),
    grafana &&
      grafanaMonitor({
        client: createGrafanaClient(grafana.url, grafana.token),
        datasource: grafana.datasource,
        webhookUrl: webhookUrl('grafana'),
        token,
        webhookSecret,
        rules: rulesOf('grafana'),
      }),
    prometheusRules && prometheusMonitor({ path: prometheusRules, prometheus, rules: rulesOf('prometheus') }),
  ];
  return monitors.flatMap((one) => {
    if (!one) {
      return [];
    }
    return chainAlerts === one.name ? { ...one, sync: (endpoints) => ownership.sync(one, endpoints) } : one;
  });
}

/** An address to connect to, where the bridge listens on all interfaces. */
function reachable(listensAt: string): string {
  return listensAt.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
