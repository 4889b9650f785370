/** Labels over HTTP: of sends, batches and alerts, in filters, bulk actions, events and completion. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RouteTestResult } from '../../backend-bridge/contract/routeTest.ts';
import { startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { expectProblem, NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());

const filtered = (matchers: string) => `matchers=${encodeURIComponent(matchers)}`;
const titles = async (matchers: string) => (await bridge().list(filtered(matchers))).map(({ title }) => title).sort();

describe('a send', () => {
  it('stores labels, which lists, details and the response have', async () => {
    const labels = { team: 'a', instance: 'node1' };
    const sent = await bridge().post({ labels });
    expect(sent.body.labels).toEqual(labels);
    expect((await bridge().list(''))[0]!.labels).toEqual(labels);
    expect((await bridge().request('GET', `${NOTIFICATIONS}/${sent.body.id}`)).body.labels).toEqual(labels);
  });

  it('loses no notification for a wrong label', async () => {
    const labels = { ok: 'yes', count: 3, ['x'.repeat(129)]: 'a', long: 'x'.repeat(1025), none: null, list: [] };
    const { status, body } = await bridge().post({ labels });
    expect([status, body.labels]).toEqual([201, { ok: 'yes', count: '3' }]);
    expect(body.ignored[0]).toMatchObject({ reason: expect.stringContaining('Left out, or stored as text.') });
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`label${index}`, 'x']));
    expect(Object.keys((await bridge().post({ labels: many })).body.labels)).toHaveLength(64);
    expect((await bridge().post({ labels: 'a=b' })).body).not.toHaveProperty('labels');
  });

  it.each([
    [{ ['x'.repeat(129)]: 'a' }, 'a name of 1 to 128 bytes of UTF-8'],
    [{ '': 'a' }, 'a name of 1 to 128 bytes of UTF-8'],
    [{ a: 'x'.repeat(1025) }, 'a value of at most 1,024 bytes of UTF-8'],
    [{ a: 1 }, 'text'],
    [Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, 'x'])), 'at most 64 labels'],
  ])('is rejected with ?strict=true for %j', async (labels, allowed) => {
    const answer = await bridge().request('POST', `${NOTIFICATIONS}?strict=true`, { title: 'T', body: 'B', labels });
    expect(expectProblem(answer, 400).errors[0]).toMatchObject({ allowed });
  });
});

it('of a webhook are those of its alerts', async () => {
  const body = JSON.parse(
    await readFile(path.join(import.meta.dirname, '../fixtures/webhooks/alertmanager-mixed.json'), 'utf8')
  );
  expect((await bridge().request('POST', '/api/v1/webhooks/alertmanager', body)).status).toBe(200);
  const [alert] = body.alerts;
  const all = Object.entries(alert.labels as Record<string, string>).map(([name, value]) => `${name}="${value}"`);
  const found = await bridge().list(filtered(all.join(', ')));
  expect(found.map(({ labels }) => labels)).toEqual(found.map(() => alert.labels));
  expect(found.length).toBeGreaterThan(0);
});

it('filter lists, facets and bulk actions', async () => {
  await bridge().post({ title: 'one', correlationId: '1', status: 'triggered', labels: { team: 'a', env: 'prod' } });
  await bridge().post({ title: 'two', correlationId: '2', status: 'triggered', labels: { team: 'b' } });
  await bridge().post({ title: 'three', correlationId: '3', status: 'triggered' });
  expect(await titles('team=~"a|b"')).toEqual(['one', 'two']);
  expect(await titles('{env!="prod"}')).toEqual(['three', 'two']);
  expect(await bridge().facets(`latest=true&${filtered('team!=""')}`)).toMatchObject({ total: 2, open: 2 });
  const collapsed = await bridge().list(`latest=true&bursts=collapsed&${filtered('team!=""')}`);
  expect(collapsed.map(({ title }) => title)).toEqual(['two', 'one']);
  const filter = { open: true, matchers: 'team="a"' };
  expect((await bridge().request('POST', `${NOTIFICATIONS}/resolve`, { filter })).body).toMatchObject({ resolved: 1 });
  expect(await titles('team="a"')).toEqual(['one', 'one']);
  const deleted = await bridge().request('POST', `${NOTIFICATIONS}/delete`, { filter: { matchers: 'team="a"' } });
  expect(deleted.body).toMatchObject({ deleted: 2 });
  expect(await titles('')).toEqual(['three', 'two']);
});

it('groups have counts by the value of a label', async () => {
  await bridge().post({ correlationId: '1', status: 'triggered', labels: { team: 'a' } });
  await bridge().post({ labels: { team: 'b', env: 'prod' } });
  await bridge().post({});
  const groups = async (query: string) => (await bridge().facets(query)).groups;
  const quiet = { count: 1, unseen: 1, open: 0, openPriority: null };
  expect(await groups('latest=true&groupBy=team')).toEqual([
    { value: 'a', count: 1, unseen: 1, open: 1, openPriority: 'low' },
    { value: 'b', ...quiet },
    { value: '', ...quiet },
  ]);
  expect(await groups(`latest=true&groupBy=team&${filtered('env="prod"')}`)).toEqual([{ value: 'b', ...quiet }]);
  expectProblem(await bridge().request('GET', `${NOTIFICATIONS}/facets?groupBy=${'x'.repeat(129)}`), 400);
});

it.each([
  ['team', /Character 5: found the end, expected an operator: =, !=, =~, !~/],
  ['team="a', /expected the closing double quote/],
  ['team=~"("', /Character 7: .*missing closing \)/],
])('matchers %s are rejected with their position', async (matchers, detail) => {
  const problem = expectProblem(await bridge().request('GET', `${NOTIFICATIONS}?${filtered(matchers)}`), 400);
  expect(problem.errors[0]).toMatchObject({ pointer: '?matchers', detail: expect.stringMatching(detail) });
  expectProblem(await bridge().request('POST', `${NOTIFICATIONS}/delete`, { filter: { matchers } }), 400);
});

it('names and values are completed', async () => {
  await bridge().post({ labels: { zone: 'node1', zonal: 'a' } });
  await bridge().post({ labels: { zone: 'node2' } });
  const ask = async (query: string) => (await bridge().request('GET', `/api/v1/labels${query}`)).body;
  expect((await ask('')).texts).toEqual(expect.arrayContaining(['zonal', 'zone']));
  expect(await ask('?prefix=zon')).toEqual({ texts: ['zonal', 'zone'], more: false });
  expect(await ask('?name=zone&prefix=node')).toEqual({ texts: ['node1', 'node2'], more: false });
});

it('routes compare them, also after others of the same package', async () => {
  const hook = await closing(startHook());
  const folder = await Folder.make({
    'reach.yaml': `apiVersion: 1
channels: [{ name: hook, type: webhook, url: '${hook.url}/in' }]
routes: [{ channels: [hook], matchers: 'team="disks"' }, { channels: [hook], matchers: 'package="mark"' }]`,
  });
  const running = (await folder.start()).bridge;
  await running.post({ title: 'none', dnpName: 'nas' });
  await running.post({ title: 'net', dnpName: 'nas', labels: { team: 'net' } });
  await running.post({ title: 'disks', dnpName: 'nas', labels: { team: 'disks' } });
  // After it has gone out, so has everything before it.
  await running.post({ title: 'mark', dnpName: 'mark' });
  const sent = () => hook.accepted.map(({ json }) => json.title);
  await expect.poll(sent, { timeout: 60_000 }).toEqual(['disks', 'mark']);
  const tested = await running.call<RouteTestResult>('POST', '/api/v1/routes/test', { labels: { team: 'net' } });
  expect(tested.routes[0]).toMatchObject({ matches: false, why: ['labels team="net" is not matched by team="disks"'] });
});
