/** Maintenance windows and silences of a whole bridge with a channel: what is sent, and when. */
import { describe, expect, test } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { Silences } from '../../backend-bridge/contract/silence.ts';
import { HOUR, MINUTE, SECOND } from './support.ts';
import {
  add,
  detailOf,
  iso,
  kinds,
  listed,
  send,
  sent,
  sentSoFar,
  start,
  until,
  window,
} from './suppression.testing.ts';

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

  test('removed early: what still fires is sent; what was acknowledged, or snoozed for all, is not', async () => {
    const running = await start();
    const { id } = await add(running);
    const snoozed = await send(running, { title: 'snoozed' });
    const snooze = { until: iso(running.bridge.clock.now + HOUR), for: 'all' };
    await running.bridge.call('POST', `/api/v1/notifications/${snoozed}/snooze`, snooze);
    await send(running, { title: 'one' });
    const acknowledged = await send(running, { title: 'two' });
    await running.bridge.call('POST', `/api/v1/notifications/${acknowledged}/acknowledge`);
    await running.bridge.call('DELETE', `/api/v1/maintenance/${id}`);
    await until(() => expect(sent(running)).toEqual(['one triggered']));
    expect(await sentSoFar(running)).toEqual(['one triggered']);
    expect(await listed(running)).toEqual({ windows: [], rules: [] });
  });

  test('that is changed: what it no longer covers is sent, and what waits is withheld if it does now', async () => {
    const running = await start(
      '',
      '[{ channels: [hook], unacknowledged: 10m, packages: [router] }, { channels: [hook] }]'
    );
    const { id } = await add(running);
    await send(running, { title: 'fires' });
    const waits = await send(running, { title: 'waits', dnpName: 'router' });
    await running.bridge.call('PUT', `/api/v1/maintenance/${id}`, window(running, { matchers: 'package="router"' }));
    await until(() => expect(sent(running)).toEqual(['fires triggered']));
    await until(async () => expect((await detailOf(running, waits)).thread.suppressed).toMatchObject({ id }));
    expect((await listed(running)).windows).toMatchObject([{ id, threads: 1 }]);
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

test.each(['silence', 'maintenance'])(
  'a %s that begins while an alert waits for its escalation holds it',
  async (what) => {
    const running = await start(
      '',
      '[{ channels: [hook], unacknowledged: 10m, packages: [nas] }, { channels: [hook] }]'
    );
    const { bridge } = running;
    // The timers of senders do not follow the clock of the test.
    const woken = (wanted: string[]) => async () => {
      await bridge.call('POST', '/api/v1/channels/undelivered/send');
      expect(sent(running)).toEqual(wanted);
    };
    const id = await send(running, { title: 'one', labels: { disk: 'sda' } });
    await send(running, { title: 'two', labels: { disk: 'sdb' } });
    if (what === 'silence') {
      const matchers = [{ name: 'disk', value: 'sda', isRegex: false, isEqual: true }];
      const times = { startsAt: iso(bridge.clock.now), endsAt: iso(bridge.clock.now + HOUR) };
      const silence = { matchers, ...times, createdBy: 'anna', comment: 'New disk' };
      await bridge.call('POST', '/alertmanager/api/v2/silences', silence);
    } else {
      await add(running, { matchers: 'disk="sda"' });
    }
    await until(async () => expect((await detailOf(running, id)).thread.suppressed?.reason).toBe('New disk'));
    bridge.clock.advance(11 * MINUTE);
    await until(woken(['two triggered']));
    bridge.clock.advance(HOUR);
    await until(async () => expect((await detailOf(running, id)).thread.suppressed).toBeUndefined());
    bridge.clock.advance(11 * MINUTE);
    await until(woken(['two triggered', 'one triggered']));
  }
);

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
