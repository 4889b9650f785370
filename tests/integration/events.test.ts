/** The event stream: every change, in order, once; clients that reconnect miss nothing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventSchemas, type EventType } from '../../backend-bridge/contract/event.ts';
import { Listener } from './listener.ts';
import { expectProblem, NOTIFICATIONS, TestBridge } from './support.ts';

let bridge: TestBridge;
const open: Listener[] = [];
beforeEach(async () => {
  bridge = await TestBridge.start();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
  await bridge.dispose();
});

async function listen(lastEventId?: number | string): Promise<Listener> {
  const listener = await Listener.connect(bridge, lastEventId);
  open.push(listener);
  return listener;
}

/** One change of each kind, and its number of events. */
async function everyKind(): Promise<string[]> {
  const [one, two] = await bridge.sendAll([
    { title: 'one', status: 'triggered' },
    { title: 'two', category: 'system' },
  ]);
  await bridge.call('PATCH', `${NOTIFICATIONS}/${one!.id}`, { seen: true });
  await bridge.call('PATCH', `${NOTIFICATIONS}/${one!.id}`, { seen: false });
  const undo = await bridge.remove(two!.id);
  await bridge.restore(undo);
  await bridge.call('POST', `${NOTIFICATIONS}/${one!.id}/resolve`);
  await bridge.switchCategory('system', false);
  return ['notification', 'notification', 'seen', 'seen', 'deleted', 'restored', 'notification', 'settings'];
}

it('begins with hello, which contains the position of the stream', async () => {
  const first = await listen();
  await first.until(1);
  expect(first.heard).toEqual([{ id: 0, type: 'hello', data: {} }]);
  await bridge.sendAll([{}, {}]);
  const second = await listen();
  await second.until(1);
  expect(second.heard).toEqual([{ id: 2, type: 'hello', data: {} }]);
});

it('sends every change, in order, with increasing ids, as in the contract', async () => {
  const listener = await listen();
  await listener.until(1);
  const kinds = await everyKind();
  const heard = await listener.until(kinds.length + 1);
  expect(listener.types).toEqual(['hello', ...kinds]);
  expect(heard.map(({ id }) => id)).toEqual(Array.from({ length: kinds.length + 1 }, (_, index) => index));
  for (const { type, data } of heard) {
    expect(eventSchemas[type as EventType].parse(data), type).toEqual(data);
  }
  const [, one, two, seen, unseen, deleted, restored, closed, settings] = heard.map(({ data }) => data);
  expect([one.notification.title, two.notification.title]).toEqual(['one', 'two']);
  expect(seen).toEqual({ ids: [one.notification.id], seen: true });
  expect(unseen).toEqual({ ids: [one.notification.id], seen: false });
  expect(deleted).toEqual({ ids: [two.notification.id] });
  expect(restored).toEqual({ ids: [two.notification.id] });
  expect(closed.notification).toMatchObject({ source: 'admin', status: 'resolved' });
  expect(settings).toEqual({ category: 'system' });
});

it('sends no event if nothing changes', async () => {
  const sent = await bridge.send();
  const listener = await listen();
  await bridge.call('PATCH', `${NOTIFICATIONS}/${sent.id}`, { seen: false });
  await bridge.request('DELETE', `${NOTIFICATIONS}/999`);
  await bridge.restore('no such deletion');
  await bridge.call('PUT', `${NOTIFICATIONS}/seen?category=none`);
  await bridge.post({ title: '', body: '' });
  await bridge.send({ title: 'something' });
  expect(await listener.until(2)).toMatchObject([
    { type: 'hello' },
    { type: 'notification', data: { notification: { title: 'something' } } },
  ]);
});

it('a large change sends one event for each 250 notifications, with their ids', async () => {
  const all = await Promise.all(Array.from({ length: 251 }, () => bridge.send()));
  const ids = all.map(({ id }) => id);
  const listener = await listen();
  await bridge.call('PUT', `${NOTIFICATIONS}/seen`, { ids: ids.slice(1) });
  await bridge.call('PUT', `${NOTIFICATIONS}/seen`);
  await bridge.call('PUT', `${NOTIFICATIONS}/seen`, { ids, seen: false });
  const undo = await bridge.remove(...ids);
  await bridge.restore(undo);
  await listener.until(9);
  expect(listener.heard.slice(1).map(({ type, data }) => [type, data.ids?.length ?? null])).toEqual([
    ['seen', 250],
    ['seen', 1],
    ['seen', 250],
    ['seen', 1],
    ['deleted', 250],
    ['deleted', 1],
    ['restored', 250],
    ['restored', 1],
  ]);
});

describe('resuming', () => {
  it('from any event, nothing is missed, also after a restart of the bridge', async () => {
    const kinds = await everyKind();
    const before = await listen(0);
    await before.until(kinds.length + 1);
    await bridge.restart();
    for (let last = 0; last <= kinds.length; last += 1) {
      const listener = await listen(last);
      await listener.until(1 + kinds.length - last);
      expect(listener.heard).toEqual([{ id: last, type: 'hello', data: {} }, ...before.heard.slice(1 + last)]);
    }
  });

  it('after a restart ids continue, and new events are received', async () => {
    await everyKind();
    await bridge.restart();
    const listener = await listen(7);
    await bridge.send({ title: 'later' });
    await listener.until(3);
    expect(listener.heard.map(({ id, type }) => [id, type])).toEqual([
      [7, 'hello'],
      [8, 'settings'],
      [9, 'notification'],
    ]);
  });

  it('the query parameter does the same for a page that opens a new stream', async () => {
    await bridge.sendAll([{ title: 'one' }, { title: 'two' }]);
    const stop = new AbortController();
    const response = await fetch(`${bridge.url}/api/v1/events?x=?&lastEventId=1&targetOrgId=1`, {
      headers: bridge.authorization,
      signal: stop.signal,
    });
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('"two"')) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    stop.abort();
    expect(text).toMatch(/^id: 1\nevent: hello\ndata: \{\}\n\nid: 2\nevent: notification\ndata: /);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('notifications deleted in between are not sent, their deletion is', async () => {
    const [one] = await bridge.sendAll([{ title: 'one' }, { title: 'two' }]);
    await bridge.remove(one!.id);
    const listener = await listen(0);
    await listener.until(3);
    expect(listener.heard).toMatchObject([
      { type: 'hello' },
      { id: 2, data: { notification: { title: 'two' } } },
      { id: 3, type: 'deleted' },
    ]);
  });

  it('from an id in the future: reset', async () => {
    await bridge.send();
    const listener = await listen(50);
    await bridge.send({ title: 'next' });
    await listener.until(2);
    expect(listener.heard).toMatchObject([
      { id: 1, type: 'reset', data: {} },
      { id: 2, type: 'notification' },
    ]);
  });

  it('1,000 missed events are replayed, one more: reset', async () => {
    for (let sent = 0; sent < 1001; sent += 143) {
      await Promise.all(Array.from({ length: 143 }, () => bridge.send()));
    }
    const all = await listen(1);
    await all.until(1001);
    expect(all.heard.map(({ id }) => id)).toEqual(Array.from({ length: 1001 }, (_, index) => index + 1));
    expect(all.types).toEqual(['hello', ...Array<string>(1000).fill('notification')]);
    const late = await listen(0);
    await bridge.send();
    await late.until(2);
    expect(late.heard.map(({ id, type }) => [id, type])).toEqual([
      [1001, 'reset'],
      [1002, 'notification'],
    ]);
  });

  it.each(['x', '-1', '1.5', '1e3', '9'.repeat(16)])('an invalid id is rejected: %s', async (last) => {
    const answer = await bridge.request('GET', '/api/v1/events', undefined, { 'Last-Event-ID': last });
    expect(expectProblem(answer, 400).errors).toMatchObject([{ pointer: '?lastEventId' }]);
    expectProblem(await bridge.request('GET', `/api/v1/events?lastEventId=${last}`), 400);
  });
});

it('clients that reconnect during sends receive each event exactly once', async () => {
  const CHANGES = 300;
  let done = false;
  const sending = (async () => {
    for (let sent = 0; sent < CHANGES; sent += 10) {
      await Promise.all(Array.from({ length: 10 }, () => bridge.send()));
    }
    done = true;
  })();
  const client = async (): Promise<number[]> => {
    const heard: number[] = [];
    while (heard.length < CHANGES) {
      const listener = await listen(heard.at(-1) ?? 0);
      await listener.until(done ? 1 + CHANGES - heard.length : 1 + Math.min(7, CHANGES - heard.length));
      // All events so far.
      heard.push(...listener.heard.slice(1).map(({ id }) => id));
      await listener.close();
    }
    return heard;
  };
  const all = await Promise.all([client(), client(), client(), client()]);
  await sending;
  const expected = Array.from({ length: CHANGES }, (_, index) => index + 1);
  expect(all).toEqual([expected, expected, expected, expected]);
});

it('streams end when the bridge stops', async () => {
  const listener = await listen();
  await listener.until(1);
  await bridge.stop();
  await listener.ended;
  expect(listener.types).toEqual(['hello']);
  await expect(listener.until(2)).rejects.toThrow('the stream ended');
  await bridge.start();
});
