/** Threads: how members affect their state, over HTTP. */
import { beforeEach, describe, expect, it } from 'vitest';
import { CLOSED, DISK, EVENT, OPENED, storiesOf } from './stories.ts';
import { DAY, expectProblem, MINUTE, NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());
const { threadOf, openIds, banners, story } = storiesOf(bridge);

describe('the newest member determines the state', () => {
  it('triggered: open', async () => {
    const [first] = await story(OPENED);
    expect(first!.thread).toEqual({
      state: 'open',
      count: 1,
      unseen: 1,
      openedAt: first!.timestamp,
      closedAt: null,
      lastAt: first!.timestamp,
      stale: false,
      closedByHand: false,
    });
    expect(await openIds()).toEqual([first!.id]);
  });
  it('triggered again: open since the first', async () => {
    const [first, second] = await story(OPENED, OPENED);
    expect(second!.thread).toMatchObject({
      state: 'open',
      count: 2,
      openedAt: first!.timestamp,
      lastAt: second!.timestamp,
    });
    expect(await openIds()).toEqual([second!.id]);
  });
  it('resolved: closed', async () => {
    const [first, second] = await story(OPENED, CLOSED);
    expect(second!.thread).toMatchObject({
      state: 'resolved',
      openedAt: first!.timestamp,
      closedAt: second!.timestamp,
    });
    expect(await openIds()).toEqual([]);
    expect((await bridge().list('open=false')).map(({ id }) => id)).toEqual([second!.id]);
  });
  it('resolved without an open thread: closed, never opened', async () => {
    const [only] = await story(CLOSED);
    expect(only!.thread).toMatchObject({ state: 'resolved', openedAt: null, closedAt: only!.timestamp });
  });
  it('resolved twice: closed since the first time', async () => {
    const [, second, third] = await story(OPENED, CLOSED, CLOSED);
    expect(third!.thread).toMatchObject({ state: 'resolved', closedAt: second!.timestamp, lastAt: third!.timestamp });
  });
  it('triggered after resolved: open again', async () => {
    const [, , third] = await story(OPENED, CLOSED, OPENED);
    expect(third!.thread).toMatchObject({ state: 'open', openedAt: third!.timestamp, closedAt: null, count: 3 });
    expect(await openIds()).toEqual([third!.id]);
  });
  it('without a status: an event, never open, and it closes an open thread', async () => {
    const [event] = await story(EVENT);
    expect(event!.thread).toMatchObject({ state: 'event', openedAt: null, closedAt: null });
    const [, later] = await story(OPENED, EVENT);
    expect(later!.thread.state).toBe('event');
    expect(await openIds()).toEqual([]);
  });
  it('members of other packages or with other ids have no effect', async () => {
    const [first] = await story(OPENED, { ...CLOSED, dnpName: 'other.dnp' }, { ...CLOSED, correlationId: 'other' });
    expect(await threadOf(first!)).toMatchObject({ state: 'open', count: 1 });
  });
  it('names with line breaks are distinct', async () => {
    const together = [
      { dnpName: 'a\nb', correlationId: 'c' },
      { dnpName: 'a', correlationId: 'b\nc' },
    ];
    const sent = await Promise.all(together.map((payload) => bridge().send(payload)));
    expect(sent.map(({ thread }) => thread.count)).toEqual([1, 1]);
    const undo = await bridge().remove(...sent.map(({ id }) => id));
    await bridge().restore(undo);
    expect((await Promise.all(sent.map(threadOf))).map(({ count }) => count)).toEqual([1, 1]);
  });
});

describe('stale', () => {
  it('after seven days without a new member a thread is stale, and not listed as open', async () => {
    const [first] = await story(OPENED);
    bridge().clock.advance(7 * DAY - 1);
    expect(await threadOf(first!)).toMatchObject({ state: 'open', stale: false });
    expect(await openIds()).toEqual([first!.id]);
    expect((await bridge().facets()).open).toBe(1);
    bridge().clock.advance(1);
    expect(await threadOf(first!)).toMatchObject({ state: 'open', stale: true, lastAt: first!.timestamp });
    expect(await openIds()).toEqual([]);
    expect((await bridge().list('open=false')).map(({ id }) => id)).toEqual([first!.id]);
    expect(await bridge().facets()).toMatchObject({ open: 0, categories: [{ open: 0, openPriority: null }] });
    const [again] = await story(OPENED);
    expect(again!.thread).toMatchObject({ stale: false, openedAt: first!.timestamp });
    expect(await openIds()).toEqual([again!.id]);
  });
  it('resolved threads and events are never stale', async () => {
    const sent = await story(CLOSED, { correlationId: 'event' });
    bridge().clock.advance(8 * DAY);
    expect((await Promise.all(sent.map(threadOf))).map(({ stale }) => stale)).toEqual([false, false]);
  });
  it('can be resolved by hand', async () => {
    const [first] = await story(OPENED);
    bridge().clock.advance(8 * DAY);
    expect((await bridge().request('POST', `${NOTIFICATIONS}/${first!.id}/resolve`)).status).toBe(201);
  });
});

describe('resolved by hand', () => {
  it('adds a member with its source, seen, and closes the thread and its banner', async () => {
    const [first] = await story({ ...OPENED, title: 'Disk full', priority: 'critical', isBanner: true });
    bridge().clock.advance(MINUTE);
    const answer = await bridge().request('POST', `${NOTIFICATIONS}/${first!.id}/resolve`);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      ...DISK,
      title: 'Disk full',
      status: 'resolved',
      source: 'admin',
      seen: true,
      priority: 'critical',
      timestamp: bridge().clock.iso,
      thread: { state: 'resolved', closedByHand: true, count: 2, unseen: 1, closedAt: bridge().clock.iso },
    });
    expect((await bridge().get(first!.id)).members.map(({ source }) => source)).toEqual(['admin', 'api']);
    expect(await banners()).toEqual([]);
    expect(await openIds()).toEqual([]);
  });
  it('by any member of the thread', async () => {
    const [first, second] = await story(OPENED, OPENED);
    await bridge().call('POST', `${NOTIFICATIONS}/${first!.id}/resolve`, {});
    expect(await threadOf(second!)).toMatchObject({ state: 'resolved', closedByHand: true });
  });
  it.each([
    ['resolved', CLOSED],
    ['an event', EVENT],
  ])('not if it is %s', async (_what, payload) => {
    const [only] = await story(payload);
    expectProblem(await bridge().request('POST', `${NOTIFICATIONS}/${only!.id}/resolve`), 409);
    expect(await threadOf(only!)).toMatchObject({ count: 1 });
  });
  it('not if there is none', async () => {
    expectProblem(await bridge().request('POST', `${NOTIFICATIONS}/999999/resolve`), 404);
  });
  it('ends when it is triggered again; a later resolve does not change it', async () => {
    const [first] = await story(OPENED);
    await bridge().call('POST', `${NOTIFICATIONS}/${first!.id}/resolve`);
    const [late] = await story(CLOSED);
    expect(late!.thread).toMatchObject({ state: 'resolved', closedByHand: true });
    const [again] = await story(OPENED);
    expect(again!.thread).toMatchObject({ state: 'open', closedByHand: false });
  });
});

describe('muted members', () => {
  it('are stored, marked, hidden and not counted while the category is off', async () => {
    await bridge().switchCategory('hardware', false);
    const [quiet] = await story(OPENED);
    expect(quiet).toMatchObject({ muted: true, seen: false, thread: { count: 0, unseen: 0 } });
    expect(await bridge().list()).toEqual([]);
    expect(await bridge().unseenCount()).toBe(0);
    expect(await openIds()).toEqual([]);
    expect((await bridge().facets()).total).toBe(0);
    expect(await bridge().list('muted=true')).toEqual([quiet]);
    expect(await bridge().list('muted=all')).toEqual([quiet]);
    await bridge().switchCategory('hardware', true);
    expect((await bridge().get(quiet!.id)).muted).toBe(true);
    const [loud] = await story(OPENED);
    expect(loud).toMatchObject({ muted: false, thread: { count: 1, unseen: 1, openedAt: quiet!.timestamp } });
  });
  it('earlier members remain visible', async () => {
    const [before] = await story(OPENED);
    await bridge().switchCategory('hardware', false);
    expect(await bridge().list()).toEqual([before]);
    const { categories } = await bridge().facets();
    expect(categories).toMatchObject([{ category: 'hardware', count: 1, enabled: false }]);
  });
  it('a muted resolve closes the visible thread', async () => {
    const [first] = await story({ ...OPENED, isBanner: true });
    await bridge().switchCategory('hardware', false);
    const [quiet] = await story(CLOSED);
    expect(await threadOf(first!)).toMatchObject({ state: 'resolved', count: 1 });
    expect(await openIds()).toEqual([]);
    expect(await banners()).toEqual([]);
    expect(await bridge().list()).toHaveLength(1);
    // For clients that list single members as banners: they must receive its resolve.
    expect((await bridge().list('isBanner=true')).map(({ id }) => id)).toEqual([quiet!.id, first!.id]);
    expect((await bridge().facets('isBanner=true')).total).toBe(2);
    expect((await bridge().list('isBanner=true&muted=false')).map(({ id }) => id)).toEqual([first!.id]);
  });
  it('a muted trigger neither opens a resolved thread nor adds a banner', async () => {
    await story({ ...OPENED, isBanner: true }, CLOSED);
    await bridge().switchCategory('hardware', false);
    const [quiet] = await story({ ...OPENED, isBanner: true });
    expect(quiet!.thread).toMatchObject({ state: 'resolved', count: 2, lastAt: quiet!.timestamp });
    expect(await banners()).toEqual([]);
    expect(await openIds()).toEqual([]);
  });
  it('a muted event does not close an open thread', async () => {
    const [first] = await story(OPENED);
    await bridge().switchCategory('hardware', false);
    await story(EVENT);
    expect(await openIds()).toEqual([first!.id]);
  });
  it('a thread with only muted members has their state', async () => {
    await bridge().switchCategory('hardware', false);
    const sent = await story(OPENED, CLOSED, EVENT);
    expect(sent.map(({ thread }) => thread.state)).toEqual(['open', 'resolved', 'event']);
  });
});

describe('members with errors do not affect the state', () => {
  it.each([
    ['triggered after resolved', [OPENED, CLOSED], OPENED, 'resolved'],
    ['resolved after triggered', [OPENED], CLOSED, 'open'],
  ])('%s', async (_what, before, payload, state) => {
    const sent = await story(...before);
    const [failed] = await story({ ...payload, errors: 'no such host' });
    expect(failed!.thread).toMatchObject({
      state,
      count: sent.length,
      unseen: sent.length,
      lastAt: sent.at(-1)!.timestamp,
    });
    expect((await bridge().list('latest=true')).map(({ id }) => id)).toEqual([sent.at(-1)!.id]);
  });
  it('a thread with only such members is hidden', async () => {
    const [failed] = await story({ ...OPENED, errors: 'no such host' });
    expect(await bridge().list('latest=true')).toEqual([]);
    expect(failed!.thread).toMatchObject({ state: 'event', count: 0, lastAt: failed!.timestamp });
  });
});
