import { PUSH } from '@nodebell/contract/api/push.ts';
import type { NewDevice } from '@nodebell/contract/push.ts';
import { addDevice } from '../api/push';
import { call } from '../api/client';
import { deviceName } from './deviceName';
import { ownSubscription } from './subscription';

const CONFIRMED = 'nodebell-notifications-app.push.confirmed';
const CONFIRM_EVERY_MS = 86_400_000;

/** Once a day: the bridge removes devices on which nobody opens Grafana. One that was removed there stays removed. */
export async function confirmDevice(): Promise<void> {
  const own = await ownSubscription();
  if (!own || Date.now() - Number(localStorage.getItem(CONFIRMED)) < CONFIRM_EVERY_MS) {
    return;
  }
  const { devices } = await call(PUSH.listDevices, {});
  if (devices.some(({ fingerprint }) => fingerprint === own.fingerprint)) {
    const { endpoint, keys } = own.subscription.toJSON() as Pick<NewDevice, 'endpoint' | 'keys'>;
    await addDevice({ endpoint, keys, key: own.key, name: deviceName(navigator) });
  }
  localStorage.setItem(CONFIRMED, String(Date.now()));
}
