/** Metrics of the bridge, and the switches of categories. */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Category } from '../../backend-bridge/contract/query.ts';
import { Listener } from './listener.ts';
import { expectProblem, MINUTE, NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());

describe('metrics', () => {
  const read = async (series: string): Promise<number> => {
    const text = (await bridge().request<string>('GET', '/metrics')).body;
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? 0 : Number(line.slice(series.length + 1));
  };
  const received = (source: string, outcome: string): Promise<number> =>
    read(`nodebell_notifications_received_total{source="${source}",outcome="${outcome}"}`);

  it('use the text exposition format', async () => {
    const { headers, body } = await bridge().request<string>('GET', '/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const name of [
      'nodebell_notifications_received_total',
      'nodebell_writes_waiting',
      'nodebell_store_writable',
      'nodebell_leader',
      'nodebell_event_clients',
      'nodebell_event_unread_bytes',
      'nodebell_notifications_unseen',
      'nodebell_archive_bytes',
      'nodebell_database_bytes',
      'nodebell_database_free_bytes',
      'nodebell_disk_free_bytes',
      'nodebell_notifications',
      'nodebell_retention_failed',
      'nodebell_retention_removed_total',
      'process_cpu_seconds_total',
    ]) {
      expect(body).toContain(`# HELP ${name} `);
      expect(body).toContain(`# TYPE ${name} `);
    }
  });

  it('count open threads, and how long the first of them waits for an acknowledgement', async () => {
    const open = (state: string) =>
      read(`nodebell_threads_open{priority="critical",category="hosts",state="${state}"}`);
    const waits = () => read('nodebell_oldest_unacknowledged_seconds');
    expect([await open('unacknowledged'), await waits()]).toEqual([0, 0]);
    const body = { category: 'hosts', priority: 'critical', status: 'triggered' };
    const first = await bridge().send({ ...body, correlationId: 'a' });
    bridge().clock.advance(MINUTE);
    await bridge().send({ ...body, correlationId: 'b' });
    bridge().clock.advance(MINUTE);
    expect([await open('unacknowledged'), await open('acknowledged'), await waits()]).toEqual([2, 0, 120]);
    await bridge().call('POST', `${NOTIFICATIONS}/${first.id}/acknowledge`, {});
    expect([await open('unacknowledged'), await open('acknowledged'), await waits()]).toEqual([1, 1, 60]);
    await bridge().send({ ...body, correlationId: 'b', status: 'resolved' });
    await bridge().send({ ...body, correlationId: 'a', status: 'resolved' });
    expect([await open('unacknowledged'), await open('acknowledged'), await waits()]).toEqual([0, 0, 0]);
  });

  it('count received notifications, by source and result', async () => {
    const before = await Promise.all([
      received('api', 'stored'),
      received('api', 'duplicate'),
      received('api', 'conflict'),
      received('gatus', 'stored'),
    ]);
    await bridge().send();
    await bridge().post({}, { 'Idempotency-Key': 'metrics' });
    await bridge().post({}, { 'Idempotency-Key': 'metrics' });
    await bridge().post({ title: 'another' }, { 'Idempotency-Key': 'metrics' });
    await bridge().post({ title: '', body: '' });
    await bridge().call('POST', '/api/v1/webhooks/gatus', { title: 'T', body: 'B', status: 'TRIGGERED' });
    const after = await Promise.all([
      received('api', 'stored'),
      received('api', 'duplicate'),
      received('api', 'conflict'),
      received('gatus', 'stored'),
    ]);
    expect(after.map((count, index) => count - before[index]!)).toEqual([2, 1, 1, 1]);
  });

  it('contain the unseen notifications, open streams, the state of the store and its size', async () => {
    await bridge().sendAll([{}, {}, { errors: 'e' }]);
    const listener = await Listener.connect(bridge());
    await listener.until(1);
    expect(await read('nodebell_notifications_unseen')).toBe(2);
    expect(await read('nodebell_event_clients')).toBe(1);
    expect(await read('nodebell_store_writable')).toBe(1);
    // The text index may be writing.
    await vi.waitFor(async () => expect(await read('nodebell_writes_waiting')).toBe(0), { timeout: 60_000 });
    const bytes = await read('nodebell_database_bytes');
    await listener.close();
    // Random: PostgreSQL compresses long texts.
    await bridge().send({ body: randomBytes(375_000).toString('base64') });
    expect(await read('nodebell_database_bytes')).toBeGreaterThan(bytes + 400_000);
  });

  it('require the admin token, unless they are public', async () => {
    expectProblem(await bridge().request('GET', '/metrics', undefined, { Authorization: '' }), 403);
  });
});

describe('categories', () => {
  it('are listed by name with counts if they have notifications or a switch', async () => {
    await bridge().sendAll([
      { category: 'c1' },
      { category: 'c1' },
      { category: 'c0', errors: 'e' },
      { category: 'c2' },
    ]);
    const [first] = await bridge().list('category=c1');
    await bridge().call('PATCH', `${NOTIFICATIONS}/${first!.id}`, { seen: true });
    await bridge().switchCategory('c3', false);
    const present = (await bridge().call<Category[]>('GET', '/api/v1/categories')).filter(({ category }) =>
      /^c\d$/.test(category)
    );
    expect(present).toEqual([
      { category: 'c1', enabled: true, count: 2, unseen: 1 },
      { category: 'c2', enabled: true, count: 1, unseen: 1 },
      { category: 'c3', enabled: false, count: 0, unseen: 0 },
    ]);
  });

  it('are switched separately, whatever their name, and stay so after a restart', async () => {
    for (const category of ['a/b', 'ünï 🔥', '100%', 'seen', 'a b?c#d', 'constructor', '..x']) {
      expect(await bridge().switchCategory(category, false)).toEqual({ category, enabled: false, count: 0, unseen: 0 });
      expect((await bridge().send({ category })).muted, category).toBe(true);
    }
    expect((await bridge().send({ category: 'a' })).muted).toBe(false);
    await bridge().restart();
    expect((await bridge().send({ category: 'a/b' })).muted).toBe(true);
    await bridge().switchCategory('a/b', true);
    expect((await bridge().send({ category: 'a/b' })).muted).toBe(false);
    expect((await bridge().send({ category: 'seen' })).muted).toBe(true);
  });

  it('ids with a slash may be unescaped, as proxies send them', async () => {
    await bridge().call('PUT', '/api/v1/categories/x/y', { enabled: false });
    expect((await bridge().send({ category: 'x/y' })).muted).toBe(true);
  });

  it.each([{}, { enabled: 'no' }, { enabled: null }, { enabled: true, more: 1 }, []])(
    'the switch is a boolean: not %j',
    async (body) => {
      expectProblem(await bridge().request('PUT', '/api/v1/categories/a', body), 400);
    }
  );

  it('muted notifications stay muted, and are listed on request', async () => {
    await bridge().switchCategory('quiet', false);
    const sent = await bridge().send({ category: 'quiet' });
    await bridge().switchCategory('quiet', true);
    expect(await bridge().list()).toEqual([]);
    expect(await bridge().list('muted=true')).toEqual([sent]);
    expect((await bridge().facets('muted=true')).categories).toMatchObject([
      { category: 'quiet', count: 1, enabled: true, open: 0 },
    ]);
  });
});
