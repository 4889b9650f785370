/** Other ends of silences, without a notification. */
import { expect, onTestFinished, test } from 'vitest';
import type { AuditPage } from '../../backend-bridge/contract/audit.ts';
import { matchersOf, type Silences } from '../../backend-bridge/contract/silence.ts';
import { FakeAlertmanager } from '../../backend-bridge/src/monitoring/silences/fakeAlertmanager.testing.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { ADMIN_TOKEN, type Answer, expectProblem, HOUR, TestBridge } from './support.ts';

const expectDetail = (answer: Answer, status: number, detail: RegExp) =>
  expect(expectProblem(answer, status).detail).toMatch(detail);

test('is extended, ended and renewed without a notification; expired ones are listed on request', async () => {
  const grafana = new FakeAlertmanager();
  const served = await grafana.listen();
  const monitors = { grafana: { url: served.url, token: 'glsa_x', datasource: undefined } };
  const bridge = await TestBridge.start({ monitors });
  onTestFinished(async () => {
    await bridge.dispose();
    await served.close();
  });
  grafana.now = () => bridge.clock.now;
  const anna = new GrafanaPerson(() => bridge, 'anna');
  const at = (hours: number): string => new Date(bridge.clock.now + hours * HOUR).toISOString();
  const silences = () => bridge.call<Silences>('GET', '/api/v1/silences');
  const { id } = await bridge.send({ title: 'T' });
  const matchers = matchersOf({ labels: { instance: 'node1' } });
  const wanted = { alertmanager: 'grafana', matchers, until: at(2), comment: 'New disk' };
  const { id: silence } = await anna.call<{ id: string }>('POST', `/${id}/silences`, wanted);
  const change = (of: string, until: string | null) =>
    bridge.call('PUT', `/api/v1/silences/${of}`, { alertmanager: 'grafana', until });
  expect(await change(silence, at(5))).toEqual({ id: silence });
  expect((await silences()).silences).toMatchObject([{ id: silence, until: at(5), comment: 'New disk', by: 'anna' }]);
  await change(silence, null);
  expect((await silences()).silences).toEqual([]);
  bridge.clock.now += HOUR;
  const { id: renewed } = (await change(silence, at(1))) as { id: string };
  expect(renewed).not.toBe(silence);
  expect((await bridge.call<Silences>('GET', '/api/v1/silences?all=true')).silences).toMatchObject([
    { id: renewed, state: 'active', startsAt: at(0), until: at(1), comment: 'New disk', by: 'anna' },
    { id: silence, state: 'expired', until: at(-1) },
  ]);
  const { entries } = await bridge.call<AuditPage>('GET', '/api/v1/audit?limit=3');
  expect(entries).toMatchObject([
    { action: 'silence.set', object: renewed, after: { alertmanager: 'grafana', endsAt: at(1) } },
    { action: 'silence.expire', object: silence },
    { action: 'silence.set', object: silence },
  ]);
  const unknown = { alertmanager: 'grafana', until: null };
  expectDetail(await bridge.request('PUT', '/api/v1/silences/x', unknown), 404, /no such silence/);
  expectDetail(
    await bridge.request('PUT', `/api/v1/silences/${renewed}`, { ...unknown, until: at(24 * 400) }),
    400,
    /366 days/
  );
  /** A Viewer to whom Grafana has granted `inbox:write`. */
  const granted = {
    ...new GrafanaPerson(() => bridge, 'vera', { OrgRole: 'Viewer' }).headers,
    Authorization: `Grafana action="inbox:write", token="${ADMIN_TOKEN}"`,
  };
  const viewer = {
    method: 'PUT',
    headers: { ...granted, 'Content-Type': 'application/json' },
    body: JSON.stringify(unknown),
  };
  expect((await fetch(`${bridge.url}/api/v1/silences/${renewed}`, viewer)).status).toBe(403);
});
