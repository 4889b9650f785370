/** Inhibition of a whole bridge with a channel: what is sent, and what is shown. */
import { describe, expect, test } from 'vitest';
import type { AmAlert } from '../../backend-bridge/contract/alertmanager.ts';
import { startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';

import { HOUR, MINUTE } from './support.ts';
import { add, detailOf, iso, listed, send, sent, sentSoFar, start, until } from './suppression.testing.ts';

const API = '/alertmanager/api/v2';

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

  test('a source that fires later inhibits targets that fire: they are marked, and not sent again', async () => {
    const running = await start(RULE);
    const target = await send(running, service('http', 'a'));
    await send(running, service('dns', 'b'));
    const source = await send(running, node('a'));
    await until(async () =>
      expect((await detailOf(running, target)).thread.suppressed).toEqual({
        ...{ by: 'inhibition', id: String(source), reason: 'a down' },
      })
    );
    expect((await detailOf(running, source)).thread.inhibits).toBe(1);
    await send(running, node('a', 'resolved'));
    await until(async () => expect((await detailOf(running, target)).thread.suppressed).toBeUndefined());
    await send(running, service('http', 'a', 'resolved'));
    expect(await sentSoFar(running)).toEqual([
      'http triggered',
      'dns triggered',
      'a down triggered',
      'a down resolved',
      'http resolved',
    ]);
  });

  test('a source that fires while a target waits for its escalation holds it', async () => {
    const running = await start(RULE, '[{ channels: [hook], unacknowledged: 10m, packages: [nas] }]');
    const { bridge } = running;
    const target = await send(running, service('http', 'a'));
    const source = { ...node('a'), dnpName: 'router' };
    await send(running, source);
    const isSuppressed = async () => (await detailOf(running, target)).thread.suppressed !== undefined;
    await until(async () => expect(await isSuppressed()).toBe(true));
    // The timers of senders do not follow the clock of the test.
    const pass = () => bridge.call('POST', '/api/v1/channels/undelivered/send');
    bridge.clock.advance(11 * MINUTE);
    await pass();
    await send(running, { ...source, status: 'resolved' });
    await until(async () => expect(await isSuppressed()).toBe(false));
    await pass();
    expect(sent(running)).toEqual([]);
    bridge.clock.advance(11 * MINUTE);
    await until(async () => {
      await pass();
      expect(sent(running)).toEqual(['http triggered']);
    });
  });

  test('a silenced target is not sent when its silence ends while the source is open', async () => {
    const running = await start(RULE);
    const { bridge } = running;
    const { silenceID } = await bridge.call<{ silenceID: string }>('POST', `${API}/silences`, {
      matchers: [{ name: 'severity', value: 'warning', isRegex: false, isEqual: true }],
      ...{ startsAt: iso(bridge.clock.now), endsAt: iso(bridge.clock.now + HOUR) },
      ...{ createdBy: 'anna', comment: 'New disk' },
    });
    const labelled = { labels: { alertname: 'Http', instance: 'a', severity: 'warning' } };
    const endsAt = iso(bridge.clock.now + 2 * HOUR);
    await bridge.call('POST', `${API}/alerts`, [{ ...labelled, endsAt }]);
    const source = { labels: { alertname: 'NodeDown', instance: 'a' }, endsAt };
    await bridge.call('POST', `${API}/alerts`, [source]);
    const [http] = await bridge.call<AmAlert[]>('GET', `${API}/alerts?filter=alertname=Http`);
    const [down] = await bridge.call<AmAlert[]>('GET', `${API}/alerts?filter=alertname=NodeDown`);
    expect(http!.status).toEqual({
      ...{ state: 'suppressed', silencedBy: [silenceID], inhibitedBy: [down!.fingerprint], mutedBy: [] },
    });
    const names = async (query: string) =>
      (await bridge.call<AmAlert[]>('GET', `${API}/alerts${query}`)).map(({ labels }) => labels['alertname']);
    expect(await names('?inhibited=false')).toEqual(['NodeDown']);
    expect(await names('?silenced=false')).toEqual(['NodeDown']);
    const row = (await bridge.list()).find(({ correlationId }) => correlationId === http!.fingerprint)!;
    const suppressor = async () => (await detailOf(running, row.id)).thread.suppressed?.by;
    expect(await suppressor()).toBe('silence');
    await bridge.call('DELETE', `${API}/silence/${silenceID}`);
    await until(async () => expect(await suppressor()).toBe('inhibition'));
    expect(await sentSoFar(running)).toEqual(['NodeDown on a triggered']);
    await bridge.call('POST', `${API}/alerts`, [{ ...source, endsAt: iso(bridge.clock.now) }]);
    await until(async () => expect(await suppressor()).toBeUndefined());
    expect(await sentSoFar(running)).toEqual(['NodeDown on a resolved', 'Http on a triggered']);
  });

  test('of one request: a target is not sent, whichever comes first, and both resolve', async () => {
    const running = await start(RULE);
    const { bridge } = running;
    const labels = [
      { alertname: 'Http', instance: 'a', severity: 'warning' },
      { alertname: 'NodeDown', instance: 'a' },
    ];
    const post = (all: object[], endsAt: string) =>
      bridge.call(
        'POST',
        `${API}/alerts`,
        all.map((one) => ({ labels: one, endsAt }))
      );
    for (const order of [labels, labels.toReversed()]) {
      await post(order, iso(bridge.clock.now + HOUR));
      expect(await sentSoFar(running)).toEqual(['NodeDown on a triggered']);
      bridge.clock.advance(MINUTE);
      await post(order, iso(bridge.clock.now));
      // As in Alertmanager, the resolve of the target is sent, since nothing inhibits it any more.
      expect((await sentSoFar(running)).toSorted()).toEqual(['Http on a resolved', 'NodeDown on a resolved']);
      bridge.clock.advance(MINUTE);
    }
  });

  test('the API of Alertmanager names a source as soon as it fires', async () => {
    const running = await start(RULE);
    const post = (labels: object) => running.bridge.call('POST', `${API}/alerts`, [{ labels }]);
    await post({ alertname: 'Http', instance: 'a', severity: 'warning' });
    await post({ alertname: 'NodeDown', instance: 'a' });
    const [http, down] = await running.bridge
      .call<AmAlert[]>('GET', `${API}/alerts`)
      .then((all) => ['Http', 'NodeDown'].map((name) => all.find(({ labels }) => labels['alertname'] === name)!));
    expect(http!.status).toMatchObject({ state: 'suppressed', inhibitedBy: [down!.fingerprint] });
    expect(down!.status).toMatchObject({ state: 'active', inhibitedBy: [] });
  });

  test('a rule that is added while its source is open inhibits what arrives from then on', async () => {
    const hook = await closing(startHook());
    const folder = await Folder.make({ 'reach.yaml': 'apiVersion: 1\nchannels: []' });
    const running = { bridge: (await folder.start()).bridge, hook };
    const reasonOf = async (id: number) => (await detailOf(running, id)).thread.suppressed?.reason;
    for (const one of [node('a'), node('b'), node('b', 'resolved')]) {
      await send(running, one);
    }
    await folder.write({ 'rules.yaml': `apiVersion: 1\n${RULE}` });
    await until(async () =>
      expect(await reasonOf(await send(running, { ...service('http', 'a'), correlationId: `${Math.random()}` }))).toBe(
        'a down'
      )
    );
    expect(await reasonOf(await send(running, service('ssh', 'b')))).toBeUndefined();
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
