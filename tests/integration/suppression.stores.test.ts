/** Maintenance windows, inhibition and silences of a whole bridge with a channel: what is sent, and when. */
import { describe, expect, test, vi } from 'vitest';
import type { Notification, NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { AmAlert } from '../../backend-bridge/contract/alertmanager.ts';
import type { Silences } from '../../backend-bridge/contract/silence.ts';
import type { Maintenance, Suppressions } from '../../backend-bridge/contract/suppression.ts';
import { type Receiver, startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';
import { HOUR, MINUTE, SECOND } from './support.ts';

const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });
const iso = (ms: number): string => new Date(ms).toISOString();

interface Running {
  bridge: Provisioned['bridge'];
  hook: Receiver;
}

async function start(file = ''): Promise<Running> {
  const hook = await closing(startHook());
  const channel = `channels: [{ name: hook, type: webhook, url: '${hook.url}/in' }]\nroutes: [{ channels: [hook] }]`;
  const folder = await Folder.make({ 'reach.yaml': `apiVersion: 1\n${channel}\n${file}` });
  return { bridge: (await folder.start()).bridge, hook };
}

const sent = ({ hook }: Running): string[] =>
  hook.accepted.map(({ json }) => `${String(json.title)} ${String(json.status)}`);
const send = async ({ bridge }: Running, payload: object): Promise<number> => {
  const given = { title: 'Disk full', body: 'b', status: 'triggered', dnpName: 'nas', ...payload };
  const { body, status } = await bridge.post({ correlationId: given.title, ...given });
  expect(status).toBe(201);
  return (body as { id: number }).id;
};
/** After it has gone out, so has everything before it. */
async function sentSoFar(running: Running): Promise<string[]> {
  await send(running, { title: 'mark', dnpName: 'mark', correlationId: String(Math.random()) });
  await until(() => expect(sent(running)).toContain('mark triggered'));
  const all = sent(running).filter((one) => one !== 'mark triggered');
  running.hook.accepted.length = 0;
  return all;
}
const detailOf = ({ bridge }: Running, id: number) =>
  bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
const kinds = async (running: Running, id: number) =>
  (await detailOf(running, id)).timeline?.map(({ kind, text }) => `${kind} ${text}`);
const listed = ({ bridge }: Running) => bridge.call<Suppressions>('GET', '/api/v1/maintenance');
const window = ({ bridge }: Running, change: object = {}) => ({
  name: 'New disk',
  matchers: 'package="nas"',
  startsAt: iso(bridge.clock.now - MINUTE),
  endsAt: iso(bridge.clock.now + HOUR),
  ...change,
});
const add = (running: Running, change: object = {}) =>
  running.bridge.call<Maintenance>('POST', '/api/v1/maintenance', window(running, change));

describe('a maintenance window', () => {
  test('nothing is sent meanwhile; at its end, what still fires is sent once', async () => {
    const running = await start();
    await send(running, { title: 'before' });
    expect(await sentSoFar(running)).toEqual(['before triggered']);
    const { id: windowId } = await add(running);
    const fires = await send(running, { title: 'fires' });
    await send(running, { title: 'fires' });
    await send(running, { title: 'brief' });
    await send(running, { title: 'brief', status: 'resolved' });
    await send(running, { title: 'before', status: 'resolved' });
    await send(running, { title: 'event', status: undefined });
    await send(running, { title: 'other', dnpName: 'router' });
    expect(await sentSoFar(running)).toEqual(['other triggered']);
    expect((await detailOf(running, fires)).thread.suppressed).toEqual({
      by: 'maintenance',
      id: windowId,
      reason: 'New disk',
    });
    expect((await listed(running)).windows).toMatchObject([{ id: windowId, state: 'active', threads: 4 }]);
    running.bridge.clock.advance(HOUR);
    await until(() => expect(sent(running)).toHaveLength(2));
    // The thread that was announced before is closed where it was announced.
    expect((await sentSoFar(running)).toSorted()).toEqual(['before resolved', 'fires triggered']);
    expect((await detailOf(running, fires)).thread.suppressed).toBeUndefined();
    expect(await kinds(running, fires)).toEqual(['suppressed maintenance New disk', 'released maintenance New disk']);
    expect((await listed(running)).windows).toMatchObject([{ state: 'expired', from: null, threads: 0 }]);
  });

  test('removed early: what still fires is sent; what was acknowledged is not', async () => {
    const running = await start();
    const { id } = await add(running);
    await send(running, { title: 'one' });
    const acknowledged = await send(running, { title: 'two' });
    await running.bridge.call('POST', `/api/v1/notifications/${acknowledged}/acknowledge`);
    await running.bridge.call('DELETE', `/api/v1/maintenance/${id}`);
    await until(() => expect(sent(running)).toEqual(['one triggered']));
    expect(await sentSoFar(running)).toEqual(['one triggered']);
    expect(await listed(running)).toEqual({ windows: [], rules: [] });
  });

  test('survives a restart, and is in the audit log', async () => {
    const running = await start();
    await add(running);
    await running.bridge.restart();
    await send(running, { title: 'one' });
    expect(await sentSoFar(running)).toEqual([]);
    const { entries } = await running.bridge.call<{ entries: { action: string }[] }>('GET', '/api/v1/audit');
    expect(entries.map(({ action }) => action)).toContain('maintenance.set');
  });

  test('that is invalid is rejected, with what is allowed', async () => {
    const running = await start();
    const rejected = async (change: object) => {
      const { status, body } = await running.bridge.request('POST', '/api/v1/maintenance', window(running, change));
      const { errors } = body as { errors: { pointer: string; detail?: string; allowed: string }[] };
      return [status, errors[0]!.pointer, errors[0]!.detail ?? errors[0]!.allowed];
    };
    expect(await rejected({ matchers: 'package=~"("' })).toEqual([
      400,
      '/matchers',
      expect.stringContaining('missing'),
    ]);
    expect(await rejected({ matchers: 'package=~".*"' })).toEqual([
      400,
      '/matchers',
      'at least one matcher must not match the empty text',
    ]);
    const placeOf = async (change: object) => (await rejected(change)).slice(0, 2);
    expect(await placeOf({ matchers: '' })).toEqual([400, '/matchers']);
    expect(await placeOf({ endsAt: undefined })).toEqual([400, '/weekly']);
    expect(await placeOf({ endsAt: iso(0) })).toEqual([400, '/endsAt']);
    const past = { startsAt: iso(running.bridge.clock.now - 2 * HOUR), endsAt: iso(running.bridge.clock.now - HOUR) };
    expect(await placeOf(past)).toEqual([400, '/endsAt']);
    expect((await running.bridge.request('PUT', '/api/v1/maintenance/none', window(running))).status).toBe(404);
    expect((await running.bridge.request('DELETE', '/api/v1/maintenance/none')).status).toBe(404);
  });

  test('of a file is active each week, and cannot be changed here', async () => {
    const running = await start(
      `maintenance: [{ name: Backup, matchers: 'job="backup"', weekly: [{ from: '00:01', to: '00:00' }], endsAt: '2999-01-01T00:00:00Z' }]`
    );
    const [one] = (await listed(running)).windows;
    expect(one).toMatchObject({ name: 'Backup', file: 'reach.yaml', state: 'active' });
    await send(running, { title: 'one', labels: { job: 'backup' } });
    expect(await sentSoFar(running)).toEqual([]);
    expect((await running.bridge.request('DELETE', `/api/v1/maintenance/${one!.id}`)).status).toBe(409);
  });
});

describe('inhibition', () => {
  const RULE = `inhibit_rules:
  - { name: node down, source_matchers: ['alertname="NodeDown"'], target_matchers: ['severity="warning"'], equal: [instance] }`;
  const node = (instance: string, status = 'triggered') => ({
    title: `${instance} down`,
    status,
    labels: { alertname: 'NodeDown', instance },
  });
  const service = (title: string, instance: string, status = 'triggered') => ({
    title,
    status,
    labels: { severity: 'warning', instance },
  });

  test('while the source is open, targets with equal labels are not sent; then those that still fire are', async () => {
    const running = await start(RULE);
    const source = await send(running, node('a'));
    const target = await send(running, service('http', 'a'));
    await send(running, service('ssh', 'a'));
    await send(running, service('ssh', 'a', 'resolved'));
    await send(running, service('dns', 'b'));
    expect(await sentSoFar(running)).toEqual(['a down triggered', 'dns triggered']);
    expect((await detailOf(running, target)).thread.suppressed).toEqual({
      by: 'inhibition',
      id: String(source),
      reason: 'a down',
    });
    expect((await detailOf(running, source)).thread.inhibits).toBe(2);
    expect((await listed(running)).rules).toMatchObject([{ name: 'node down', file: 'reach.yaml', threads: 2 }]);
    await send(running, node('a', 'resolved'));
    await until(() => expect(sent(running)).toContain('http triggered'));
    expect(await sentSoFar(running)).toEqual(['a down resolved', 'http triggered']);
    await send(running, service('http', 'a'));
    expect(await sentSoFar(running)).toEqual(['http triggered']);
  });

  test('the API of Alertmanager names what inhibits an alert, and its maintenance window', async () => {
    const running = await start(RULE);
    const { bridge } = running;
    const post = (...alerts: object[]) =>
      bridge.call(
        'POST',
        '/alertmanager/api/v2/alerts',
        alerts.map((labels) => ({ labels }))
      );
    const alerts = async (query = '') =>
      (await bridge.call<AmAlert[]>('GET', `/alertmanager/api/v2/alerts${query}`)).map(
        ({ labels, fingerprint, status }) => ({
          name: labels['alertname'],
          fingerprint,
          ...status,
        })
      );
    await add(running, { matchers: 'alertname="Backup"' });
    await post({ alertname: 'NodeDown', instance: 'a' });
    await post({ alertname: 'Http', instance: 'a', severity: 'warning' }, { alertname: 'Backup' });
    const all = await alerts();
    const { fingerprint } = all.find(({ name }) => name === 'NodeDown')!;
    const none = { silencedBy: [], inhibitedBy: [], mutedBy: [] };
    expect(all.map(({ fingerprint: _, ...one }) => one).sort((x, y) => (x.name! < y.name! ? -1 : 1))).toEqual([
      { name: 'Backup', ...none, state: 'suppressed', mutedBy: ['New disk'] },
      { name: 'Http', ...none, state: 'suppressed', inhibitedBy: [fingerprint] },
      { name: 'NodeDown', ...none, state: 'active' },
    ]);
    expect((await alerts('?inhibited=false')).map(({ name }) => name).sort()).toEqual(['Backup', 'NodeDown']);
    expect((await alerts('?active=false&inhibited=false')).map(({ name }) => name)).toEqual(['Backup']);
  });

  test('an alert that matches both sides does not inhibit itself, nor another that does', async () => {
    const running = await start(
      `inhibit_rules: [{ source_matchers: ['priority="critical"'], target_matchers: ['package="nas"'] }]`
    );
    await send(running, { title: 'one', priority: 'critical' });
    await send(running, { title: 'two', priority: 'critical' });
    await send(running, { title: 'three', priority: 'low' });
    expect(await sentSoFar(running)).toEqual(['one triggered', 'two triggered']);
  });

  test('of packages and nodes that depend on others', async () => {
    const running = await start(`dependencies: [{ package: jellyfin, on: [{ package: nas }, { node: router }] }]`);
    await send(running, { title: 'offline', priority: 'critical' });
    await send(running, { title: 'no media', dnpName: 'jellyfin' });
    expect(await sentSoFar(running)).toEqual(['offline triggered']);
    expect((await listed(running)).rules.map(({ name, threads }) => [name, threads])).toEqual([
      ['jellyfin depends on nas', 1],
      ['jellyfin depends on router', 0],
    ]);
  });
});

test('a silence covers labels of any sender; at its end, what still fires is sent once', async () => {
  const running = await start();
  const { bridge } = running;
  const { silenceID } = await bridge.call<{ silenceID: string }>('POST', '/alertmanager/api/v2/silences', {
    matchers: [{ name: 'disk', value: 'sda', isRegex: false, isEqual: true }],
    startsAt: iso(bridge.clock.now),
    endsAt: iso(bridge.clock.now + HOUR),
    createdBy: 'anna',
    comment: 'New disk',
  });
  const id = await send(running, { title: 'one', labels: { disk: 'sda' } });
  await send(running, { title: 'two', labels: { disk: 'sdb' } });
  expect(await sentSoFar(running)).toEqual(['two triggered']);
  expect((await detailOf(running, id)).thread.suppressed).toEqual({ by: 'silence', id: silenceID, reason: 'New disk' });
  const { silences } = await bridge.call<Silences>('GET', '/api/v1/silences?alertmanager=nodebell');
  expect(silences).toMatchObject([{ id: silenceID, alerts: [{ correlationId: 'one', dnpName: 'nas' }] }]);
  bridge.clock.advance(HOUR + SECOND);
  await until(() => expect(sent(running)).toEqual(['one triggered']));
  const list = await bridge.call<Notification[]>('GET', '/api/v1/notifications?limit=10');
  expect(list.filter(({ title }) => title === 'one')).toHaveLength(1);
});
