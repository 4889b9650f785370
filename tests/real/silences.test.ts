/** Silences in a real Alertmanager, through a server that passes on what Grafana passes on for a data source. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { Matcher } from '../../backend-bridge/contract/matchers.ts';
import { matchersOf, type Silences } from '../../backend-bridge/contract/silence.ts';
import { FakeAlertmanager } from '../../backend-bridge/src/monitoring/silences/fakeAlertmanager.testing.ts';
import { NOTIFICATIONS, TestBridge } from '../integration/support.ts';
import type { Child } from './support/child.ts';
import { startAlertmanager } from './support/monitors.ts';
import { findPrograms } from './support/programs.ts';
import { until } from './support/until.ts';

const HOUR = 3_600_000;
const LABELS = { alertname: 'Down', instance: 'a:9100', path: 'C:\\ "x"' };

const dir = temporaryFolder(afterAll);
let bridge: TestBridge;
let alertmanager: Child;
const grafana = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    void pass(req.method!, req.url!, Buffer.concat(chunks).toString()).then(([status, body]) =>
      res.writeHead(status).end(JSON.stringify(body))
    );
  });
});

async function pass(method: string, url: string, body: string): Promise<[number, unknown]> {
  const inner = url.replace('/api/alertmanager/am1', '');
  return inner === url ? new FakeAlertmanager().request(method, url, body) : sendTo(method, inner, body);
}

/** Sends a request to the Alertmanager itself. */
async function sendTo(method: string, url: string, body = ''): Promise<[number, unknown]> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(alertmanager.url + url, { method, headers, ...(body !== '' && { body }) });
  // Grafana wraps the text of an error.
  return response.ok
    ? [response.status, JSON.parse((await response.text()) || 'null')]
    : [response.status, { message: await response.text() }];
}

beforeAll(async () => {
  await new Promise<void>((resolve) => void grafana.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(grafana.address() as AddressInfo).port}`;
  bridge = await TestBridge.start({ monitors: { grafana: { url, token: undefined, datasource: undefined } } });
  bridge.clock.now = Date.now();
  const webhook = `${bridge.url}/api/v1/webhooks/alertmanager`;
  alertmanager = await startAlertmanager(findPrograms()['prometheus-alertmanager'], dir, webhook);
});
afterAll(async () => {
  await bridge.dispose();
  await alertmanager.stop();
  grafana.closeAllConnections();
  await new Promise((resolve) => grafana.close(resolve));
});

const inAnHour = (hours = 1) => new Date(Date.now() + hours * HOUR).toISOString();
async function listed(): Promise<Silences['silences']> {
  // Past what is cached.
  bridge.clock.now += 60_000;
  return (await bridge.call<Silences>('GET', '/api/v1/silences')).silences;
}

it('counts, creates, lists, extends and ends silences, and shows those of others', async () => {
  const fired = await sendTo('POST', '/api/v2/alerts', JSON.stringify([{ labels: LABELS }]));
  expect(fired[0]).toBe(200);
  const row = await until<Notification>('the alert arrives', async () => {
    const [found] = await bridge.list();
    expect(found).toBeDefined();
    return found!;
  });
  const route = `${NOTIFICATIONS}/${row.id}/silences`;
  const count = async (matchers: Matcher[]) =>
    (await bridge.call<{ alerts: number }>('POST', `${route}/preview`, { alertmanager: 'am1', matchers })).alerts;
  const matchers = matchersOf({ labels: LABELS });
  const [name, instance] = matchers as [Matcher, Matcher];
  expect(await count(matchers)).toBe(1);
  expect(await count([name, { ...instance, value: 'a:.*|b', isRegex: true }])).toBe(1);
  expect(await count([name, { ...instance, isEqual: false }])).toBe(0);

  const wanted = { alertmanager: 'am1', matchers, until: inAnHour(2), comment: 'Upgrade' };
  const { id } = await bridge.call<{ id: string }>('POST', route, wanted);
  const shown = { id, alertmanager: 'am1', by: 'admin', comment: 'Upgrade', until: wanted.until, matchers };
  const covers = { alerts: [{ correlationId: row.correlationId }] };
  const sorted = (one: Matcher[]) => one.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [created] = await listed();
  expect({ ...created!, matchers: sorted(created!.matchers) }).toMatchObject({
    ...shown,
    ...covers,
    matchers: sorted(matchers),
  });

  const longer = await bridge.call<{ id: string }>('POST', route, { ...wanted, until: inAnHour(4), silence: id });
  expect(longer.id).toBe(id);
  const [extended] = await listed();
  expect(Date.parse(extended!.until)).toBeGreaterThan(Date.parse(created!.until));
  expect((await bridge.request('DELETE', `${route}/${id}?alertmanager=am1`)).status).toBe(204);
  expect(await listed()).toEqual([]);

  const theirs = {
    matchers: [name],
    startsAt: new Date().toISOString(),
    endsAt: inAnHour(),
    createdBy: 'ops',
    comment: '',
  };
  const [status] = await sendTo('POST', '/api/v2/silences', JSON.stringify(theirs));
  expect(status).toBe(200);
  expect(await listed()).toMatchObject([{ by: 'ops', comment: '', ...covers }]);
  const invalid = await bridge.request<{ detail: string }>('POST', route, {
    ...wanted,
    matchers: [{ ...name, value: '(', isRegex: true }],
  });
  expect([invalid.status, invalid.body.detail]).toEqual([400, expect.stringContaining('error parsing regexp')]);
});
