/** Packages with notifications files, and their settings. */
import type { Endpoint, EndpointPackage } from '../../../backend-bridge/contract/endpoint.ts';
import type { TestBridge } from './bridge.ts';
import { register } from './packages.ts';

export const DMS = 'dms.dnp.dappnode.eth';

interface Monitored {
  id: string;
  title: string;
  condition: string;
  description?: string;
  /** `group` of the wire. */
  category?: string;
  metric?: { min: number; max: number; unit?: string };
}

const monitored = ({
  id,
  title,
  condition,
  description = 'Notifies when it fails.',
  category = 'hardware',
  metric,
}: Monitored) => ({
  name: title,
  enabled: true,
  url: 'http://dms:9090/health',
  method: 'GET',
  conditions: [condition],
  interval: '30s',
  group: category,
  alerts: [
    {
      type: 'custom',
      'failure-threshold': 2,
      'success-threshold': 1,
      'send-on-resolved': true,
      description: title,
      enabled: true,
    },
  ],
  definition: { title, description },
  correlationId: id,
  priority: 'medium',
  isBanner: false,
  ...(metric && { metric }),
});

/** A notifications file with these endpoints, as JSON. */
export const notificationsOf = (...endpoints: Monitored[]): string =>
  JSON.stringify({ endpoints: endpoints.map(monitored), customEndpoints: [] });

export const CPU: Monitored = {
  id: 'dms-cpu',
  title: 'CPU usage',
  condition: '[BODY].cpu <= 80',
  description: 'Notifies when **CPU** usage is high.',
  metric: { min: 0, max: 100, unit: '%' },
};

export const SYNCED: Monitored = {
  id: 'dms-synced',
  title: 'Node synced',
  condition: '[BODY].result == false',
  category: 'ethereum',
};

export const LOAD: Monitored = {
  id: 'dms-load',
  title: 'Load of the host',
  condition: '[BODY].load <= 0.75',
  metric: { min: 0, max: 4 },
};

export const registerDms = (bridge: TestBridge) =>
  register(bridge, { name: DMS }, { notifications: notificationsOf(CPU, SYNCED, LOAD) });

/** An endpoint of that package, as the bridge has it. */
export async function keptOf(bridge: TestBridge, id: string): Promise<Endpoint | undefined> {
  const { endpoints } = await bridge.call<EndpointPackage>('GET', `/api/v1/packages/${DMS}/endpoints`);
  return endpoints.find(({ correlationId }) => correlationId === id);
}
