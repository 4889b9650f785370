/** Silences at the source of alerts, over HTTP, with the service account of the bridge. */
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { matchersOf, type Silences } from '../../backend-bridge/contract/silence.ts';
import { FakeAlertmanager } from '../../backend-bridge/src/monitoring/silences/fakeAlertmanager.testing.ts';
import type { AuditPage } from '../../backend-bridge/contract/audit.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { ADMIN_TOKEN, type Answer, expectProblem, HOUR, NOTIFICATIONS, TestBridge } from './support.ts';

let bridge: TestBridge;
let without: TestBridge;
let grafana: FakeAlertmanager;
let served: Awaited<ReturnType<FakeAlertmanager['listen']>>;
const anna = new GrafanaPerson(() => bridge, 'anna');
/** A Viewer to whom Grafana has granted `inbox:write`. */
const granted = {
  ...new GrafanaPerson(() => bridge, 'vera', { OrgRole: 'Viewer' }).headers,
  Authorization: `Grafana action="inbox:write", token="${ADMIN_TOKEN}"`,
};

const LABELS = { alertname: 'DiskFull', grafana_folder: 'Hosts', instance: 'node1' };
const FINGERPRINT = 'c0a6dfb7aae0518d';
const ALERT = { status: 'firing', labels: LABELS, ruleUID: 'rule1', fingerprint: FINGERPRINT };
const SILENCE_URL = 'http://localhost:3000/alerting/silence/new?alertmanager=grafana&orgId=1';

beforeAll(async () => {
  grafana = new FakeAlertmanager(() => bridge.clock.now);
  served = await grafana.listen();
  bridge = await TestBridge.start({
    monitors: { grafana: { url: served.url, token: 'glsa_x', datasource: undefined } },
  });
  without = await TestBridge.start();
});
afterAll(async () => {
  await Promise.all([bridge.dispose(), without.dispose()]);
  await served.close();
});
beforeEach(async () => {
  await bridge.clear();
  bridge.clock.now += HOUR;
  grafana.status = undefined;
  for (const uid of ['grafana', 'am1']) {
    grafana.silences[uid]!.clear();
    grafana.alerts[uid]!.clear();
  }
  grafana.alerts['grafana']!.set(FINGERPRINT, { ...LABELS, __alert_rule_uid__: 'rule1' });
});

async function fired(on = bridge, more: object = {}): Promise<number> {
  const body = { version: '1', status: 'firing', alerts: [{ ...ALERT, silenceURL: SILENCE_URL, ...more }] };
  expect((await on.request('POST', '/api/v1/webhooks/grafana', body)).status).toBeLessThan(300);
  return (await on.list())[0]!.id;
}
const expectDetail = (answer: Answer, status: number, detail: RegExp) =>
  expect(expectProblem(answer, status).detail).toMatch(detail);
const at = (hours: number): string => new Date(bridge.clock.now + hours * HOUR).toISOString();
const wanted = (more: object = {}) => ({
  alertmanager: 'grafana',
  matchers: matchersOf({ labels: LABELS, ruleUid: 'rule1' }),
  until: at(2),
  comment: 'New disk',
  ...more,
});
const silences = () => bridge.call<Silences>('GET', '/api/v1/silences');

test('the alert of a webhook is in the detail', async () => {
  const id = await fired();
  expect((await anna.call<NotificationDetail>('GET', `/${id}`)).alert).toEqual({
    labels: LABELS,
    ruleUid: 'rule1',
    silenceUrl: SILENCE_URL,
  });
  const { id: sent } = await bridge.send({ title: 'T', alert: { labels: { a: 'b' } } });
  expect((await anna.call<NotificationDetail>('GET', `/${sent}`)).alert).toBeUndefined();
  const body = { version: '4', status: 'firing', externalURL: 'http://am:9093', alerts: [{ ...ALERT, ruleUID: null }] };
  await bridge.request('POST', '/api/v1/webhooks/alertmanager', body);
  const [row] = await bridge.list();
  expect((await anna.call<NotificationDetail>('GET', `/${row!.id}`)).alert).toEqual({
    labels: LABELS,
    alertmanagerUrl: 'http://am:9093',
  });
});

test('is counted, created, listed, extended and ended; timeline, audit log and other tabs show it', async () => {
  const id = await fired();
  const { alertmanager, matchers } = wanted();
  expect(await anna.call('POST', `/${id}/silences/preview`, { alertmanager, matchers })).toEqual({ alerts: 1 });
  const other = matchers.map((one) => (one.name === 'instance' ? { ...one, value: 'node2|"x', isRegex: true } : one));
  expect(await anna.call('POST', `/${id}/silences/preview`, { alertmanager, matchers: other })).toEqual({ alerts: 0 });

  const listener = await anna.listen();
  const { id: silence } = await anna.call<{ id: string }>('POST', `/${id}/silences`, wanted());
  await listener.until(({ type }) => type === 'responded');
  const listed = await silences();
  expect(listed).toEqual({
    alertmanagers: [
      { id: 'nodebell', name: 'Nodebell' },
      { id: 'grafana', name: 'Grafana' },
      { id: 'am1', name: 'Alertmanager' },
    ],
    silences: [
      {
        id: silence,
        alertmanager: 'grafana',
        by: 'anna',
        comment: 'New disk',
        startsAt: at(0),
        until: at(2),
        matchers,
        alerts: [{ correlationId: FINGERPRINT }],
        state: 'active',
      },
    ],
  });
  const { id: same } = await anna.call<{ id: string }>('POST', `/${id}/silences`, wanted({ silence, until: at(4) }));
  expect(same).toBe(silence);
  expect((await silences()).silences).toEqual([{ ...listed.silences[0]!, until: at(4) }]);

  await anna.call('DELETE', `/${id}/silences/${silence}?alertmanager=grafana`);
  expect((await silences()).silences).toEqual([]);
  const { timeline } = await anna.call<NotificationDetail>('GET', `/${id}`);
  expect(timeline).toMatchObject([
    { kind: 'silenced', by: 'anna', text: `${at(2)}\nNew disk` },
    { kind: 'silenced', by: 'anna', text: `${at(4)}\nNew disk` },
    { kind: 'unsilenced', by: 'anna' },
  ]);
  const { entries } = await bridge.call<AuditPage>('GET', '/api/v1/audit?limit=3');
  const through = { alertmanager: 'grafana', silence, through: 'bridge' };
  expect(entries).toMatchObject([
    { action: 'notification.unsilence', object: String(id), after: through },
    { action: 'notification.silence', after: { ...through, until: at(4) } },
    { action: 'notification.silence', after: { ...through, until: at(2), comment: 'New disk', matchers } },
  ]);
  await listener.close();
});

test('lists what others created, of each Alertmanager, and says what cannot be read', async () => {
  const labels = { alertname: 'Down', correlationId: 'down', package: 'geth.dnp' };
  grafana.alerts['am1']!.set('ee0b1db96b155bd3', labels);
  const matchers = matchersOf({ labels: { alertname: 'Down' } });
  const body = { matchers, startsAt: at(0), endsAt: at(1), createdBy: 'ops', comment: 'upgrade' };
  grafana.request('POST', '/api/alertmanager/am1/api/v2/silences', JSON.stringify(body));
  expect((await silences()).silences).toMatchObject([
    { alertmanager: 'am1', by: 'ops', alerts: [{ correlationId: 'down', dnpName: 'geth.dnp' }] },
  ]);
  const reads = () => grafana.requests.filter((one) => one.endsWith('/silences')).length;
  const read = reads();
  await silences();
  expect(reads()).toBe(read);
  // A preview changes nothing, however often it is requested.
  await anna.call('POST', `/${await fired()}/silences/preview`, { alertmanager: 'am1', matchers });
  await silences();
  expect(reads()).toBe(read);
  bridge.clock.now += HOUR;
  grafana.status = 500;
  const { alertmanagers } = await silences();
  expect(alertmanagers).toEqual([
    { id: 'nodebell', name: 'Nodebell' },
    { id: 'grafana', name: 'Grafana', reason: expect.stringContaining('500') },
  ]);
});

test('records what was done in Grafana, and sends nothing there', async () => {
  const id = await fired();
  // The bridge reads alerts and silences there each minute.
  const changes = () => grafana.requests.filter((one) => !one.startsWith('GET '));
  const sent = changes().length;
  await anna.call('POST', `/${id}/silences/record`, { ...wanted(), silence: 'abc' });
  await anna.call('POST', `/${id}/silences/record`, { alertmanager: 'grafana', silence: 'abc', until: null });
  expect(changes()).toHaveLength(sent);
  const { timeline } = await anna.call<NotificationDetail>('GET', `/${id}`);
  expect(timeline).toMatchObject([{ kind: 'silenced', by: 'anna' }, { kind: 'unsilenced' }]);
  const { entries } = await bridge.call<AuditPage>('GET', '/api/v1/audit?limit=1');
  expect(entries).toMatchObject([{ action: 'notification.unsilence', after: { silence: 'abc', through: 'person' } }]);
});

test('the service account serves Editors only, whatever was granted', async () => {
  const id = await fired();
  const post = (path: string, body: unknown) =>
    bridge.request('POST', `${NOTIFICATIONS}/${id}/silences${path}`, body, granted);
  const { alertmanager, matchers } = wanted();
  for (const answer of [
    await post('', wanted()),
    await post('/preview', { alertmanager, matchers }),
    await bridge.request('DELETE', `${NOTIFICATIONS}/${id}/silences/x?alertmanager=grafana`, undefined, granted),
  ]) {
    expectDetail(answer, 403, /role Editor/);
  }
  expect((await post('/record', { ...wanted(), silence: 'abc' })).status).toBe(204);
});

test('errors name their reason', async () => {
  const id = await fired();
  const post = (body: unknown, on = bridge, of = id) => on.request('POST', `${NOTIFICATIONS}/${of}/silences`, body);
  expectDetail(await post(wanted({ until: at(-1) })), 400, /"until" must be in the future/);
  expectDetail(await post(wanted({ until: at(24 * 367) })), 400, /366 days/);
  expectDetail(await post(wanted({ matchers: [] })), 400, /matchers/);
  expectDetail(await post(wanted({ comment: ' ' })), 400, /comment/);
  const invalid = [{ name: 'a', value: '(', isRegex: true, isEqual: true }];
  expectDetail(await post(wanted({ matchers: invalid })), 400, /invalid regular expression/);
  expectDetail(await post(wanted({ alertmanager: 'nope' })), 404, /data source not found/);
  expectDetail(await post(wanted({ silence: 'gone' })), 409, /no longer active/);
  expectDetail(await post(wanted(), bridge, 999_999), 404, /Notification not found/);
  expectDetail(await post(wanted(), without, await fired(without)), 409, /NODEBELL_GRAFANA_URL/);
  expect(await without.call('GET', '/api/v1/silences')).toEqual({
    alertmanagers: [{ id: 'nodebell', name: 'Nodebell' }],
    silences: [],
    reason: expect.stringContaining('NODEBELL_GRAFANA_URL'),
  });
  expect((await anna.call<NotificationDetail>('GET', `/${id}`)).timeline).toBeUndefined();
});

test('an id that leaves its path, or is no text, is rejected; nothing is sent to Grafana', async () => {
  const id = await fired();
  const sent = grafana.requests.length;
  const half = '\ud800';
  const base = `${NOTIFICATIONS}/${id}/silences`;
  const { alertmanager: _, ...rest } = wanted();
  const preview = { matchers: rest.matchers };
  for (const alertmanager of ['..', '.', half, 'a\0']) {
    expectProblem(await bridge.request('POST', base, { ...rest, alertmanager }), 400);
    expectProblem(await bridge.request('POST', `${base}/preview`, { ...preview, alertmanager }), 400);
    expectProblem(await bridge.request('POST', `${base}/record`, { alertmanager, silence: 'a', until: null }), 400);
  }
  for (const silence of ['..', half, 'a\0']) {
    expectProblem(await bridge.request('POST', base, wanted({ silence })), 400);
    expectProblem(await bridge.request('POST', `${base}/record`, { ...wanted(), silence }), 400);
  }
  const matcher = { isRegex: false, isEqual: true };
  for (const wrong of [
    { name: half, value: 'a' },
    { name: 'a', value: half },
    { name: 'a', value: 'a\0' },
  ]) {
    const matchers = [{ ...matcher, ...wrong }];
    expectProblem(await bridge.request('POST', base, wanted({ matchers })), 400);
    expectProblem(await bridge.request('POST', `${base}/preview`, { alertmanager: 'grafana', matchers }), 400);
  }
  expectProblem(await bridge.request('POST', base, wanted({ comment: `a${half}` })), 400);
  expectProblem(await bridge.request('POST', `${NOTIFICATIONS}/${id}/comments`, { text: 'a\0' }), 400);
  // Not as fetch, which resolves the dots itself.
  for (const path of [
    '%2e%2e?alertmanager=grafana',
    '%2E.?alertmanager=grafana',
    '%00?alertmanager=grafana',
    'x?alertmanager=..',
  ]) {
    expect([path, await rawDelete(`${base}/${path}`)]).toEqual([path, 400]);
  }
  // The bridge reads alerts, silences and rules there by itself.
  const own = /^GET \/api\/alertmanager\/(grafana|am1)\/api\/v2\/(alerts|silences)$/;
  const requested = () => grafana.requests.slice(sent).filter((one) => one.includes('/api/v2/') && !own.test(one));
  expect(requested()).toEqual([]);
  expect(await rawDelete(`${base}/x?alertmanager=%2e%2e%2fx`)).toBe(404);
  expect(requested()).toEqual(['DELETE /api/alertmanager/..%2Fx/api/v2/silence/x']);
});

/** @returns the status */
function rawDelete(path: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(bridge.url);
    request({ hostname, port, path, method: 'DELETE', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
