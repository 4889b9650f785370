/** One sender claims the names of another: its node, its package, the name of the bridge itself, its keys. */
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { Notification, NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';

const API = '/api/v1';
const PACKAGE = 'shared.eth';
const PROVISIONED = 'the-token-of-the-provisioned-site';

interface Reply<T> {
  status: number;
  body: T;
}
type Send = <T = Notification & { notes?: string[] }>(
  path: string,
  body: unknown,
  headers?: Record<string, string>
) => Promise<Reply<T>>;

let bridge: RunningBridge;
const dir = temporaryFolder(afterAll);

const sendWith =
  (token?: string): Send =>
  async <T>(to: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${bridge.url}${API}/${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as T };
  };
const admin = sendWith(ADMIN_TOKEN);
const tokenOf = async (body: object): Promise<Send> => {
  const made = await admin<{ token: string }>('tokens', body);
  expect(made.status).toBe(201);
  return sendWith(made.body.token);
};
const detailOf = async (id: number): Promise<NotificationDetail> =>
  (await (await bridge.get(`${API}/notifications/${id}`)).json()) as NotificationDetail;
const stateOf = async (id: number): Promise<string> => (await detailOf(id)).thread.state;

let last = 0;
const fresh = (): string => `alert-${(last += 1)}`;
const alert = (more: object = {}) => ({
  title: 'Disk full',
  body: 'B',
  dnpName: PACKAGE,
  status: 'triggered',
  ...more,
});

const resolvedAlert = (labels: object) => ({
  status: 'resolved',
  alerts: [{ status: 'resolved', labels: { alertname: 'A', ...labels }, annotations: {}, fingerprint: fresh() }],
});

const senders: Record<string, Send> = { 'no token': sendWith() };
beforeAll(async () => {
  writeFileSync(
    path.join(dir, 'sites.yaml'),
    `apiVersion: 1\nsenders:\n  - { name: site4, token: ${PROVISIONED}, node: site4 }\n`
  );
  bridge = await runBridge(undefined, { NODEBELL_AUTH: 'sender-open', NODEBELL_PROVISIONING_DIR: dir });
  senders['a token bound to a package'] = await tokenOf({ name: 'package', packages: [PACKAGE] });
  senders['a token bound to another node'] = await tokenOf({ name: 'site1', node: 'site1' });
  senders['a token without bounds'] = await tokenOf({ name: 'any' });
  senders['site2'] = await tokenOf({ name: 'site2', node: 'site2' });
  senders['site4'] = sendWith(PROVISIONED);
});
afterAll(async () => {
  await bridge.stop();
});

const STRANGERS = ['no token', 'a token bound to a package', 'a token bound to another node', 'a token without bounds'];

describe.each(STRANGERS)('%s', (stranger) => {
  const attack = (...args: Parameters<Send>) => senders[stranger]!(...args);

  test.each(['site2', 'site4'])('does not resolve a thread of %s', async (node) => {
    const correlationId = fresh();
    const { body: genuine } = await senders[node]!('notifications', alert({ correlationId }));
    expect(genuine).toMatchObject({ node, thread: { state: 'open' } });
    const claim = alert({ correlationId, node, status: 'resolved' });
    const sent = await attack('notifications', claim);
    expect(sent.status).toBe(201);
    expect(sent.body.node).not.toBe(node);
    expect(await stateOf(genuine.id)).toBe('open');
    const batch = await attack('notifications/batch', { notifications: [{ ...claim, idempotencyKey: fresh() }] });
    expect(batch).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect(await stateOf(genuine.id)).toBe('open');
  });

  test('does not resolve a thread of a node behind another', async () => {
    const correlationId = fresh();
    const { body: genuine } = await senders.site2!('notifications', alert({ correlationId, node: 'x/shed' }));
    expect(genuine.node).toBe('site2/shed');
    await attack('notifications', alert({ correlationId, node: 'site2/shed', status: 'resolved' }));
    expect(await stateOf(genuine.id)).toBe('open');
  });

  test('does not resolve an alert of the bridge itself', async () => {
    const own = { dnpName: 'nodebell', correlationId: `heartbeat-${fresh()}` };
    const { body: genuine } = await admin('notifications', alert(own));
    expect(genuine).toMatchObject({ dnpName: 'nodebell', thread: { state: 'open' } });
    // 403: the token is limited to packages.
    const { status } = await attack('notifications', alert({ ...own, status: 'resolved' }));
    expect([201, 403]).toContain(status);
    const webhook = await attack('webhooks/alertmanager', resolvedAlert(own));
    expect([200, 403]).toContain(webhook.status);
    expect(await stateOf(genuine.id)).toBe('open');
  });
});

test('no token does not resolve a thread of the package of a token', async () => {
  const owner = await tokenOf({ name: 'owner', packages: ['owned.eth'] });
  const names = { dnpName: 'owned.eth', correlationId: fresh() };
  const { body: genuine } = await owner('notifications', alert(names));
  expect(await senders['no token']!('notifications', alert({ ...names, status: 'resolved' }))).toMatchObject({
    status: 201,
    body: { dnpName: 'unknown' },
  });
  const webhook = await senders['no token']!('webhooks/alertmanager', resolvedAlert(names));
  expect(webhook).toMatchObject({ status: 200, body: { accepted: 1 } });
  expect(await stateOf(genuine.id)).toBe('open');
  await senders['a token without bounds']!('notifications', alert({ ...names, status: 'resolved' }));
  expect(await stateOf(genuine.id)).toBe('resolved');
});

test('a thread that looks like one of a package does not take its alerts', async () => {
  const dnpName = 'late.eth';
  const correlationId = fresh();
  await senders['no token']!(
    'notifications',
    alert({ dnpName: undefined, correlationId: `${dnpName}/${correlationId}` })
  );
  const owner = await tokenOf({ name: 'late', packages: [dnpName] });
  const { body } = await owner('notifications', alert({ dnpName, correlationId }));
  expect(body).toMatchObject({ dnpName, correlationId });
});

test('what is ignored is reported, in the response and in the inbox', async () => {
  const claim = alert({ node: 'site2', dnpName: 'nodebell', correlationId: fresh() });
  const { body } = await senders['no token']!('notifications', claim);
  expect(body).not.toHaveProperty('node');
  expect(body.dnpName).toBe('unknown');
  expect(body.notes).toEqual([
    '"dnpName" "nodebell" is stored as "unknown": it is the name of the bridge; "node" "site2" is stored without a node: it belongs to another sender',
  ]);
  expect((await detailOf(body.id)).ignored).toMatchObject([{ pointer: '/dnpName' }, { pointer: '/node' }]);
});

test('the admin token may send under each name', async () => {
  const correlationId = fresh();
  const { body } = await senders.site2!('notifications', alert({ correlationId }));
  await admin('notifications', alert({ correlationId, node: 'site2', status: 'resolved' }));
  expect(await stateOf(body.id)).toBe('resolved');
});

test('one sender does not use up the names of nodes', async () => {
  const greedy = await tokenOf({ name: 'greedy', packages: ['greedy.eth'] });
  const count = LIMITS.nodes.value + 10;
  const nodes: (string | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body } = await greedy('notifications', { title: 't', body: 'b', node: `made-up-${index}` });
    nodes.push(body.node);
  }
  expect(nodes.filter((node) => node !== undefined)).toHaveLength(LIMITS.newNodesPerDay.value);
  const honest = await senders['a token without bounds']!('notifications', alert({ node: 'new-site' }));
  expect(honest.body.node).toBe('new-site');
});

test('names of tokens do not count as new ones, also where there are no more', async () => {
  for (let index = 0; index * LIMITS.newNodesPerDay.value < LIMITS.nodes.value; index += 1) {
    const many = await tokenOf({ name: `many-${index}` });
    const notifications = Array.from({ length: LIMITS.newNodesPerDay.value }, (_, at) =>
      alert({ node: `full-${index}-${at}`, correlationId: fresh(), idempotencyKey: fresh() })
    );
    await many('notifications/batch', { notifications });
  }
  const { body } = await senders['a token without bounds']!('notifications', alert({ node: 'one-too-many' }));
  expect(body).not.toHaveProperty('node');
  const site3 = await tokenOf({ name: 'site3', node: 'site3' });
  expect((await site3('notifications', alert())).body.node).toBe('site3');
});

describe('an Idempotency-Key', () => {
  /** From another address of the loopback network. */
  const sendFrom = (localAddress: string, key: string, payload: object): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(bridge.url);
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      request({ hostname, port, localAddress, path: `${API}/notifications`, method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end(JSON.stringify(payload));
    });

  test('of another address does not reject an alert', async () => {
    const key = fresh();
    expect(await sendFrom('127.0.0.2', key, alert({ title: 'taken' }))).toBe(201);
    expect(await sendFrom('127.0.0.1', key, alert({ priority: 'critical' }))).toBe(201);
    expect(await sendFrom('127.0.0.1', key, alert({ priority: 'critical' }))).toBe(200);
    expect(await sendFrom('127.0.0.2', key, alert({ title: 'other' }))).toBe(409);
  });
});
