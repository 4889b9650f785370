/** Alertmanager's API v2: alerts that are sent again, resolve, time out and are silenced. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AmAlert, AmSilence } from '../../backend-bridge/contract/alertmanager.ts';
import type { AuditPage } from '../../backend-bridge/contract/audit.ts';
import type { Notification, NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { Silences } from '../../backend-bridge/contract/silence.ts';
import { MINUTE, TestBridge, useBridge } from './support.ts';

const API = '/alertmanager/api/v2';
const bridge = useBridge();
beforeEach(async () => {
  await bridge().clear();
});

let last = 0;
/** Labels that no other test has. */
const fresh = (more: Record<string, string> = {}): Record<string, string> => ({
  alertname: `Alert${(last += 1)}`,
  ...more,
});
const iso = (ms: number): string => new Date(ms).toISOString();
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 50 });

const post = (alerts: unknown, on = bridge()) => on.request('POST', `${API}/alerts`, alerts);
const firing = (labels: Record<string, string>, minutes = 4, on = bridge()) => ({
  labels,
  annotations: { summary: `${labels.alertname} fires` },
  startsAt: iso(on.clock.now - MINUTE),
  endsAt: iso(on.clock.now + minutes * MINUTE),
  generatorURL: 'http://prometheus.example:9090/graph',
});
const rows = async (labels: Record<string, string>, on = bridge()): Promise<Notification[]> =>
  (await on.list('limit=1000')).filter(({ title }) => title === `${labels.alertname} fires`);
const states = async (labels: Record<string, string>, on = bridge()): Promise<string[]> =>
  (await rows(labels, on)).map(({ status }) => status).reverse();
const alerts = async (query = '', on = bridge()): Promise<AmAlert[]> => on.call('GET', `${API}/alerts${query}`);
const silence = (labels: Record<string, string>, minutes = 60, on = bridge()) => ({
  matchers: Object.entries(labels).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true })),
  startsAt: iso(on.clock.now),
  endsAt: iso(on.clock.now + minutes * MINUTE),
  createdBy: 'anna',
  comment: 'New disk',
});
const audited = async (): Promise<string[]> =>
  (await bridge().call<AuditPage>('GET', '/api/v1/audit')).entries.map(({ action }) => action).reverse();
const silences = (query = '', on = bridge()): Promise<AmSilence[]> => on.call('GET', `${API}/silences${query}`);

describe('an alert', () => {
  it('fires once, however often it is sent, and resolves once', async () => {
    const labels = fresh({ instance: 'a:9100', severity: 'critical' });
    for (let minute = 0; minute < 3; minute += 1) {
      expect(
        (
          await post([
            { ...firing(labels), annotations: { summary: `${labels.alertname} fires`, value: String(minute) } },
          ])
        ).status
      ).toBe(200);
      bridge().clock.advance(MINUTE);
    }
    expect(await states(labels)).toEqual(['triggered']);
    const [row] = await rows(labels);
    expect(row).toMatchObject({ priority: 'critical', source: 'alertmanager' });
    const [shown] = await alerts(`?filter=alertname="${labels.alertname}"`);
    expect(shown).toMatchObject({
      labels,
      annotations: { value: '2' },
      fingerprint: row!.correlationId,
      status: { state: 'active', silencedBy: [] },
      receivers: [{ name: 'nodebell' }],
    });
    const end = { ...firing(labels), endsAt: iso(bridge().clock.now - 1000) };
    expect([(await post([end])).status, (await post([end])).status]).toEqual([200, 200]);
    expect(await states(labels)).toEqual(['triggered', 'resolved']);
    expect(await alerts(`?filter=alertname="${labels.alertname}"`)).toEqual([]);
  });

  it('resolves when its end passes without news, with the reason', async () => {
    const labels = fresh();
    await post([firing(labels)]);
    bridge().clock.advance(3 * MINUTE);
    await post([firing(labels)]);
    bridge().clock.advance(3 * MINUTE);
    expect(await states(labels)).toEqual(['triggered']);
    bridge().clock.advance(2 * MINUTE);
    await until(async () => expect(await states(labels)).toEqual(['triggered', 'resolved']));
    expect((await rows(labels))[0]!.body).toContain('Timed out: no news since');
    // It fires again.
    await post([firing(labels)]);
    expect(await states(labels)).toEqual(['triggered', 'resolved', 'triggered']);
  });

  it('that is sent again with the same start after it timed out fires again, and times out again', async () => {
    const labels = fresh();
    // Prometheus keeps the start while an alert fires.
    const alert = { labels, annotations: { summary: `${labels.alertname} fires` }, startsAt: iso(bridge().clock.now) };
    const wanted: string[] = [];
    for (let period = 0; period < 3; period += 1) {
      await post([alert]);
      await post([alert]);
      wanted.push('triggered');
      expect(await states(labels)).toEqual(wanted);
      bridge().clock.advance(6 * MINUTE);
      wanted.push('resolved');
      await until(async () => expect(await states(labels)).toEqual(wanted));
    }
    const end = { ...alert, endsAt: iso(bridge().clock.now) };
    await post([alert]);
    await post([end]);
    await post([alert]);
    await post([end]);
    expect(await states(labels)).toEqual([...wanted, 'triggered', 'resolved', 'triggered', 'resolved']);
  });

  it('without an end resolves after five minutes', async () => {
    const labels = fresh();
    await post([{ labels, annotations: { summary: `${labels.alertname} fires` } }]);
    bridge().clock.advance(6 * MINUTE);
    await until(async () => expect(await states(labels)).toEqual(['triggered', 'resolved']));
  });

  it('that is invalid is reported as text; the others are received', async () => {
    const labels = fresh();
    const wrong = [{}, { labels: { a: '' } }, { labels: { a: 1 } }, { labels: { a: '1' }, startsAt: 'yesterday' }, 'x'];
    const { status, body } = await post([...wrong, firing(labels), { ...firing(labels), endsAt: iso(1000) }]);
    expect([status, body]).toEqual([
      400,
      expect.stringMatching(/^alert 0: .*; alert 1: .*; alert 6: endsAt .* is before startsAt/),
    ]);
    expect(await states(labels)).toEqual(['triggered']);
    expect((await post({})).status).toBe(400);
  });
});

it('an alert survives a restart: it is no new one, and it has its time until the end once more', async () => {
  const one = await TestBridge.start();
  const labels = fresh();
  await post([firing(labels, 4, one)], one);
  one.clock.advance(3 * MINUTE);
  await one.restart();
  one.clock.advance(3 * MINUTE);
  await post([firing(labels, 4, one)], one);
  expect(await states(labels, one)).toEqual(['triggered']);
  await one.restart();
  // Read before the clock moves.
  expect(await alerts('', one)).toHaveLength(1);
  one.clock.advance(5 * MINUTE);
  await until(async () => expect(await states(labels, one)).toEqual(['triggered', 'resolved']));
});

describe('a silence', () => {
  it('covers alerts: they are stored, and shown as silenced', async () => {
    const labels = fresh({ team: 'disks' });
    const { silenceID } = await bridge().call<{ silenceID: string }>(
      'POST',
      `${API}/silences`,
      silence({ team: 'disks' })
    );
    await post([firing(labels, 300)]);
    const [shown] = await alerts(`?filter=alertname="${labels.alertname}"&active=false`);
    expect(shown!.status).toMatchObject({ state: 'suppressed', silencedBy: [silenceID] });
    expect(await alerts(`?filter=alertname="${labels.alertname}"&silenced=false`)).toEqual([]);
    expect(await states(labels)).toEqual(['triggered']);
    expect((await bridge().request('DELETE', `${API}/silence/${silenceID}`)).status).toBe(200);
    expect(await silences()).toContainEqual(expect.objectContaining({ id: silenceID, status: { state: 'expired' } }));
    // As Alertmanager since 0.25.
    expect((await bridge().request('DELETE', `${API}/silence/${silenceID}`)).status).toBe(200);
  });

  it('is changed in place, or replaced if its matchers differ; the audit log has each change', async () => {
    const first = silence(fresh());
    const { silenceID: id } = await bridge().call<{ silenceID: string }>('POST', `${API}/silences`, first);
    const [known] = (await silences()).filter((one) => one.id === id);
    const longer = { ...first, id, startsAt: known!.startsAt, endsAt: iso(bridge().clock.now + 90 * MINUTE) };
    expect(await bridge().call('POST', `${API}/silences`, longer)).toEqual({ silenceID: id });
    const other = await bridge().call<{ silenceID: string }>('POST', `${API}/silences`, {
      ...longer,
      ...silence(fresh()),
      id,
    });
    expect(other.silenceID).not.toBe(id);
    expect((await silences()).filter((one) => one.id === id)[0]!.status.state).toBe('expired');
    expect((await audited()).slice(-4)).toEqual(['silence.set', 'silence.set', 'silence.expire', 'silence.set']);
    await bridge().call('DELETE', `${API}/silence/${other.silenceID}`);
    expect((await audited()).at(-1)).toBe('silence.expire');
  });

  it.each([
    [{ endsAt: '2020-01-01T00:00:00Z' }, 400, /endsAt must be after startsAt|past/],
    [{ matchers: [] }, 400, /matchers/],
    [{ matchers: [{ name: 'a', value: '.*', isRegex: true, isEqual: true }] }, 400, /match any alert/],
    [{ matchers: [{ name: 'a', value: '(', isRegex: true, isEqual: true }] }, 400, /./],
    [{ id: 'unknown' }, 404, /not found/],
  ])('that is invalid is a text: %j', async (change, status, text) => {
    const answer = await bridge().request('POST', `${API}/silences`, { ...silence(fresh()), ...change });
    expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(text)]);
  });
});

it('the page silences an alert at the bridge: one silence, in the timeline and the audit log once', async () => {
  const labels = fresh();
  await post([firing(labels, 300)]);
  const [row] = await rows(labels);
  const until = iso(bridge().clock.now + 60 * MINUTE);
  const wanted = { alertmanager: 'nodebell', matchers: silence(labels).matchers, until, comment: 'New disk' };
  const path = `/api/v1/notifications/${row!.id}/silences`;
  expect(
    await bridge().call('POST', `${path}/preview`, { alertmanager: 'nodebell', matchers: wanted.matchers })
  ).toEqual({
    alerts: 1,
  });
  const { id } = await bridge().call<{ id: string }>('POST', path, wanted);
  const listed = await bridge().call<Silences>('GET', '/api/v1/silences?alertmanager=nodebell');
  expect(listed.silences).toContainEqual(
    expect.objectContaining({ id, alertmanager: 'nodebell', alerts: [{ correlationId: row!.correlationId }] })
  );
  await bridge().call('DELETE', `${path}/${id}?alertmanager=nodebell`);
  expect((await silences()).find((one) => one.id === id)!.status.state).toBe('expired');
  const { timeline } = await bridge().call<NotificationDetail>('GET', `/api/v1/notifications/${row!.id}`);
  expect(timeline?.map(({ kind }) => kind)).toEqual(['silenced', 'unsilenced']);
  expect((await audited()).filter((action) => action.startsWith('notification.'))).toEqual([
    'notification.silence',
    'notification.unsilence',
  ]);
  expect((await audited()).slice(-2)).toEqual(['notification.silence', 'notification.unsilence']);
});
