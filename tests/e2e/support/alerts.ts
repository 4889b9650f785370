/** Alerts of Grafana, as its webhook sends them and as its own pages hand them to links. */
import type { TestBridge } from './bridge.ts';

export const LABELS = { alertname: 'DiskFull', grafana_folder: 'Nodes', instance: 'node-1' };
const STARTED = new Date(Date.now() - 3_600_000).toISOString();

/** Posts one alert; each call is another alert. */
export function fire(bridge: TestBridge, change: Record<string, unknown> = {}): Promise<unknown> {
  const alert = {
    status: 'firing',
    labels: LABELS,
    annotations: { summary: 'The disk of node-1 is full' },
    startsAt: STARTED,
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: `${Date.now()}-${Math.random()}`,
    ...change,
  };
  return bridge.call('POST', '/api/v1/webhooks/grafana', { version: '1', status: 'firing', alerts: [alert] });
}

/** The page of a place that plugins extend, with what Grafana says of the thing it stands beside. */
export const pointPage = (point: string, context: object = {}): string =>
  `/point/${point}?context=${encodeURIComponent(JSON.stringify(context))}`;

export const instanceContext = (labels: Record<string, string> = LABELS) => ({
  instance: { labels: { ...labels, __alert_rule_uid__: 'x' }, annotations: {}, activeAt: STARTED, state: 'Alerting' },
  rule: { name: 'DiskFull', labels: {}, annotations: {}, uid: 'x' },
});

const TARGET = { refId: 'A', expr: 'node_filesystem_avail_bytes', datasource: { uid: 'prom', type: 'prometheus' } };

export const panelContext = (id = 4) => ({
  ...{ pluginId: 'timeseries', id, title: 'Disk', timeRange: { from: 'now-1h', to: 'now' }, timeZone: 'browser' },
  ...{ dashboard: { uid: 'node-1', title: 'Node', tags: [] }, targets: [TARGET] },
});
