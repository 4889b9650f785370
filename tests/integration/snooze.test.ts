/** Snoozing and assigning, over HTTP. */
import { describe, expect, test, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { People } from '../../backend-bridge/contract/respond.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { useResponders } from './respond.testing.ts';
import { expectProblem, HOUR, NOTIFICATIONS } from './support.ts';

const { bridge, anna, bert, viewer, fire, detail, kinds, status, until } = useResponders();

describe('snoozing', () => {
  const rows = async (who: GrafanaPerson, query = 'latest=true') => (await who.list(query)).map(({ id }) => id);

  test('hides a thread from one person, who has it back on top and unread', async () => {
    const { id } = await fire();
    const end = until(HOUR);
    const { thread } = await viewer.call<NotificationDetail>('PUT', `/${id}/snooze`, { until: end });
    expect(thread.snoozed).toEqual({ until: end, for: 'me', by: 'vera' });
    const newer = await bridge().send({ correlationId: 'newer' });
    await fire();
    expect(await rows(viewer)).toEqual([newer.id]);
    expect(await viewer.unread()).toBe(1);
    expect((await viewer.facets('latest=true')).total).toBe(1);
    expect((await viewer.facets('latest=true')).open).toBe(0);
    expect(await rows(viewer, 'latest=true&snoozed=true')).toHaveLength(1);
    expect(await rows(viewer, 'latest=true&snoozed=all')).toHaveLength(2);
    expect(await rows(bert)).toHaveLength(2);
    const newest = await bridge().send({ correlationId: 'newest' });

    bridge().clock.advance(HOUR);
    await vi.waitFor(async () => expect(await rows(viewer)).toHaveLength(3), 5000);
    const [first, ...others] = await viewer.list('latest=true');
    expect(first).toMatchObject({ correlationId: 'disk', read: false, thread: { returnedAt: bridge().clock.iso } });
    expect(others.map((one) => one.id)).toEqual([newest.id, newer.id]);
    expect(
      (await bridge().request('GET', `${NOTIFICATIONS}?latest=true&limit=2`, undefined, viewer.headers)).body
    ).toHaveLength(2);
    await viewer.call('PUT', '/seen', { ids: [first!.id], wholeThreads: true });
    expect((await rows(viewer))[0]).toBe(newest.id);
  });

  test.each([
    ['it gets worse', { priority: 'critical' }],
    ['it resolves', { status: 'resolved' }],
  ])('ends when %s', async (_, more) => {
    const { id } = await fire();
    await anna.call('PUT', `/${id}/snooze`, { until: until(HOUR) });
    await anna.call('PUT', '/seen');
    const { id: last } = await fire(more);
    expect(await rows(anna)).toEqual([last]);
    expect(await anna.unread()).toBe(1);
  });

  test('ends on request; it can be changed', async () => {
    const { id } = await fire();
    await anna.call('PUT', `/${id}/snooze`, { until: until(HOUR) });
    await anna.call('PUT', `/${id}/snooze`, { until: until(2 * HOUR) });
    expect((await detail(anna, id)).thread.snoozed!.until).toBe(until(2 * HOUR));
    await anna.call('PUT', `/${id}/snooze`, { until: null });
    expect(await rows(anna)).toEqual([id]);
  });

  test('for all: by an editor, in the timeline, over a restart', async () => {
    const { id } = await fire();
    const path = `${NOTIFICATIONS}/${id}/snooze`;
    const body = { until: until(HOUR), for: 'all' };
    expect(await status(viewer, 'PUT', path, body)).toBe(403);
    expect(await status(anna, 'PUT', path, body)).toBe(200);
    expect(await rows(viewer)).toEqual([]);
    expect(await bridge().list('latest=true')).toEqual([]);
    await fire();
    expect([await viewer.unread(), await bridge().unseenCount()]).toEqual([0, 0]);
    await bridge().restart();
    expect(await rows(viewer)).toEqual([]);
    bridge().clock.advance(HOUR);
    await vi.waitFor(async () => expect(await bridge().list('latest=true')).toHaveLength(1), 5000);
    expect(await bridge().unseenCount()).toBe(1);
    expect([await viewer.unread(), await anna.unread()]).toEqual([2, 2]);
    expect((await detail(viewer, id)).timeline).toMatchObject([
      { kind: 'snoozed', by: 'anna', text: body.until },
      { kind: 'woken', by: '' },
    ]);
  });

  test('many, all that match, and back', async () => {
    const sent = await bridge().sendAll(
      ['a', 'b', 'c'].map((correlationId) => ({ correlationId, status: 'triggered' }))
    );
    const ids = sent.map(({ id }) => id);
    const end = until(HOUR);
    const snooze = (who: GrafanaPerson, body: object) => who.call('PUT', '/snooze', { until: end, ...body });
    expect(await snooze(viewer, { ids: [ids[0], ids[2], 999_999] })).toEqual({ changed: 2, ids: [ids[0], ids[2]] });
    expect(await snooze(viewer, { ids })).toEqual({ changed: 1, ids: [ids[1]] });
    expect([await rows(viewer), await rows(anna)]).toEqual([[], ids.toReversed()]);
    expect(await snooze(viewer, { filter: { snoozed: 'true' }, until: null })).toMatchObject({ changed: 3 });
    expect(await rows(viewer)).toHaveLength(3);
    expect(await status(viewer, 'PUT', `${NOTIFICATIONS}/snooze`, { ids, until: end, for: 'all' })).toBe(403);
    expect(await snooze(anna, { filter: { q: 'nothing' }, for: 'all' })).toEqual({ changed: 0, ids: [] });
    expect(await snooze(anna, { filter: { open: true, correlationId: ['b', 'c'] }, for: 'all' })).toEqual({
      changed: 2,
      ids: [ids[2], ids[1]].toSorted(),
    });
    expect(await rows(viewer)).toEqual([ids[0]]);
    expect(await kinds(bert, ids[1]!)).toEqual(['snoozed']);
  });

  test('more at once than a person may snooze: none of them', async () => {
    const sent = await bridge().sendAll(
      Array.from({ length: 1001 }, (_, number) => ({ correlationId: `n${number}`, status: 'triggered' }))
    );
    const ids = sent.map(({ id }) => id);
    const busy = new GrafanaPerson(bridge, 'busy');
    await busy.unread();
    const put = (body: object) =>
      bridge().request('PUT', `${NOTIFICATIONS}/snooze`, { until: until(HOUR), ...body }, busy.headers);
    expect((await put({ ids: ids.slice(0, 999) })).body).toMatchObject({ changed: 999, ids: null });
    expectProblem(await put({ ids: ids.slice(999) }), 409);
    expect((await put({ ids: ids.slice(0, 1000) })).body).toEqual({ changed: 1, ids: [ids[999]] });
    expectProblem(await put({ filter: {} }), 409);
    expect(await rows(busy)).toEqual([ids[1000]]);
  });

  test('is heard of by oneself only', async () => {
    const { id } = await fire();
    const [own, others] = await Promise.all([anna.listen(), bert.listen()]);
    await anna.call('PUT', `/${id}/snooze`, { until: until(HOUR) });
    await bert.call('POST', `/${id}/comments`, { text: 'hello' });
    const heard = async (listener: typeof own, count: number) => {
      const all = await listener.until(() => listener.types.filter((type) => type === 'responded').length === count);
      await listener.close();
      return all.filter(({ type }) => type === 'responded').map(({ data }) => data);
    };
    expect(await heard(own, 2)).toEqual([{ ids: [id] }, { ids: [id] }]);
    expect(await heard(others, 1)).toEqual([{ ids: [id] }]);
  });

  test('wrong input', async () => {
    const { id } = await fire();
    const put = (body: unknown, who = anna) =>
      bridge().request('PUT', `${NOTIFICATIONS}/${id}/snooze`, body, who.headers);
    expect(expectProblem(await put({ until: until(0) }), 400).detail).toContain('in the future');
    expectProblem(await put({ until: until(367 * 24 * HOUR) }), 400);
    expectProblem(await put({ until: '2026-12-01T10:00:00' }), 400);
    const script = await bridge().request('PUT', `${NOTIFICATIONS}/${id}/snooze`, { until: until(HOUR), for: 'me' });
    expectProblem(script, 409);
  });
});

describe('assigning', () => {
  test('to a person who has been here; filters "mine" and "nobody\'s"', async () => {
    const { id } = await fire();
    const other = await bridge().send({ correlationId: 'other' });
    const { people, me } = (await bridge().request<People>('GET', '/api/v1/people', undefined, anna.headers)).body;
    expect(me).toBe('org:1/user:uid-of-anna');
    expect(people.map(({ name }) => name)).toEqual(expect.arrayContaining(['anna', 'bert']));
    const { key } = people.find(({ name }) => name === 'bert')!;
    const { thread } = await anna.call<NotificationDetail>('POST', `/${id}/assignee`, { assignee: key });
    expect(thread.assignee).toEqual({ key, name: 'bert' });
    expect((await bert.list('latest=true&assignee=me')).map((one) => one.id)).toEqual([id]);
    expect(await anna.list('latest=true&assignee=me')).toEqual([]);
    expect((await anna.list('latest=true&assignee=none')).map((one) => one.id)).toEqual([other.id]);
    expect((await anna.facets('latest=true&assignee=none')).total).toBe(1);
    await bert.call('POST', `/${id}/assignee`, { assignee: 'me' });
    await bert.call('DELETE', `/${id}/assignee`);
    expect(await kinds(anna, id)).toEqual(['assigned', 'unassigned']);
    expectProblem(await bridge().request('POST', `${NOTIFICATIONS}/${id}/assignee`, { assignee: 'nobody' }), 400);
    expectProblem(await bridge().request('GET', `${NOTIFICATIONS}?assignee=me`), 400);
  });

  test('whoever closes what is assigned to "me" closes what is their own', async () => {
    const own = await fire();
    const other = await fire({ correlationId: 'other' });
    await anna.call('POST', `/${own.id}/assignee`, { assignee: 'me' });
    const filter = { latest: true, assignee: 'me' };
    expect(await anna.call('POST', '/resolve', { filter })).toMatchObject({ resolved: 1 });
    expect((await anna.list('open=true')).map(({ id }) => id)).toEqual([other.id]);
  });

  test('many, all that match, and back to whom they were assigned', async () => {
    const sent = await bridge().sendAll(
      ['a', 'b', 'c'].map((correlationId) => ({ correlationId, status: 'triggered' }))
    );
    const [a, b, c] = sent.map(({ id }) => id);
    const key = 'org:1/user:uid-of-bert';
    await anna.call('POST', `/${b}/assignee`, { assignee: key });
    const assign = (body: object) => anna.call('POST', '/assignee', body);
    const mine = async (who: GrafanaPerson) => (await who.list('latest=true&assignee=me')).map(({ id }) => id);
    expect(await assign({ filter: { open: true }, assignee: 'me' })).toEqual({
      ...{ changed: 3, ids: [a, b, c] },
      before: [
        { assignee: null, ids: [a, c] },
        { assignee: key, ids: [b] },
      ],
    });
    expect(await mine(anna)).toEqual([c, b, a]);
    expect(await assign({ ids: [a, b, c], assignee: 'me' })).toEqual({ changed: 0, ids: [], before: [] });
    await assign({ ids: [a, c], assignee: null });
    await assign({ ids: [b], assignee: key });
    expect([await mine(anna), await mine(bert)]).toEqual([[], [b]]);
    expect(await kinds(anna, b!)).toEqual(['assigned', 'assigned', 'assigned']);
    const refused = await bridge().request('POST', `${NOTIFICATIONS}/assignee`, { ids: [a, b], assignee: 'nobody' });
    expect(expectProblem(refused, 400).detail).toContain('GET /people');
    expectProblem(await bridge().request('POST', `${NOTIFICATIONS}/assignee`, { assignee: null }), 400);
    expect(await mine(bert)).toEqual([b]);
  });

  test('people of another organisation are not listed', async () => {
    const far = new GrafanaPerson(bridge, 'fara', { OrgID: 2 });
    await far.unread();
    const names = async (who: GrafanaPerson) =>
      (await bridge().request<People>('GET', '/api/v1/people', undefined, who.headers)).body.people.map(
        ({ name }) => name
      );
    expect(await names(far)).toEqual(['fara']);
    expect(await names(anna)).not.toContain('fara');
  });
});
