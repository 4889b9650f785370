/** Acknowledging and commenting, over HTTP. */
import { describe, expect, test } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { useResponders } from './respond.testing.ts';
import { expectProblem, HOUR, MINUTE, NOTIFICATIONS } from './support.ts';

const { bridge, anna, bert, admin, fire, detail, kinds, status, until } = useResponders();

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
