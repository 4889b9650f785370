/** Acknowledging, commenting, snoozing and assigning, over HTTP. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { People } from '../../backend-bridge/contract/respond.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { expectProblem, HOUR, MINUTE, NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
const anna = new GrafanaPerson(bridge, 'anna');
const bert = new GrafanaPerson(bridge, 'bert');
const viewer = new GrafanaPerson(bridge, 'vera', { OrgRole: 'Viewer' });
const admin = new GrafanaPerson(bridge, 'ada', { OrgRole: 'Admin' });

beforeEach(async () => {
  await bridge().clear();
  await Promise.all([anna.unread(), bert.unread(), viewer.unread()]);
});

const fire = (more: Record<string, unknown> = {}) =>
  bridge().send({ correlationId: 'disk', dnpName: 'dms', status: 'triggered', priority: 'high', ...more });
const detail = (who: GrafanaPerson, id: number) => who.call<NotificationDetail>('GET', `/${id}`);
const kinds = async (who: GrafanaPerson, id: number) => (await detail(who, id)).timeline?.map(({ kind }) => kind);
const status = async (who: GrafanaPerson, method: string, path: string, body?: unknown): Promise<number> =>
  (await bridge().request(method, path, body, who.headers)).status;

const until = (ms: number) => new Date(bridge().clock.now + ms).toISOString();

describe('acknowledging', () => {
  test('names who, when and why; what fires again is read by everybody', async () => {
    const { id } = await fire();
    const { thread } = await anna.call<NotificationDetail>('POST', `/${id}/acknowledge`, { comment: ' on it ' });
    const acknowledged = { by: 'anna', at: bridge().clock.iso, comment: 'on it' };
    expect(thread).toMatchObject({ acknowledged, unread: 0, unseen: 0 });
    expect(await bert.unread()).toBe(1);
    await bert.reads(id);
    await fire({ priority: 'low' });
    await fire();
    expect(await bert.unread()).toBe(0);
    const [row] = await bert.list('latest=true');
    expect(row!.thread).toMatchObject({ acknowledged, count: 3 });
    expect((await detail(bert, id)).timeline).toMatchObject([{ kind: 'acknowledged', by: 'anna', text: 'on it' }]);
  });

  test.each([
    ['a higher priority', async () => void (await fire({ priority: 'critical' }))],
    [
      'a new alert after a resolve',
      async () => {
        await fire({ status: 'resolved' });
        await fire({ priority: 'low' });
      },
    ],
    ['an event without a status', async () => void (await fire({ status: undefined }))],
  ])('%s ends it', async (_, act) => {
    const { id } = await fire();
    await anna.call('POST', `/${id}/acknowledge`);
    await bert.call('PUT', '/seen');
    await act();
    const [row] = await bert.list('latest=true');
    expect(row!.thread.acknowledged).toBeUndefined();
    expect(row!.read).toBe(false);
    expect(await kinds(bert, id)).toEqual(['acknowledged', 'ended']);
  });

  test('what resolves it leaves it, and is unread', async () => {
    const { id } = await fire();
    await anna.call('POST', `/${id}/acknowledge`);
    await bert.call('PUT', '/seen');
    await fire({ status: 'resolved' });
    const [row] = await bert.list('latest=true');
    expect(row).toMatchObject({ read: false, thread: { state: 'resolved', acknowledged: { by: 'anna' } } });
  });

  test('can be taken back; whoever repeats it changes nothing', async () => {
    const { id } = await fire();
    await anna.call('POST', `/${id}/acknowledge`);
    bridge().clock.advance(MINUTE);
    await anna.call('POST', `/${id}/acknowledge`);
    await bert.call('POST', `/${id}/acknowledge`, { comment: 'me too' });
    const { thread } = await bert.call<NotificationDetail>('DELETE', `/${id}/acknowledge`);
    expect(thread.acknowledged).toBeUndefined();
    await bert.call('DELETE', `/${id}/acknowledge`);
    expect(await kinds(anna, id)).toEqual(['acknowledged', 'acknowledged', 'unacknowledged']);
    await fire();
    expect(await anna.unread()).toBe(1);
  });

  test('many, all that match, and back', async () => {
    const sent = await bridge().sendAll(
      ['a', 'b', 'c'].map((correlationId) => ({ correlationId, status: 'triggered' }))
    );
    const ids = sent.map(({ id }) => id);
    expect(await anna.call('POST', '/acknowledge', { ids: [...ids.slice(0, 2), 999_999] })).toEqual({
      changed: 2,
      ids: ids.slice(0, 2),
    });
    expect(await anna.call('POST', '/acknowledge', { filter: { open: true, acknowledged: false } })).toEqual({
      changed: 1,
      ids: [ids[2]],
    });
    expect(await anna.list('latest=true&acknowledged=false')).toEqual([]);
    expect((await anna.facets('latest=true&acknowledged=true')).total).toBe(3);
    await anna.call('POST', '/acknowledge', { ids: ids.slice(1), acknowledged: false });
    expect((await anna.list('latest=true&acknowledged=true')).map(({ id }) => id)).toEqual([ids[0]]);
    expect((await anna.list('open=true&acknowledged=false')).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  });

  test('also what is not in the inbox, by its own id', async () => {
    const { id } = await fire();
    const { id: hidden } = await bridge().send({ correlationId: 'hidden', errors: 'no such host' });
    const ids = [id, hidden];
    expect(await anna.call('POST', '/acknowledge', { ids })).toEqual({ changed: 2, ids });
    expect(await anna.call('PUT', '/snooze', { ids, until: until(HOUR) })).toEqual({ changed: 2, ids });
    expect(await anna.call('POST', '/assignee', { ids, assignee: 'me' })).toMatchObject({
      ids,
      before: [{ assignee: null, ids }],
    });
    expect((await detail(anna, hidden)).thread).toMatchObject({ acknowledged: { by: 'anna' } });
  });

  test('wrong input', async () => {
    const { id } = await fire();
    const post = (path: string, body?: unknown) => bridge().request('POST', `${NOTIFICATIONS}/${path}`, body);
    expectProblem(await post('999999/acknowledge'), 404);
    expectProblem(await post(`${id}/acknowledge`, { comment: 'x'.repeat(5000) }), 400);
    expectProblem(await post('acknowledge', {}), 400);
    expectProblem(await post('acknowledge', { ids: [id], filter: {} }), 400);
  });
});

describe('comments', () => {
  test('are in the timeline, found by a search, and edited by their author', async () => {
    const { id } = await fire();
    const other = await bridge().send({ correlationId: 'other', title: 'Replaced nothing' });
    const { timeline, thread } = await anna.call<NotificationDetail>('POST', `/${id}/comments`, {
      text: 'Ordered a Réplacement https://example.org/x',
    });
    expect(thread.comments).toBe(1);
    const [comment] = timeline!;
    expect(comment).toMatchObject({ kind: 'comment', by: 'anna', own: true, at: bridge().clock.iso });
    expect((await detail(bert, id)).timeline![0]!.own).toBeUndefined();
    expect((await bert.list('q=replac')).map((one) => one.id)).toEqual([other.id, id]);
    expect((await bert.list('q=ordered repl')).map((one) => one.id)).toEqual([id]);
    expect((await bert.facets('q=ordered repl')).total).toBe(1);

    const path = `/api/v1/comments/${comment!.id}`;
    expect(await status(bert, 'PUT', path, { text: 'x' })).toBe(403);
    expect(await status(bert, 'DELETE', path)).toBe(403);
    expect(await status(admin, 'PUT', path, { text: 'x' })).toBe(403);
    bridge().clock.advance(MINUTE);
    expect(await status(anna, 'PUT', path, { text: 'Done' })).toBe(204);
    expect((await detail(bert, id)).timeline).toMatchObject([{ text: 'Done', editedAt: bridge().clock.iso }]);
    expect(await bert.list('q=ordered')).toEqual([]);
    expect(await status(admin, 'DELETE', path)).toBe(204);
    expect(await status(admin, 'DELETE', path)).toBe(404);
    expect((await detail(bert, id)).timeline).toBeUndefined();
    expect(await bert.list('q=done')).toEqual([]);
  });

  test('are deleted by admins of the organization of their author, and by the admin token', async () => {
    const foreign = new GrafanaPerson(bridge, 'otto', { OrgRole: 'Admin', OrgID: 11 });
    const { id } = await fire();
    const comment = async (who: GrafanaPerson): Promise<string> => {
      const { timeline } = await who.call<NotificationDetail>('POST', `/${id}/comments`, { text: 'theirs' });
      return `/api/v1/comments/${timeline!.at(-1)!.id}`;
    };
    const [ofAnna, second, ofOtto] = [await comment(anna), await comment(anna), await comment(foreign)];
    const rejected = await bridge().request('DELETE', ofAnna, undefined, foreign.headers);
    expect(expectProblem(rejected, 403).detail).toMatch(/admins of its author's organization can delete it/);
    expect(await status(admin, 'DELETE', ofOtto)).toBe(403);
    expect(await status(foreign, 'DELETE', ofOtto)).toBe(204);
    expect(await status(admin, 'DELETE', ofAnna)).toBe(204);
    expect((await bridge().request('DELETE', second)).status).toBe(204);
  });

  test('come back with their thread, and go with it', async () => {
    const { id } = await fire();
    await anna.call('POST', `/${id}/comments`, { text: 'kept' });
    await anna.call('POST', `/${id}/acknowledge`);
    await bridge().restore(await bridge().remove(id));
    expect(await kinds(anna, id)).toEqual(['comment', 'acknowledged']);
    await bert.call('PUT', '/seen');
    await fire();
    expect(await bert.unread()).toBe(0);

    const undo = await bridge().remove(...(await bridge().list()).map((one) => one.id));
    const again = await fire();
    expect((await detail(anna, again.id)).timeline).toBeUndefined();
    await bridge().restore(undo);
    expect(await kinds(anna, again.id)).toEqual(['comment', 'acknowledged']);
  });

  test('wrong input', async () => {
    const { id } = await fire();
    const post = (text: unknown) => bridge().request('POST', `${NOTIFICATIONS}/${id}/comments`, { text });
    expectProblem(await post(' '), 400);
    expectProblem(await post('ä'.repeat(2049)), 400);
    expect((await post('ä'.repeat(2048))).status).toBe(201);
    for (let count = 1; count < 200; count += 1) {
      expect((await post('x')).status).toBe(201);
    }
    expectProblem(await post('x'), 409);
  });
});

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
