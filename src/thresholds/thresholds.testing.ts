/** Test data: endpoints and packages. */
import type { Endpoint, EndpointPackage, EndpointSwitch, EndpointThreshold } from '@nodebell/contract/endpoint.ts';

export const aSwitch = (change: Partial<EndpointSwitch> = {}): EndpointSwitch => ({
  value: true,
  shipped: true,
  origin: 'package',
  ...change,
});

export const aThreshold = (change: Partial<EndpointThreshold> = {}): EndpointThreshold => ({
  value: 80,
  shipped: 80,
  origin: 'package',
  ...change,
});

export function anEndpoint(change: Partial<Endpoint> = {}): Endpoint {
  return {
    correlationId: 'dms-cpu',
    kind: 'monitored',
    title: 'CPU usage',
    description: 'Triggers if CPU usage exceeds the limit.',
    category: 'hardware',
    priority: 'medium',
    isBanner: false,
    enabled: aSwitch(),
    mutedBy: [],
    condition: { shipped: '[BODY].cpu <= 80', effective: '[BODY].cpu <= 80' },
    threshold: aThreshold(),
    metric: { min: 0, max: 100, unit: '%', step: 1 },
    sentence: 'alerts above 80 %',
    cautions: [],
    active: true,
    effects: [],
    ...change,
  };
}

export function aPackage(change: Partial<EndpointPackage> = {}): EndpointPackage {
  return {
    dnpName: 'dms.dnp.dappnode.eth',
    version: '2.0.0',
    enabled: aSwitch(),
    endpoints: [anEndpoint(), anEndpoint({ correlationId: 'dms-memory', title: 'Memory usage' })],
    leftovers: [],
    problems: [],
    ...change,
  };
}
