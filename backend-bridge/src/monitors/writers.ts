/** The monitors that are set up. */
import { gatusMonitor } from './gatus/monitor.ts';
import { createGrafanaClient } from './grafana/client.ts';
import { grafanaMonitor } from './grafana/monitor.ts';
import { prometheusMonitor } from './prometheus/rules.ts';
import { runningPrometheus } from './prometheus/running.ts';
import type { MonitorWriter } from './reconciler.ts';
import type { Handover } from './alertOwnership.ts';
import { QUERIES_AND_NODES } from './ruleSource.ts';
import type { MonitorSettings } from './settings.ts';

export interface WriterDeps {
  settings: MonitorSettings;
  /** Where the bridge listens. */
  listensAt: () => string;
  webhookSecret: string | undefined;
  /** For the monitor that tells of nodes. */
  handover: Handover;
}

export function monitorWriters({ settings, listensAt, webhookSecret, handover }: WriterDeps): MonitorWriter[] {
  const { gatusConfig, grafana, prometheusUrl, prometheusToken, prometheusRules, token } = settings;
  const webhook = (name: string): string => `${settings.bridgeUrl ?? reachable(listensAt())}/api/v1/webhooks/${name}`;
  const nodesFor = (monitor: MonitorSettings['chainAlerts']) =>
    settings.chainAlerts === monitor ? { rules: QUERIES_AND_NODES, handover } : {};
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
            ...nodesFor('grafana'),
          }),
        ]),
    ...(prometheusRules === undefined
      ? []
      : [
          prometheusMonitor({
            path: prometheusRules,
            prometheus: prometheusUrl === undefined ? undefined : runningPrometheus(prometheusUrl, prometheusToken),
            ...nodesFor('prometheus'),
          }),
        ]),
  ];
}

/** An address that stands for all of a machine's is none to call. */
function reachable(listensAt: string): string {
  return listensAt.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
