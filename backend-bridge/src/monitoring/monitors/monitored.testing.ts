/** Endpoints as the monitors are to watch them, for tests: read from a notifications file, as real ones are. */
import { validateNotifications } from '../../validation/notifications/validateNotifications.ts';
import type { SettingRow } from '../../platform/storage/schema.ts';
import { overlayOf } from '../thresholds/overlay.ts';
import { monitoredEndpoint } from '../thresholds/present.ts';
import { shippedEndpoints } from '../thresholds/shipped.ts';
import type { MonitoredEndpoint } from './monitor.ts';

export const DNP = 'geth.example.eth';

/** @param changes members of the one endpoint; what is undefined is left out */
export function definition(changes: object = {}): object {
  return {
    name: 'Peers',
    correlationId: 'geth-peers',
    enabled: true,
    group: 'ethereum',
    url: 'http://geth.example:8545',
    method: 'POST',
    interval: '30s',
    conditions: ['[BODY].result >= 10'],
    metric: { min: 0, max: 50, unit: 'peers' },
    definition: { title: 'Few peers', description: 'It has few.' },
    priority: 'medium',
    isBanner: false,
    alerts: [
      {
        type: 'custom',
        enabled: true,
        description: 'Fewer than [CONDITION_VALUE] peers',
        'failure-threshold': 4,
        'success-threshold': 1,
        'send-on-resolved': true,
      },
    ],
    ...changes,
  };
}

export interface WatchOptions {
  threshold?: number;
  enabled?: boolean;
  dnpName?: string;
}

/** One endpoint with what is set for it. */
export function monitored(
  changes: object = {},
  { threshold, enabled, dnpName = DNP }: WatchOptions = {}
): MonitoredEndpoint {
  const { endpoints, customEndpoints } = validateNotifications(JSON.stringify({ endpoints: [definition(changes)] }));
  const [shipped] = shippedEndpoints({ endpoints, customEndpoints });
  if (shipped === undefined) {
    throw new Error('the endpoint cannot be used');
  }
  const row = {
    dnp_name: dnpName,
    correlation_id: shipped.correlationId,
    file: '',
    shipped: null,
    subject: null,
    ts: 0,
    set_by: null,
  };
  const rows: SettingRow[] = [
    ...(threshold === undefined ? [] : [{ ...row, member: 'threshold' as const, value: threshold }]),
    ...(enabled === undefined ? [] : [{ ...row, member: 'enabled' as const, value: Number(enabled) }]),
  ];
  const world = { versionOf: () => undefined, mutedCategories: new Set<string>() };
  return monitoredEndpoint(dnpName, shipped, overlayOf(rows), world);
}

/** The shape of the endpoints of real packages that query Prometheus. */
export const CPU = {
  name: 'CPU',
  correlationId: 'host-cpu',
  group: 'hardware',
  method: 'GET',
  url: 'http://prometheus.example:9090/api/v1/query?query=100%20*%20avg%28rate%28cpu%7Bmode!%3D%22idle%22%7D%5B2m%5D%29%29',
  conditions: ['[BODY].data.result[0].value[1] <= 80'],
  metric: { min: 0, max: 100, unit: '%' },
  definition: { title: 'CPU usage', description: 'It is high.' },
  callToAction: { title: 'Look', url: 'https://example.org/cpu' },
};
