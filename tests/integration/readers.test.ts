/** Each user has a read state of their own; `seen` is shared. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notification, NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { type Answer, DAY, NOTIFICATIONS, TestBridge } from './support.ts';

let bridge: TestBridge;
const anna = new GrafanaPerson(() => bridge, 'anna');
const bert = new GrafanaPerson(() => bridge, 'bert');
beforeEach(async () => {
  bridge = await TestBridge.start();
});
afterEach(() => bridge.dispose());

/** Both have visited, so that each has a state of their own. */
async function bothCome(): Promise<void> {
  expect([await anna.unread(), await bert.unread()]).toEqual([0, 0]);
}

describe('reading', () => {
  it("is personal: the other's count does not change, and both receive the event that it was seen", async () => {
    await bothCome();
    const [one, two] = await bridge.sendAll([{ title: 'one' }, { title: 'two' }]);
    expect([await anna.unread(), await bert.unread(), await bridge.unseenCount()]).toEqual([2, 2, 2]);
    expect(await anna.call('PATCH', `/${one!.id}`, { seen: true })).toMatchObject({ seen: true, read: true });
    expect([await anna.unread(), await bert.unread(), await bridge.unseenCount()]).toEqual([1, 2, 1]);
    expect(await bert.list()).toMatchObject([
      { title: 'two', seen: false, read: false, thread: { unseen: 1, unread: 1 } },
      { title: 'one', seen: true, read: false, thread: { unseen: 0, unread: 1 } },
    ]);
    expect(await anna.list()).toMatchObject([
      { title: 'two', seen: false, read: false },
      { title: 'one', seen: true, read: true, thread: { unseen: 0, unread: 0 } },
    ]);
    expect(await bert.reads(one!.id, two!.id)).toEqual({ changed: 2 });
    expect([await anna.unread(), await bert.unread(), await bridge.unseenCount()]).toEqual([1, 0, 0]);
  });

  it('marking as unread is personal, and it stays seen', async () => {
    await bothCome();
    const { id } = await bridge.send();
    await anna.reads(id);
    await bert.reads(id);
    expect(await anna.call('PATCH', `/${id}`, { seen: false })).toMatchObject({ seen: true, read: false });
    expect([await anna.unread(), await bert.unread(), await bridge.unseenCount()]).toEqual([1, 0, 0]);
  });

  it('by clients that do not come through Grafana changes only the shared state', async () => {
    await bothCome();
    const { id } = await bridge.send();
    expect(await bridge.call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: true })).toEqual({
      ...(await bridge.list())[0],
      seen: true,
    });
    expect(await bridge.get(id)).not.toHaveProperty('read');
    expect((await bridge.get(id)).thread).not.toHaveProperty('unread');
    expect([await anna.unread(), await bert.unread(), await bridge.unseenCount()]).toEqual([1, 1, 0]);
  });

  it('a thread, and everything that matches up to an id', async () => {
    await bothCome();
    const sent = await bridge.sendAll([
      { correlationId: 'disk', category: 'system', title: 'full' },
      { correlationId: 'disk', category: 'system', title: 'fuller' },
      { title: 'other' },
      { title: 'later' },
    ]);
    expect(await anna.call('PUT', '/disk/seen')).toEqual({ changed: 2 });
    expect(await anna.titles('read=false')).toEqual(['later', 'other']);
    expect(await anna.call('PUT', `/seen?latest=true&untilId=${sent[2]!.id}`)).toEqual({ changed: 1 });
    expect(await anna.titles('read=false&latest=true')).toEqual(['later']);
    expect(await bert.titles('read=false&latest=true')).toEqual(['later', 'other', 'fuller']);
    expect((await bert.call<NotificationDetail>('GET', `/${sent[1]!.id}`)).members.map(({ read }) => read)).toEqual([
      false,
      false,
    ]);
  });

  it("hides the user's own banners", async () => {
    await bothCome();
    const { id } = await bridge.send({ isBanner: true, status: 'triggered', title: 'banner' });
    await anna.reads(id);
    const banners = 'isBanner=true&latest=true&status=triggered';
    expect(await anna.titles(`${banners}&read=false`)).toEqual([]);
    expect(await bert.titles(`${banners}&read=false`)).toEqual(['banner']);
    expect(await bert.titles(`${banners}&seen=false`)).toEqual([]);
  });
});

describe('counts and filters', () => {
  it('are personal; for clients without a state of their own, `read` means `seen`', async () => {
    await bothCome();
    const sent = await bridge.sendAll([{ category: 'system' }, { category: 'system' }, { category: 'other' }]);
    await anna.reads(sent[0]!.id);
    expect(await anna.call('GET', '/unseen')).toEqual({ unseenCount: 2, byCategory: { system: 1, other: 1 } });
    expect(await anna.facets()).toMatchObject({ total: 3, unseen: 2 });
    expect(await bert.facets('latest=true&read=false')).toMatchObject({ total: 3, unseen: 3 });
    expect(await anna.facets('latest=true&read=true')).toMatchObject({ total: 1, unseen: 0 });
    const ids = async (query: string) => (await bridge.list(query)).map(({ id }) => id);
    expect(await ids('read=true')).toEqual([sent[0]!.id]);
    expect(await ids('read=false&latest=true')).toEqual([sent[2]!.id, sent[1]!.id]);
    expect((await bridge.call('GET', '/api/v1/categories'))[1]).toMatchObject({ category: 'system', unseen: 1 });
  });

  it('of everything, including muted notifications and those with errors: no filter is ignored', async () => {
    await bothCome();
    await bridge.switchCategory('off', false);
    const [muted, broken] = await bridge.sendAll([{ category: 'off' }, { errors: 'lost' }, { category: 'system' }]);
    for (const query of ['', '&read=false', '&read=true', '&latest=false', '&seen=false']) {
      const total = query.includes('true') ? 0 : 3;
      expect(await anna.facets(`muted=all&errors=all${query}`), query).toMatchObject({ total, unseen: total });
    }
    await anna.reads(muted!.id, broken!.id);
    expect(await anna.facets('muted=all&errors=all')).toMatchObject({ total: 3, unseen: 1 });
  });

  it('muted notifications and those with errors have the shared state for everyone', async () => {
    await bothCome();
    await bridge.switchCategory('off', false);
    const [muted, broken] = await bridge.sendAll([{ category: 'off' }, { errors: 'lost' }]);
    expect([await anna.unread(), await bert.unread()]).toEqual([0, 0]);
    expect((await anna.list('muted=true')).map(({ read }) => read)).toEqual([false]);
    await anna.reads(muted!.id, broken!.id);
    expect((await bert.list('muted=all&errors=all')).map(({ read }) => read)).toEqual([true, true]);
  });

  it('pages of unread notifications', async () => {
    await bothCome();
    const sent = await bridge.sendAll(Array.from({ length: 5 }, (_, index) => ({ title: `n${index}` })));
    await anna.reads(sent[2]!.id);
    const titles: string[] = [];
    for (let path: string | undefined = '?read=false&limit=2'; path !== undefined;) {
      const answer: Answer<Notification[]> = await bridge.request('GET', NOTIFICATIONS + path, undefined, anna.headers);
      titles.push(...answer.body.map(({ title }) => title));
      path = /<[^?]*(\?[^>]*)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(titles).toEqual(['n4', 'n3', 'n1', 'n0']);
  });
});

describe('a new user', () => {
  it('starts with what nobody has seen', async () => {
    const [one] = await bridge.sendAll([{}, {}, { errors: 'lost' }]);
    await bridge.call('PATCH', `${NOTIFICATIONS}/${one!.id}`, { seen: true });
    expect(await anna.unread()).toBe(1);
    await anna.call('PUT', '/seen');
    expect(await bert.unread()).toBe(0);
  });

  it('is known after a restart of the bridge', async () => {
    await bothCome();
    const { id } = await bridge.send();
    await anna.reads(id);
    await bridge.restart();
    expect([await anna.unread(), await bert.unread()]).toEqual([0, 1]);
  });

  it('is removed after 90 days, and starts again', async () => {
    await bothCome();
    const { id } = await bridge.send();
    await anna.reads(id);
    bridge.clock.advance(50 * DAY);
    expect(await anna.unread()).toBe(0);
    bridge.clock.advance(50 * DAY);
    // Anna has visited since then, and has nothing unread; Bert starts with what nobody has seen.
    expect([await anna.unread(), await bert.unread()]).toEqual([0, 0]);
    await bert.call('PATCH', `/${id}`, { seen: false });
    expect([await anna.unread(), await bert.unread()]).toEqual([0, 1]);
  });

  it('an anonymous visitor has no state of their own', async () => {
    const stranger = new GrafanaPerson(() => bridge, '', {
      UserID: 0,
      UserUID: '',
      IsAnonymous: true,
      OrgRole: 'Viewer',
    });
    await bothCome();
    const { id } = await bridge.send();
    expect(await stranger.unread()).toBe(1);
    expect((await stranger.list())[0]).not.toHaveProperty('read');
    await anna.reads(id);
    expect(await stranger.unread()).toBe(0);
  });
});

describe('deleting', () => {
  it("changes everyone's counts, and restoring makes it unread again for the same users", async () => {
    await bothCome();
    const sent = await bridge.sendAll([{ correlationId: 'a' }, { correlationId: 'a' }, {}]);
    await anna.reads(sent[0]!.id);
    const { undo } = await anna.call<{ undo: string }>('POST', '/delete', { ids: [sent[1]!.id], wholeThreads: true });
    expect([await anna.unread(), await bert.unread()]).toEqual([1, 1]);
    await bridge.restore(undo);
    expect([await anna.unread(), await bert.unread()]).toEqual([2, 3]);
    expect((await anna.list('latest=true')).map(({ thread }) => thread.unread)).toEqual([1, 1]);
  });

  it('of everything read uses the personal state', async () => {
    await bothCome();
    const [one] = await bridge.sendAll([{ title: 'one' }, { title: 'two' }]);
    await anna.reads(one!.id);
    await bert.call('POST', '/delete', { filter: { read: 'true' } });
    expect(await bridge.titles()).toEqual(['two', 'one']);
    await anna.call('POST', '/delete', { filter: { read: 'true' } });
    expect(await bridge.titles()).toEqual(['two']);
  });
});

describe('with the shared state', () => {
  it.each([
    ['by the setting', { readState: 'shared' }],
    ['since nobody’s name is believed', { auth: 'none' }],
  ] as const)('%s, reading applies to everyone', async (_why, config) => {
    await bridge.dispose();
    bridge = await TestBridge.start(config);
    const { id } = await bridge.send();
    expect([await anna.unread(), await bert.unread()]).toEqual([1, 1]);
    await anna.reads(id);
    expect([await anna.unread(), await bert.unread()]).toEqual([0, 0]);
    expect((await anna.list())[0]).not.toHaveProperty('read');
    await anna.call('PATCH', `/${id}`, { seen: false });
    expect(await bridge.unseenCount()).toBe(1);
  });
});
