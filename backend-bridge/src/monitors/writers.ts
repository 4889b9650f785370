/** The monitors that are set up. */
import { gatusMonitor } from '../gatus/monitor.ts';
import { createGrafanaClient } from '../grafana/alerting/client.ts';
import { grafanaMonitor } from '../grafana/alerting/monitor.ts';
import { prometheusMonitor, reloadPrometheus } from '../prometheus/rules.ts';
import type { MonitorWriter } from '../thresholds/effects.ts';
import type { MonitorSettings } from './settings.ts';

export interface WriterDeps {
  settings: MonitorSettings;
  /** Where the bridge listens. */
  listensAt: () => string;
  webhookSecret: string | undefined;
}

export function monitorWriters({ settings, listensAt, webhookSecret }: WriterDeps): MonitorWriter[] {
  const { gatusConfig, grafana, prometheusUrl, prometheusToken, prometheusRules, token } = settings;
  const webhook = (name: string): string => `${settings.bridgeUrl ?? reachable(listensAt())}/api/v1/webhooks/${name}`;
  return [
    ...(gatusConfig === undefined ? [] : [gatusMonitor(gatusConfig, () => ({ webhookUrl: webhook('gatus'), token }))]),
    ...(grafana === undefined
      ? []
      : [
          grafanaMonitor({
            client: createGrafanaClient(grafana.url, grafana.token),
            datasource: grafana.datasource,
            webhookUrl: () => webhook('grafana'),
            token,
            webhookSecret,
          }),
        ]),
    ...(prometheusRules === undefined
      ? []
      : [
          prometheusMonitor({
            path: prometheusRules,
            reload: prometheusUrl === undefined ? undefined : () => reloadPrometheus(prometheusUrl, prometheusToken),
          }),
        ]),
  ];
}

/** An address that stands for all of a machine's is none to call. */
function reachable(listensAt: string): string {
  return listensAt.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
