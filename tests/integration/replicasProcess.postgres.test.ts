/** Replicas that start at once, die, hang and are restarted, in processes of their own. */
import { describe, expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { Notification, NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { eventually, TAKEOVER_MS } from './replicas.testing.ts';
import { ReplicaProcess, sendUntil, startBalancer, storedTitles } from './replicasProcess.testing.ts';

const SENDERS = 8;

/** Two processes, started at once on an empty database. @param provisioned content of a file for both */
async function start(provisioned?: string): Promise<ReplicaProcess[]> {
  const folder = temporaryFolder();
  const url = await testAddress(folder);
  const env: Record<string, string> = {};
  if (provisioned !== undefined) {
    writeFileSync(path.join(folder, 'all.yaml'), `apiVersion: 1\n${provisioned}`);
    env.NODEBELL_PROVISIONING_DIR = folder;
  }
  return Promise.all([new ReplicaProcess(url, env).start(), new ReplicaProcess(url, env).start()]);
}

/** The one that leads first. */
async function byRole(replicas: ReplicaProcess[]): Promise<[leader: ReplicaProcess, follower: ReplicaProcess]> {
  return eventually(async () => {
    const [first, second] = replicas as [ReplicaProcess, ReplicaProcess];
    const leads = [await first.leads(), await second.leads()];
    expect(leads.filter(Boolean)).toHaveLength(1);
    return leads[0] ? [first, second] : [second, first];
  }, TAKEOVER_MS);
}

const untilLeading = (replica: ReplicaProcess): Promise<void> =>
  eventually(async () => expect(await replica.leads()).toBe(true), TAKEOVER_MS);

test('when the leader is killed, the other leads', async () => {
  const [leader, follower] = await byRole(await start());
  await leader.stop('SIGKILL');
  await untilLeading(follower);
  await leader.start();
  expect(await leader.leads()).toBe(false);
});

test('when the leader hangs, the other leads, and the one that wakes up follows', async () => {
  const [leader, follower] = await byRole(await start());
  leader.signal('SIGSTOP');
  await untilLeading(follower);
  leader.signal('SIGCONT');
  await eventually(async () => expect([await leader.leads(), await follower.leads()]).toEqual([false, true]));
});

describe('snoozes that end while the leader', () => {
  /** @param ms longer on a machine too slow to respond within it */
  async function snooze(replica: ReplicaProcess, ids: number[], ms = 2000): Promise<void> {
    const until = new Date(Date.now() + ms).toISOString();
    const status = await replica.send('PUT', '/api/v1/notifications/snooze', { ids, until, for: 'all' });
    if (status === 400) {
      await snooze(replica, ids, 2 * ms);
    } else {
      expect(status).toBe(200);
    }
  }

  const kinds = async (replica: ReplicaProcess, id: number): Promise<string[]> => {
    const { timeline = [] } = await replica.get<NotificationDetail>(`/api/v1/notifications/${id}`);
    return timeline.map(({ kind }) => kind);
  };
  const shown = async (replica: ReplicaProcess): Promise<number[]> =>
    (await replica.get<Notification[]>('/api/v1/notifications?latest=true')).map(({ id }) => id);

  test.each([
    [
      'is killed',
      (leader: ReplicaProcess) => leader.stop('SIGKILL'),
      async (leader: ReplicaProcess) => void (await leader.start()),
    ],
    [
      'hangs',
      (leader: ReplicaProcess) => Promise.resolve(leader.signal('SIGSTOP')),
      (leader: ReplicaProcess) => Promise.resolve(leader.signal('SIGCONT')),
    ],
  ])('%s: each thread comes back once', async (_, fail, recover) => {
    const [leader, follower] = await byRole(await start());
    for (let number = 0; number < 40; number += 1) {
      const correlationId = `thread ${number}`;
      const body = { title: 'Disk full', body: 'x', correlationId, status: 'triggered' };
      expect(await follower.send('POST', '/api/v1/notifications', body)).toBe(201);
    }
    const ids = await shown(follower);
    expect(ids).toHaveLength(40);
    for (let first = 0; first < ids.length; first += 10) {
      await snooze(follower, ids.slice(first, first + 10));
    }
    await eventually(async () => expect((await shown(follower)).length).toBeGreaterThan(0));
    await fail(leader);
    await eventually(async () => expect(await shown(follower)).toHaveLength(40));
    await untilLeading(follower);
    await recover(leader);
    await eventually(async () => expect(await leader.leads()).toBe(false));
    expect(new Set((await Promise.all(ids.map((id) => kinds(leader, id)))).map(String))).toEqual(
      new Set(['snoozed,woken'])
    );
    expect((await leader.get<{ unseenCount: number }>('/api/v1/notifications/unseen')).unseenCount).toBe(40);
  });
});

test(
  'when the leader is killed that sends over a channel, the other sends what waits',
  { timeout: 300_000 },
  async () => {
    const hook = await startHook();
    onTestFinished(() => hook.close());
    const channels = `channels: [{ name: hook, type: webhook, url: '${hook.url}' }]\nroutes: [{ channels: [hook] }]\n`;
    const replicas = await start(channels);
    const url = await startBalancer(replicas);
    let isOver = false;
    const sending = sendUntil(url, 'sender', () => isOver);
    const delivered = (): string[] => hook.accepted.map(({ json }) => String(json.title));
    const untilMore = async (count: number): Promise<void> => {
      const before = delivered().length;
      await eventually(() => expect(delivered().length).toBeGreaterThanOrEqual(before + count));
    };
    const kills = 2;
    for (let kill = 0; kill < kills; kill += 1) {
      const [leader, follower] = await byRole(replicas);
      await untilMore(20);
      await leader.stop('SIGKILL');
      await untilLeading(follower);
      await untilMore(1);
      await leader.start();
    }
    isOver = true;
    const acknowledged = await sending;
    await eventually(() => expect(new Set(delivered()).size).toBe(acknowledged.length), 120_000);
    expect([...new Set(delivered())].sort()).toEqual(acknowledged.toSorted());
    // One message is under way at a time: a kill can fall between sending and noting it once.
    expect(delivered().length - acknowledged.length).toBeLessThanOrEqual(kills);
    const keys = new Set(hook.accepted.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(acknowledged.length);
  }
);

test('a rolling restart under load loses and doubles nothing', async () => {
  const replicas = await start();
  const url = await startBalancer(replicas);
  let isOver = false;
  const sending = Array.from({ length: SENDERS }, (_, sender) => sendUntil(url, `sender${sender}`, () => isOver));
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const replica of replicas) {
      const before = (await storedTitles(replica)).length;
      await eventually(async () => expect((await storedTitles(replica)).length).toBeGreaterThan(before));
      await replica.stop(signal);
      await replica.start();
    }
  }
  isOver = true;
  const acknowledged = (await Promise.all(sending)).flat();
  for (const replica of replicas) {
    expect((await storedTitles(replica)).sort()).toEqual(acknowledged.toSorted());
  }
});
