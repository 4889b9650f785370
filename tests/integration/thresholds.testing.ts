/** Packages with endpoints for tests, with the structure of real ones. */
import type { Endpoint, EndpointOverview, EndpointPackage } from '../../backend-bridge/contract/endpoint.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { GETH, manifest, PACKAGES } from './packages.testing.ts';
import { type Answer, type Payload, TestBridge } from './support.ts';

export interface EndpointFile {
  correlationId: string;
  conditions?: string[];
  metric?: object | undefined;
  enabled?: unknown;
  group?: string;
  [member: string]: unknown;
}

export const PEERS: EndpointFile = {
  correlationId: 'geth-peers',
  conditions: ['[BODY].result >= 10'],
  metric: { min: 0, max: 50, unit: 'peers' },
};

/** An endpoint without findings, with overrides. */
export function endpoint({ correlationId, ...changes }: EndpointFile): object {
  return {
    name: `Name of ${correlationId}`,
    correlationId,
    enabled: true,
    group: 'ethereum',
    url: 'http://geth.example:8545',
    method: 'GET',
    interval: '30s',
    conditions: ['[STATUS] == 200'],
    definition: { title: `Title of ${correlationId}`, description: 'About it.' },
    priority: 'medium',
    isBanner: false,
    alerts: [alert()],
    ...changes,
  };
}

export const alert = (changes: object = {}): object => ({
  type: 'custom',
  enabled: true,
  description: 'It is at [CONDITION_VALUE]',
  'failure-threshold': 4,
  'success-threshold': 1,
  'send-on-resolved': true,
  ...changes,
});

export interface PackageFiles {
  version?: string;
  endpoints?: EndpointFile[];
  customEndpoints?: object[];
  settings?: object;
  name?: string;
}

export function body({ version = '1.0.0', endpoints = [], customEndpoints = [], settings, name = GETH }: PackageFiles) {
  return {
    manifest: manifest({ name, version }),
    notifications: { endpoints: endpoints.map(endpoint), customEndpoints },
    ...(settings && { settings }),
  };
}

export const register = (bridge: TestBridge, files: PackageFiles): Promise<unknown> =>
  bridge.call('POST', PACKAGES, body(files));

/** Updates like an automatic update: without settings. */
export const update = (bridge: TestBridge, files: PackageFiles): Promise<unknown> =>
  bridge.call('PUT', `${PACKAGES}/${files.name ?? GETH}`, { ...body(files), allowDowngrade: true });

export const remove = (bridge: TestBridge, name = GETH): Promise<unknown> =>
  bridge.call('DELETE', `${PACKAGES}/${name}`);

export const overview = (bridge: TestBridge): Promise<EndpointOverview> => bridge.call('GET', '/api/v1/endpoints');

export const packageOf = (bridge: TestBridge, name = GETH): Promise<EndpointPackage> =>
  bridge.call('GET', `${PACKAGES}/${name}/endpoints`);

export async function endpointOf(bridge: TestBridge, correlationId: string, name = GETH): Promise<Endpoint> {
  const { endpoints } = await packageOf(bridge, name);
  const found = endpoints.find((one) => one.correlationId === correlationId);
  if (found === undefined) {
    throw new Error(`${name} has no endpoint ${correlationId}`);
  }
  return found;
}

export function patch(
  bridge: TestBridge,
  correlationId: string,
  change: unknown,
  { name = GETH, user }: { name?: string; user?: string } = {}
): Promise<Answer> {
  const path = `${PACKAGES}/${name}/endpoints/${encodeURIComponent(correlationId)}`;
  return bridge.request('PATCH', path, change, user === undefined ? {} : fromGrafana(user));
}

/** A notification from a sender of the package. */
export const from = (correlationId: string, more: Payload = {}): Payload => ({ dnpName: GETH, correlationId, ...more });

/** A bridge, stopped after the test. */
export async function withBridge<T>(use: (bridge: TestBridge) => Promise<T>): Promise<T> {
  const bridge = await TestBridge.start();
  try {
    return await use(bridge);
  } finally {
    await bridge.dispose();
  }
}
