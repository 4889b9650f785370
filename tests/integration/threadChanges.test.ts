/** Threads: banners, and the effects of deleting and restoring. */
import { beforeEach, describe, expect, it } from 'vitest';
import { CLOSED, EVENT, OPENED, storiesOf } from './stories.ts';
import { DAY, expectProblem, NOTIFICATIONS, SECOND, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());
const { threadOf, openIds, banners, story } = storiesOf(bridge);

describe('banners', () => {
  const BANNER = { ...OPENED, isBanner: true };
  it('if the newest member is triggered, unseen and requests one', async () => {
    const [first] = await story(BANNER);
    expect(await banners()).toEqual([first!.id]);
    const [second] = await story(BANNER);
    expect(await banners()).toEqual([second!.id]);
  });
  it.each([[false], ['false'], [undefined], [true]])(
    'a resolve removes it, whatever its isBanner: %j',
    async (isBanner) => {
      await story(BANNER, { ...CLOSED, isBanner });
      expect(await banners()).toEqual([]);
    }
  );
  it('it returns when the thread is triggered again', async () => {
    const [, , third] = await story(BANNER, CLOSED, BANNER);
    expect(await banners()).toEqual([third!.id]);
  });
  it('not if the newest member does not request one', async () => {
    await story(BANNER, OPENED);
    expect(await banners()).toEqual([]);
  });
  it('members with errors neither add nor remove it', async () => {
    const [first] = await story(BANNER, { ...CLOSED, errors: 'e' }, { ...BANNER, correlationId: 'other', errors: 'e' });
    expect(await banners()).toEqual([first!.id]);
  });
  it('is removed once the thread is seen', async () => {
    const [first] = await story(BANNER);
    await bridge().call('PUT', `${NOTIFICATIONS}/disk/seen`);
    expect(await banners()).toEqual([]);
    expect((await bridge().get(first!.id)).seen).toBe(true);
  });
  it('is removed after a month', async () => {
    await story(BANNER);
    bridge().clock.advance(30 * DAY + SECOND);
    expect(await banners()).toEqual([]);
  });
});

describe('deleting members', () => {
  const [FIRES, RESOLVES] = [0, 1];
  it.each([
    ['the newest, a trigger', 2, 'open', 1],
    ['a resolve in the middle', 1, 'open', 2],
    ['the oldest', 0, 'open', 2],
  ] as const)('%s: the state stays', async (_, which, state, head) => {
    const sent = await story(OPENED, CLOSED, { ...OPENED, priority: 'high' });
    await bridge().remove(sent[which]!.id);
    const row = { id: sent[head]!.id, thread: { ...sent[2]!.thread, state, count: 2, unseen: 2 } };
    expect(await bridge().list('latest=true')).toMatchObject([row]);
    const priority = sent[head]!.priority;
    expect((await bridge().facets()).categories).toMatchObject([{ open: 1, openPriority: priority, count: 2 }]);
  });
  it('the resolve: the alert does not fire again', async () => {
    const sent = await story({ ...OPENED, isBanner: true }, CLOSED);
    await bridge().remove(sent[RESOLVES]!.id);
    expect(await threadOf(sent[FIRES]!)).toEqual({ ...sent[RESOLVES]!.thread, count: 1, unseen: 1 });
    expect([await openIds(), await banners()]).toEqual([[], []]);
    const [again] = await story(OPENED);
    expect(again!.thread).toMatchObject({ state: 'open', openedAt: again!.timestamp, count: 2 });
  });
  it('the trigger: what was resolved stays resolved, and a banner is gone for clients that list members', async () => {
    const sent = await story({ ...OPENED, isBanner: true }, CLOSED);
    await bridge().remove(sent[FIRES]!.id);
    expect(await threadOf(sent[RESOLVES]!)).toEqual({ ...sent[RESOLVES]!.thread, count: 1, unseen: 1 });
    expect((await bridge().list('isBanner=true')).map(({ id }) => id)).toEqual([sent[RESOLVES]!.id]);
  });
  it('all that are shown: the thread is not listed, and a hidden member keeps its state', async () => {
    const sent = await story(OPENED, { ...OPENED, errors: 'e' });
    await bridge().remove(sent[0]!.id);
    expect([await openIds(), await bridge().list('latest=true')]).toEqual([[], []]);
    bridge().clock.advance(60 * SECOND);
    const [next] = await story(OPENED);
    expect(next!.thread).toMatchObject({ state: 'open', count: 1, openedAt: sent[0]!.timestamp });
  });
  it('all: the thread is removed, and the next member starts a new one', async () => {
    const sent = await story(OPENED, CLOSED);
    await bridge().remove(...sent.map(({ id }) => id));
    expect(await bridge().list('latest=true')).toEqual([]);
    const [next] = await story(OPENED);
    expect(next!.thread).toMatchObject({ count: 1, openedAt: next!.timestamp });
  });
  it('several threads at once', async () => {
    const [first] = await story(OPENED, CLOSED, { correlationId: 'other' });
    expect(
      await bridge().call('POST', `${NOTIFICATIONS}/delete`, { ids: [first!.id], wholeThreads: true })
    ).toMatchObject({ deleted: 2 });
    expect(await bridge().list()).toHaveLength(1);
  });
});

describe('restoring', () => {
  const shape = async () => ({
    list: await bridge().list('muted=all&errors=all'),
    facets: { ...(await bridge().facets()), lastId: 0 },
    latest: await bridge().list('latest=true'),
  });

  it('restores the previous state', async () => {
    const sent = await story(OPENED, { ...OPENED, isBanner: true }, CLOSED, { ...EVENT, errors: 'e' });
    await bridge().call('PATCH', `${NOTIFICATIONS}/${sent[0]!.id}`, { seen: true });
    const before = await shape();
    for (const ids of [[0], [1], [2], [3], [0, 2], [0, 1, 2, 3]].map((which) =>
      which.map((index) => sent[index]!.id)
    )) {
      const undo = await bridge().remove(...ids);
      expect((await bridge().list('muted=all&errors=all')).map(({ id }) => id)).not.toEqual(
        expect.arrayContaining(ids)
      );
      expect((await bridge().restore(undo)).body).toEqual({ restored: ids.length });
      expect(await shape()).toEqual(before);
    }
  });
  it('after a new thread has begun: its state stays', async () => {
    const [opened] = await story({ ...OPENED, isBanner: true });
    const undo = await bridge().remove(opened!.id);
    const [closed] = await story(CLOSED);
    expect(closed!.thread).toMatchObject({ state: 'resolved', openedAt: null, count: 1 });
    await bridge().restore(undo);
    expect(await threadOf(closed!)).toEqual({ ...closed!.thread, count: 2, unseen: 2 });
    expect(await threadOf(opened!)).toEqual(await threadOf(closed!));
    expect([await openIds(), await banners()]).toEqual([[], []]);
  });
  it('of the newest member, after another has arrived: the newer one stays the head', async () => {
    const [, second] = await story(OPENED, CLOSED);
    const undo = await bridge().remove(second!.id);
    const [third] = await story(OPENED);
    await bridge().restore(undo);
    const thread = { state: 'open', count: 3, openedAt: third!.timestamp };
    expect(await bridge().list('latest=true')).toMatchObject([{ id: third!.id, thread }]);
  });
  it('for 30 seconds', async () => {
    const sent = await story(OPENED, CLOSED);
    const { undo, undoUntil } = await bridge().call('DELETE', `${NOTIFICATIONS}/${sent[0]!.id}`);
    expect(undoUntil).toBe(new Date(bridge().clock.now + 30 * SECOND).toISOString());
    bridge().clock.advance(30 * SECOND - 1);
    expect((await bridge().restore(undo)).status).toBe(200);
    const again = await bridge().remove(sent[0]!.id);
    bridge().clock.advance(30 * SECOND);
    expectProblem(await bridge().restore(again), 410);
    expect(await bridge().list()).toHaveLength(1);
  });
  it('once', async () => {
    const [only] = await story(OPENED);
    const undo = await bridge().remove(only!.id);
    expect((await bridge().restore(undo)).status).toBe(200);
    expectProblem(await bridge().restore(undo), 410);
    expect(await bridge().list()).toHaveLength(1);
  });
});
