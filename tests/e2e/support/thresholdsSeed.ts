/** Packages whose thresholds show what there is to show: one that was set, one that the package has changed since, one without a number. */
import { CPU, notificationsOf, SYNCED } from './endpoints.ts';
import { aManifest } from './packages.ts';

type Call = (method: string, path: string, body: unknown) => Promise<unknown>;

const DMS = 'dms.dnp.dappnode.eth';
const GETH = 'geth.dnp.dappnode.eth';

const cpu = { ...CPU, description: 'Notifies when CPU usage is above the limit for five minutes.' };
const memory = {
  ...CPU,
  id: 'dms-memory',
  title: 'Memory usage',
  condition: '[BODY].memory <= 90',
  description: 'Notifies when memory usage is above the limit.',
};
const temperature = {
  ...CPU,
  id: 'dms-temperature',
  title: 'Node temperature',
  condition: '[BODY].celsius <= 85',
  description: 'Notifies when the average temperature of the node is above the limit.',
  metric: { min: 25, max: 100, unit: '°C' },
};
const synced = {
  ...SYNCED,
  id: 'geth-synced',
  title: 'Mainnet node synced',
  description: 'Notifies when the node falls behind, and again when it has caught up.',
};
const peers = {
  ...CPU,
  id: 'geth-peers',
  title: 'Mainnet peer count',
  category: 'ethereum',
  condition: '[BODY].result >= 10',
  description: 'Notifies when the node has had fewer peers for five minutes.',
  metric: { min: 0, max: 50, unit: 'peers' },
};

const dms = (version: string, limit: number) => ({
  manifest: aManifest({ name: DMS, version }),
  notifications: notificationsOf(cpu, { ...memory, condition: `[BODY].memory <= ${limit}` }, temperature),
});

/** @param call sends a request to the bridge, as an admin; paths are below `/api/v1` */
export async function seedThresholds(call: Call): Promise<void> {
  await call('POST', '/packages', dms('0.1.0', 90));
  await call('PATCH', `/packages/${DMS}/endpoints/dms-memory`, { threshold: 80 });
  await call('PATCH', `/packages/${DMS}/endpoints/dms-temperature`, { threshold: 82.5 });
  await call('PUT', `/packages/${DMS}`, dms('0.2.0', 85));
  await call('POST', '/packages', {
    manifest: aManifest({ name: GETH }),
    notifications: notificationsOf(synced, peers),
  });
}
