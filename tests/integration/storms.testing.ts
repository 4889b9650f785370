/** Alerts of one rule, as Grafana sends them. */
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { TestBridge } from './support.ts';

export interface Alert {
  rule?: string;
  instance: number | string;
  resolved?: boolean;
  severity?: string;
  folder?: string;
}

const alertOf = (
  { clock }: TestBridge,
  { rule = 'HighCPU', instance, resolved = false, severity = 'warning', folder = 'hosts' }: Alert
) => ({
  status: resolved ? 'resolved' : 'firing',
  labels: { alertname: rule, instance: `host-${instance}`, severity, grafana_folder: folder },
  annotations: {},
  startsAt: clock.iso,
  endsAt: resolved ? clock.iso : '0001-01-01T00:00:00Z',
  fingerprint: `${rule}-${instance}`,
});

export const sendAlerts = (bridge: TestBridge, ...alerts: Alert[]) =>
  bridge.call('POST', '/api/v1/webhooks/grafana', {
    status: 'firing',
    alerts: alerts.map((alert) => alertOf(bridge, alert)),
  });
export const some = (count: number, alert: Partial<Alert> = {}): Alert[] =>
  Array.from({ length: count }, (_, instance) => ({ instance, ...alert }));

/** One row for each burst. */
export const collapsed = (bridge: TestBridge, query = ''): Promise<Notification[]> =>
  bridge.list(`latest=true&bursts=collapsed${query && `&${query}`}`);
