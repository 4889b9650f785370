/** Web push of two bridges on one PostgreSQL database. */
import { expect, onTestFinished, test } from 'vitest';
import type { PushKey } from '../../backend-bridge/contract/push.ts';
import { PushService } from '../../backend-bridge/src/delivery/push/pushService.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { eventually, replicasOfTest } from './replicas.testing.ts';
import type { TestBridge } from './support.ts';

test('a device that subscribes at a follower is reached by the leader; keys that are replaced at one are those of both', async () => {
  const service = await PushService.start();
  onTestFinished(() => service.close());
  const folder = await Folder.make({
    'push.yaml': "apiVersion: 1\nchannels: [{ name: browsers, type: webpush, subject: 'mailto:a@example.org' }]\n",
  });
  const both = await replicasOfTest({ provisioning: { dir: folder.dir, env: {} }, outboundAllow: ['127.0.0.1'] });
  const asAnna = async <T>(bridge: TestBridge, method: string, route: string, body?: object): Promise<T> => {
    const person = fromGrafana('anna', { OrgRole: 'Viewer' });
    const { status, body: response } = await bridge.request<T>(method, `/api/v1/push/${route}`, body, person);
    expect(status, JSON.stringify(response)).toBeLessThan(300);
    return response;
  };
  const keyAt = (bridge: TestBridge) => asAnna<PushKey>(bridge, 'GET', 'key');
  const subscribe = async (token: string): Promise<void> => {
    const { publicKey } = await keyAt(both.follower);
    const subscription = await service.subscribe(token, publicKey!);
    await asAnna(both.follower, 'POST', 'devices', { ...subscription, key: publicKey, name: token });
  };
  // Routes reach the follower when the leader has applied the file.
  await eventually(async () => expect((await keyAt(both.follower)).publicKey).toMatch(/./));
  expect(await keyAt(both.leader)).toEqual(await keyAt(both.follower));
  await subscribe('phone');
  const titles = (): unknown[] => service.accepted.map(({ payload }) => 'title' in payload && payload.title);
  for (const bridge of [both.follower, both.leader]) {
    const title = bridge === both.leader ? 'at the leader' : 'at the follower';
    // The leader learns of the device by an event.
    await eventually(async () => {
      await bridge.send({ title, priority: 'critical' });
      expect(titles()).toContain(`Critical: ${title}`);
    });
  }
  await both.follower.call('POST', '/api/v1/push/key');
  expect(await asAnna(both.leader, 'GET', 'devices')).toEqual({ devices: [] });
  expect(await keyAt(both.leader)).toEqual(await keyAt(both.follower));
  await subscribe('new');
  await eventually(async () => {
    await both.leader.send({ title: 'with new keys', priority: 'critical' });
    expect(service.accepted.filter(({ token }) => token === 'new')).not.toEqual([]);
  });
});
