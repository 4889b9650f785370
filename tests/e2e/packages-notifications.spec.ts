import type { EndpointPackage } from '../../backend-bridge/contract/endpoint.ts';
import { expectAccessible } from './support/axe.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Packages } from './views/packages.ts';

test('the notifications tab lists a thread once and mutes a package without endpoints', async ({ page, bridge }) => {
  await register(bridge, { name: 'quiet.dnp.dappnode.eth' });
  for (const title of ['Disk at 90 %', 'Disk at 95 %']) {
    const payload = { title, body: title, dnpName: 'quiet.dnp.dappnode.eth', correlationId: 'disk' };
    await bridge.call('POST', '/api/v1/notifications', payload);
  }
  const packages = new Packages(page);
  await packages.openPackage('quiet.dnp.dappnode.eth');
  await packages.tab('Notifications').click();
  const recent = page.getByRole('region', { name: 'Recent notifications' });
  await expect(recent.getByRole('listitem')).toHaveText([/Disk at 95 %/]);
  const mute = page.getByRole('switch', { name: 'Notifications from quiet.dnp.dappnode.eth' });
  await mute.setChecked(false, { force: true });
  await expect(mute).not.toBeChecked();
  await expectAccessible(page);
  const isOn = async () =>
    (await bridge.call<EndpointPackage>('GET', '/api/v1/packages/quiet.dnp.dappnode.eth/endpoints')).enabled.value;
  await expect.poll(isOn).toBe(false);
});
