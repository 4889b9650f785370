/** Two bridges on one PostgreSQL database: whatever is done at one is true at the other. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { ChainNode, Chains } from '../../backend-bridge/contract/chain.ts';
import type { Provisioning } from '../../backend-bridge/contract/provisioning.ts';
import type { RetentionStatus } from '../../backend-bridge/contract/retention.ts';
import type { Token } from '../../backend-bridge/contract/token.ts';
import { GATUS_BODY } from '../../backend-bridge/contract/gatusWebhook.ts';
import { fillAsGatus } from '../../backend-bridge/src/intake/webhooks/gatusFill.testing.ts';
import { folderWith, FakeNode, NODE } from './chains.testing.ts';
import { PACKAGES } from './packages.testing.ts';
import { Folder, manifest } from './provisioning.testing.ts';
import {
  eventually,
  listen,
  type Replicas,
  replicasOfTest,
  roleOf,
  startReplicas,
  stopReplicas,
} from './replicas.testing.ts';
import { NOTIFICATIONS, type TestBridge } from './support.ts';
import { endpointOf, overview, patch, PEERS, register } from './thresholds.testing.ts';

const TOKENS = '/api/v1/tokens';

let replicas: Replicas;
let leader: TestBridge;
let follower: TestBridge;
beforeAll(async () => {
  replicas = await startReplicas();
  ({ leader, follower } = replicas);
});
afterAll(() => stopReplicas(replicas));

test('one leads, and both know which', async () => {
  const [ofLeader, ofFollower] = [await roleOf(leader), await roleOf(follower)];
  expect([ofLeader?.leads, ofFollower?.leads]).toEqual([true, false]);
  expect(ofFollower?.leader).toEqual(ofLeader?.leader);
  expect(ofFollower?.leader?.name).toMatch(/./);
});

describe('senders', () => {
  test('the same Idempotency-Key at both at once is stored once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const title = `once ${round}`;
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? leader : follower).post({ title }, { 'Idempotency-Key': `key-${round}` })
        )
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    }
  });

  test('an alert that two Grafanas repeat at both is stored once', async () => {
    const alert = {
      status: 'firing',
      labels: { alertname: 'Disk', instance: 'a' },
      annotations: { summary: 'Disk of a' },
      startsAt: leader.clock.iso,
      endsAt: '0001-01-01T00:00:00Z',
      fingerprint: 'c0ffee0000000001',
    };
    const body = { status: 'firing', alerts: [alert], receiver: 'r', groupLabels: {}, commonLabels: {} };
    await Promise.all(
      [leader, follower, leader, follower].map((one) => one.call('POST', '/api/v1/webhooks/grafana', body))
    );
    expect(await follower.list('q=Disk')).toHaveLength(1);
  });

  test('a retry of Gatus at the other replica is stored once', async () => {
    const heard = [];
    for (const one of [leader, follower]) {
      const body = fillAsGatus(GATUS_BODY, { name: 'retried at another' });
      const answer = await fetch(`${one.url}/api/v1/webhooks/gatus`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      heard.push(await answer.json());
    }
    expect(heard).toMatchObject([
      { accepted: 1, duplicates: 0 },
      { accepted: 0, duplicates: 1 },
    ]);
  });

  test('a token works at the other replica at once, and stops working there when it is revoked', async () => {
    const { token, id } = await leader.call('POST', TOKENS, { name: 'job' });
    const headers = { Authorization: `Bearer ${token}` };
    expect((await follower.post({}, headers)).status).toBe(201);
    await leader.call('DELETE', `${TOKENS}/${id}`);
    await eventually(async () => expect((await follower.post({}, headers)).status).toBe(403), 1000);
    const listed = async (bridge: TestBridge) =>
      (await bridge.call<Token[]>('GET', TOKENS)).map(({ id: one, revokedAt }) => [one, revokedAt]);
    expect(await listed(follower)).toEqual(await listed(leader));
  });
});

describe('changes', () => {
  test('a category that is switched off at one is muted at the other', async () => {
    await follower.switchCategory('noise', false);
    await leader.send({ title: 'muted', category: 'noise' });
    expect(await follower.list('category=noise')).toEqual([]);
    expect(await follower.list('category=noise&muted=true')).toHaveLength(1);
  });

  test('a deletion at one is undone at the other', async () => {
    const { id } = await leader.send({ title: 'kept after all' });
    const undo = await leader.remove(id);
    expect((await follower.restore(undo)).body).toMatchObject({ restored: 1 });
    expect(await leader.list('q=kept')).toHaveLength(1);
  });

  test('a package that is registered at one is known to the other', async () => {
    await follower.call('POST', PACKAGES, { manifest: manifest('shared.example.eth') });
    expect(await leader.call('GET', `${PACKAGES}/shared.example.eth`)).toMatchObject({ version: '1.0.0' });
    await leader.call('DELETE', `${PACKAGES}/shared.example.eth`);
    expect((await follower.request('GET', `${PACKAGES}/shared.example.eth`)).status).toBe(404);
  });
});

describe('what the leader does', () => {
  test('a slider that is moved at a follower reaches the monitor, and the follower shows it', async () => {
    const folder = temporaryFolder();
    const gatusConfig = path.join(folder, 'gatus.yaml');
    const both = await replicasOfTest({ monitors: { gatusConfig } });
    await register(both.follower, { endpoints: [PEERS] });
    const listener = await listen(both.follower);
    await patch(both.follower, PEERS.correlationId, { threshold: 17 });
    // When it is set, and when it is synced: then the follower has the result.
    await listener.until((heard) => heard.type === 'settings' && heard.data.dnpName === undefined);
    await eventually(async () => expect(await readFile(gatusConfig, 'utf8')).toContain('[BODY].result >= 17'));
    await eventually(async () =>
      expect((await endpointOf(both.follower, PEERS.correlationId)).effects).toMatchObject([
        { monitor: 'gatus', state: 'applied' },
      ])
    );
    expect(await overview(both.follower)).toEqual(await overview(both.leader));
  });

  test('states of nodes that the leader polls are shown by the follower, and sent to its pages', async () => {
    const node = await FakeNode.start();
    const folder = await folderWith(node);
    const both = await replicasOfTest({ provisioning: { dir: folder.dir, env: {} } });
    const listener = await listen(both.follower);
    const nodesOf = async (bridge: TestBridge) => (await bridge.call<Chains>('GET', '/api/v1/chains')).nodes;
    await eventually(async () =>
      expect(await nodesOf(both.follower)).toMatchObject([{ dnpName: NODE, state: 'synced' }])
    );
    node.said = { ...node.said, syncing: { currentBlock: '0x10', highestBlock: '0x1000', startingBlock: '0x0' } };
    await listener.until(
      ({ type, data }) => type === 'chain' && (data.nodes as ChainNode[]).some(({ state }) => state === 'syncing')
    );
    await both.follower.call('DELETE', `${PACKAGES}/${NODE}`).catch(() => undefined);
    expect((await nodesOf(both.follower)).map(({ dnpName }) => dnpName)).toEqual([NODE]);
  });

  test('provisioning files are applied once, and the follower shows the result', async () => {
    const folder = await Folder.make({
      'good.yaml': 'apiVersion: 1\ncategories: { quiet: false }\n',
      'bad.yaml': 'apiVersion: 1\ncategories: 7\n',
    });
    const both = await replicasOfTest({ provisioning: { dir: folder.dir, env: {} } });
    const status = (bridge: TestBridge) => bridge.call<Provisioning>('GET', '/api/v1/provisioning');
    await eventually(async () => {
      const found = await status(both.follower);
      expect(found.files.map(({ file, state }) => [file, state])).toEqual([
        ['bad.yaml', 'failed'],
        ['good.yaml', 'applied'],
      ]);
      expect(found).toEqual(await status(both.leader));
    });
    expect((await both.follower.request('PUT', '/api/v1/categories/quiet', { enabled: true })).status).toBe(409);
  });
});

test('what retention has removed is shown by all replicas', async () => {
  const both = await replicasOfTest();
  await both.follower.sendAll([{}, {}, {}]);
  await both.follower.call('PUT', '/api/v1/retention', { maxNotifications: 1 });
  const removed = (bridge: TestBridge) => bridge.call<RetentionStatus>('GET', '/api/v1/retention');
  await eventually(async () => expect(await removed(both.follower)).toMatchObject({ removed: 2, notifications: 1 }));
  const { lastRemovedAt } = await removed(both.leader);
  expect(await removed(both.follower)).toMatchObject({ removed: 2, lastRemovedAt });
});

test('readers have one read state at all replicas', async () => {
  const { id } = await leader.send({ title: 'seen at one' });
  await leader.call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: true });
  expect((await follower.list('q=seen'))[0]).toMatchObject({ id, seen: true });
});
