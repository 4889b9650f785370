/** A token restricted to one package cannot affect the alerts of another. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';

const API = '/api/v1';
const VICTIM = 'victim.eth';

interface Reply {
  status: number;
  body: { accepted?: number; duplicates?: number };
}
type Send = (path: string, body: unknown, headers?: Record<string, string>) => Promise<Reply>;

let bridge: RunningBridge;
let evil: Send;
let monitor: Send;
/** A redundant monitor: the same package with another token. */
let twin: Send;

const sendWith =
  (token: string): Send =>
  async (path, body, headers) => {
    const response = await fetch(`${bridge.url}${API}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Reply['body'] };
  };

beforeAll(async () => {
  bridge = await runBridge(undefined, { NODEBELL_AUTH: 'token' });
  const admin = sendWith(ADMIN_TOKEN);
  const senderOf = async (name: string, dnpName: string): Promise<Send> => {
    const { status, body } = await admin('tokens', { name, packages: [dnpName] });
    expect(status).toBe(201);
    return sendWith((body as { token: string }).token);
  };
  evil = await senderOf('evil', 'evil.eth');
  monitor = await senderOf('monitor', VICTIM);
  twin = await senderOf('twin', VICTIM);
});
afterAll(() => bridge.stop());

let last = 0;
const fresh = (): string => `fingerprint-${(last += 1)}`;
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

interface AlertOptions {
  fingerprint: string;
  status?: 'firing' | 'resolved';
  startsAt: string;
  endsAt?: string;
  labels?: Record<string, string>;
}
const alertsOf = (...alerts: AlertOptions[]) => ({
  receiver: 'nodebell',
  alerts: alerts.map(({ status = 'firing', endsAt = '0001-01-01T00:00:00Z', labels, ...rest }) => ({
    status,
    labels: { alertname: 'Disk', ...labels },
    annotations: { summary: 'Disk is full' },
    endsAt,
    ...rest,
  })),
});
const victims = async (query = ''): Promise<Notification[]> =>
  (await (
    await bridge.get(`${API}/notifications?dnpName=${VICTIM}&limit=1000&muted=all&errors=all${query}`)
  ).json()) as Notification[];
const threadOf = async (correlationId: string): Promise<Notification[]> =>
  victims(`&correlationId=${encodeURIComponent(correlationId)}`);
const stateOf = async (correlationId: string): Promise<string | undefined> =>
  (await threadOf(correlationId))[0]?.thread.state;

const WEBHOOKS = ['webhooks/alertmanager', 'webhooks/grafana'];

describe.each(WEBHOOKS)('%s', (path) => {
  test("another sender's fingerprint and start: the genuine alert is stored, shown, and resolves", async () => {
    const fingerprint = fresh();
    const startsAt = minutesAgo(10);
    const stolen: AlertOptions[] = [
      { fingerprint, startsAt },
      { fingerprint, startsAt, status: 'resolved', endsAt: minutesAgo(1) },
      { fingerprint, startsAt: '2999-01-01T00:00:00Z' },
    ];
    for (const one of stolen) {
      expect((await evil(path, alertsOf(one))).body).toMatchObject({ accepted: 1 });
    }
    expect((await monitor(path, alertsOf({ fingerprint, startsAt }))).body).toMatchObject({
      accepted: 1,
      duplicates: 0,
    });
    expect(await stateOf(fingerprint)).toBe('open');
    const end: AlertOptions = { fingerprint, startsAt, status: 'resolved', endsAt: minutesAgo(0) };
    expect((await monitor(path, alertsOf(end))).body).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await stateOf(fingerprint)).toBe('resolved');
  });

  test('a start in the year 2999 does not keep a thread open', async () => {
    const fingerprint = fresh();
    await monitor(path, alertsOf({ fingerprint, startsAt: '2999-01-01T00:00:00Z' }));
    expect(await stateOf(fingerprint)).toBe('open');
    const endsAt = new Date(Date.now() + 1000).toISOString();
    await monitor(path, alertsOf({ fingerprint, startsAt: minutesAgo(5), status: 'resolved', endsAt }));
    expect(await stateOf(fingerprint)).toBe('resolved');
  });

  test('with the same token an alert is stored once, whichever monitor is first; with another token it is stored again in the same thread', async () => {
    const fingerprint = fresh();
    const alert = alertsOf({ fingerprint, startsAt: minutesAgo(10) });
    expect((await monitor(path, alert)).body).toMatchObject({ accepted: 1 });
    expect((await monitor(path, alert)).body).toMatchObject({ accepted: 0, duplicates: 1 });
    expect((await twin(path, alert)).body).toMatchObject({ accepted: 1 });
    expect(await threadOf(fingerprint)).toHaveLength(2);
    const row = `${API}/notifications?latest=true&dnpName=${VICTIM}&correlationId=${fingerprint}`;
    expect(await (await bridge.get(row)).json()).toHaveLength(1);
  });
});

test('a flood of others does not make a late resolve close an alert that fires again', async () => {
  const fingerprint = fresh();
  const path = 'webhooks/alertmanager';
  await monitor(path, alertsOf({ fingerprint, startsAt: minutesAgo(30) }));
  await monitor(path, alertsOf({ fingerprint, startsAt: minutesAgo(10) }));
  const flood = Array.from({ length: 12_000 }, (_, index) => ({
    fingerprint: `flood-${index}`,
    startsAt: minutesAgo(5),
  }));
  for (const part of [flood.slice(0, 6000), flood.slice(6000)]) {
    expect((await evil(path, alertsOf(...part))).status).toBe(200);
  }
  const late: AlertOptions = { fingerprint, startsAt: minutesAgo(30), status: 'resolved', endsAt: minutesAgo(20) };
  expect((await monitor(path, alertsOf(late))).body).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await stateOf(fingerprint)).toBe('open');
});

test('an Idempotency-Key used before by another sender', async () => {
  const key = { 'Idempotency-Key': fresh() };
  const payload = { title: 'T', body: 'B' };
  expect((await evil('notifications', payload, key)).status).toBe(201);
  expect((await monitor('notifications', payload, key)).status).toBe(201);
  expect((await monitor('notifications', payload, key)).status).toBe(200);
});

test('a body of Gatus that another sender sent before, in between and after', async () => {
  const correlationId = fresh();
  const body = (status: string) => ({ title: 'API is down', status, correlationId });
  await evil('webhooks/gatus', body('TRIGGERED'));
  expect((await monitor('webhooks/gatus', body('TRIGGERED'))).body).toMatchObject({ accepted: 1 });
  await evil('webhooks/gatus', body('RESOLVED'));
  expect((await monitor('webhooks/gatus', body('TRIGGERED'))).body).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await stateOf(correlationId)).toBe('open');
  expect((await monitor('webhooks/gatus', body('RESOLVED'))).body).toMatchObject({ accepted: 1 });
  expect(await stateOf(correlationId)).toBe('resolved');
});

/** Threads, times and keys of the victim, all known to the attacker. */
const THREADS = ['core-disk', 'core-temperature', 'api_main'];
const STARTED = minutesAgo(60);

const name = fc.constantFrom(VICTIM, 'evil.eth', 'unknown', '', ` ${VICTIM}`, `${VICTIM} `, 'VICTIM.ETH', undefined);
const thread = fc.constantFrom(...THREADS, undefined);
const labels = fc.record(
  { dnpName: name, package: name, correlationId: thread, severity: fc.constantFrom('critical', 'none') },
  { requiredKeys: [] }
);
const without = (object: object): Record<string, string> =>
  Object.fromEntries(Object.entries(object).filter((entry) => entry[1] !== undefined));
const time = fc.constantFrom(
  STARTED,
  minutesAgo(1),
  '2999-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1970-01-01T00:00:00Z'
);
const alert = fc.record({
  fingerprint: fc.constantFrom(...THREADS),
  status: fc.constantFrom('firing' as const, 'resolved' as const),
  startsAt: time,
  endsAt: time,
  labels: labels.map(without),
});
const group = fc.record({
  alerts: fc.array(alert, { maxLength: 3 }),
  more: fc.record({
    truncatedAlerts: fc.constantFrom(0, 5),
    receiver: fc.constantFrom(VICTIM, 'nodebell'),
    groupKey: fc.constantFrom('{}', VICTIM),
    commonLabels: labels.map(without),
  }),
});
const payload = fc.record({
  dnpName: name,
  correlationId: thread,
  status: fc.constantFrom('triggered', 'resolved', undefined),
  errors: fc.constantFrom('not delivered', undefined),
  isBanner: fc.constantFrom(true, undefined),
});
const gatus = fc.record({
  dnpName: name,
  correlationId: thread,
  status: fc.constantFrom('TRIGGERED', 'RESOLVED', 'OK'),
  gatus: fc.constantFrom({ group: 'api', endpoint: 'main' }, undefined),
});
const attack = fc.oneof(
  fc.tuple(fc.constantFrom(...WEBHOOKS), group).map(([path, { alerts, more }]) => ({
    path,
    body: { ...alertsOf(...alerts), ...more },
    key: undefined,
  })),
  fc.tuple(payload, fc.constantFrom('key-of-victim', undefined)).map(([body, key]) => ({
    path: 'notifications',
    body: { title: 'T', body: 'B', ...body },
    key,
  })),
  gatus.map((body) => ({ path: 'webhooks/gatus', body: { title: 'API is down', ...body }, key: undefined }))
);

/** Alerts of the victim at the end of a run: none of them may count as a duplicate. */
async function genuine(): Promise<void> {
  const startsAt = STARTED;
  for (const path of WEBHOOKS) {
    for (const status of ['firing', 'resolved'] as const) {
      const endsAt = status === 'resolved' ? minutesAgo(0) : undefined;
      const bodies = THREADS.slice(0, 2).map((fingerprint) => ({ fingerprint, startsAt, status, endsAt }));
      expect((await monitor(path, alertsOf(...bodies))).body).toMatchObject({ accepted: 2, duplicates: 0 });
    }
  }
  const key = { 'Idempotency-Key': 'key-of-victim' };
  expect((await monitor('notifications', { title: 'T', body: 'B' }, key)).status).toBe(201);
  const body = { title: 'API is down', status: 'RESOLVED', correlationId: 'api_main' };
  expect((await monitor('webhooks/gatus', body)).body).toMatchObject({ accepted: 1 });
}

test('whatever the attacker sends, the other package is unchanged, and nothing counts as a duplicate', async () => {
  for (const correlationId of THREADS) {
    await monitor('notifications', { title: 'Seed', body: 'B', status: 'triggered', correlationId, isBanner: true });
  }
  const before = await victims();
  expect(before.filter(({ title }) => title === 'Seed').map(({ thread }) => thread.state)).toEqual([
    'open',
    'open',
    'open',
  ]);
  let stored = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(attack, { minLength: 1, maxLength: 6 }), async (attacks) => {
      for (const { path, body, key } of attacks) {
        const { status } = await evil(path, body, key === undefined ? {} : { 'Idempotency-Key': key });
        expect([200, 201, 400, 403, 409]).toContain(status);
        stored += status < 300 ? 1 : 0;
      }
      expect(await victims()).toEqual(before);
    }),
    { numRuns: 60 }
  );
  expect(stored).toBeGreaterThan(50);
  await genuine();
  expect(bridge.ended).toBeNull();
});
