/** Storms of alerts: each is stored once, and a list can show one row for each source. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { GrafanaPerson } from './readers.testing.ts';
import { type Alert, collapsed, sendAlerts, some } from './storms.testing.ts';
import { type Answer, HOUR, MINUTE, NOTIFICATIONS, SECOND, TestBridge } from './support.ts';

let bridge: TestBridge;
beforeEach(async () => {
  bridge = await TestBridge.start();
});
afterEach(() => bridge.dispose());

const webhook = (...alerts: Alert[]) => sendAlerts(bridge, ...alerts);
const rows = (query = '') => collapsed(bridge, query);

/** All pages, which may be requested with few rows each. */
async function everyPage(query: string): Promise<Notification[]> {
  const all: Notification[] = [];
  for (let path: string | undefined = `${NOTIFICATIONS}?${query}`; path !== undefined;) {
    const answer: Answer<Notification[]> = await bridge.request('GET', path);
    all.push(...answer.body);
    path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return all;
}

it('10,000 alerts in one webhook: each is stored once, in one row', async () => {
  await bridge.send({ title: 'before' });
  expect(await webhook(...some(10_000))).toMatchObject({ accepted: 10_000 });
  await bridge.send({ title: 'after' });
  const [after, storm, before, ...others] = await rows();
  expect([after?.title, before?.title, others]).toEqual(['after', 'before', []]);
  expect(storm?.thread.burst).toMatchObject({
    name: 'HighCPU',
    count: 10_000,
    open: 10_000,
    unread: 10_000,
    priority: 'medium',
  });
  const members = await everyPage(`latest=true&limit=1000&burst=${storm!.thread.burst!.id}`);
  expect(new Set(members.map(({ correlationId }) => correlationId)).size).toBe(10_000);
  expect(members).toHaveLength(10_000);
  // Counts are of threads, and a list without the parameter is as it was.
  expect(await bridge.facets('latest=true')).toMatchObject({ total: 10_002, open: 10_000 });
  expect(await bridge.titles('latest=true&limit=2')).toEqual(['after', storm!.title]);
  // A repeated webhook stores nothing.
  expect(await webhook(...some(10_000))).toMatchObject({ accepted: 0, duplicates: 10_000 });
});

it('1,000 webhooks at once', async () => {
  const answers = await Promise.all(some(1000).map((alert) => webhook(alert)));
  expect(answers.map(({ accepted }) => accepted)).toEqual(Array.from({ length: 1000 }, () => 1));
  const [storm, ...others] = await rows();
  expect(others).toEqual([]);
  expect(storm?.thread.burst).toMatchObject({ name: 'HighCPU', count: 1000, open: 1000 });
});

describe('a burst', () => {
  it('is of one rule and category', async () => {
    await webhook(
      ...some(30),
      ...some(25, { rule: 'DiskFull' }),
      ...some(3, { rule: 'Rare' }),
      ...some(20, { folder: 'edge' }).map((alert) => ({ ...alert, instance: `edge-${alert.instance}` }))
    );
    const shown = (await rows()).map(({ category, thread: { burst } }) => burst && [burst.name, category, burst.count]);
    expect(shown).toEqual([
      ['HighCPU', 'edge', 20],
      undefined,
      undefined,
      undefined,
      ['DiskFull', 'hosts', 25],
      ['HighCPU', 'hosts', 30],
    ]);
    expect(await rows('category=edge')).toHaveLength(1);
  });

  it('begins with the twentieth within ten minutes, also across a restart, and ends after ten without', async () => {
    await webhook(...some(19));
    expect(await rows()).toHaveLength(19);
    await bridge.restart();
    bridge.clock.advance(9 * MINUTE);
    await webhook({ instance: 'twentieth' });
    expect((await rows()).map(({ thread }) => thread.burst?.count)).toEqual([20]);
    bridge.clock.advance(11 * MINUTE);
    await webhook({ instance: 'later' });
    expect((await rows()).map(({ thread }) => thread.burst?.count)).toEqual([undefined, 20]);
  });

  it('a thread that opens again later is a row of its own', async () => {
    await webhook(...some(20));
    bridge.clock.advance(HOUR);
    await webhook({ instance: 7, resolved: true });
    expect((await rows()).map(({ thread }) => [thread.burst?.count, thread.burst?.open])).toEqual([[20, 19]]);
    bridge.clock.advance(SECOND);
    await webhook({ instance: 7 });
    expect((await rows()).map(({ thread }) => thread.burst?.count)).toEqual([undefined, 19]);
  });

  it('does not count deleted threads, and ends with its last one', async () => {
    const removeAll = () => bridge.call('POST', `${NOTIFICATIONS}/delete`, { filter: { latest: 'true' } });
    await webhook(...some(19));
    await removeAll();
    await webhook({ instance: 'a' });
    expect((await rows()).map(({ thread }) => thread.burst)).toEqual([undefined]);
    await webhook(...some(20, { rule: 'Other' }));
    expect(await rows()).toHaveLength(2);
    await removeAll();
    await webhook({ rule: 'Other', instance: 'b' });
    expect((await rows()).map(({ thread }) => thread.burst)).toEqual([undefined]);
  });

  it('notifications of a package are one from 100 threads on', async () => {
    await bridge.sendAll(Array.from({ length: 99 }, (_, index) => ({ title: `T${index}` })));
    expect(await rows('limit=1000')).toHaveLength(99);
    await bridge.send({ title: 'one more' });
    expect((await rows()).map(({ thread }) => thread.burst)).toMatchObject([{ name: 'unknown', count: 100, open: 0 }]);
  });

  it('is open while one of its threads is, then unread while one is', async () => {
    const part = async () => {
      const queries = ['open=true', 'open=false&read=false', 'open=false&read=true'];
      return (await Promise.all(queries.map((query) => rows(query)))).map(({ length }) => length);
    };
    await webhook(...some(20));
    expect(await part()).toEqual([1, 0, 0]);
    await webhook(...some(19, { resolved: true }));
    expect(await part()).toEqual([1, 0, 0]);
    await webhook({ instance: 19, resolved: true });
    expect(await part()).toEqual([0, 1, 0]);
    const [row] = await rows();
    await bridge.call('PUT', `${NOTIFICATIONS}/seen?latest=true&burst=${row!.thread.burst!.id}`);
    expect(await part()).toEqual([0, 0, 1]);
    expect(await bridge.unseenCount()).toBe(0);
  });

  it('has a read state for each person', async () => {
    const [anna, bert] = ['anna', 'bert'].map((name) => new GrafanaPerson(() => bridge, name)) as [
      GrafanaPerson,
      GrafanaPerson,
    ];
    expect([await anna.unread(), await bert.unread()]).toEqual([0, 0]);
    await webhook(...some(20));
    await webhook(...some(20, { resolved: true }));
    const of = (person: GrafanaPerson, query: string) =>
      person.call<Notification[]>('GET', `?latest=true&bursts=collapsed&open=false&${query}`);
    const [row] = await of(anna, 'read=false');
    expect(row?.thread.burst).toMatchObject({ count: 20, unread: 20 });
    expect(await anna.call('GET', `?read=false&burst=${row!.thread.burst!.id}`)).toHaveLength(40);
    await anna.call('PUT', `/seen?latest=true&burst=${row!.thread.burst!.id}`);
    expect(await of(anna, 'read=false')).toEqual([]);
    expect(await of(anna, 'read=true')).toMatchObject([{ thread: { burst: { unread: 0 } } }]);
    expect(await of(bert, 'read=false')).toMatchObject([{ thread: { burst: { unread: 20 } } }]);
    expect(await of(bert, 'read=true')).toEqual([]);
  });

  it('is deleted by its filter, and is the same after an undo', async () => {
    await webhook(...some(30));
    await webhook({ rule: 'Other', instance: 1 });
    const [, storm] = await rows();
    const { undo, deleted } = await bridge.call('POST', `${NOTIFICATIONS}/delete`, {
      filter: { latest: 'true', burst: String(storm!.thread.burst!.id) },
    });
    expect(deleted).toBe(30);
    expect((await rows()).map(({ title }) => title)).toEqual(['Other on host-1']);
    await bridge.restore(undo);
    expect((await rows())[1]?.thread.burst).toEqual(storm?.thread.burst);
  });
});

it('pages of any filter are the rows of the whole list, with one for each burst', async () => {
  const severities = ['info', 'warning', 'critical'];
  for (let round = 0; round < 3; round += 1) {
    const rules = ['A', 'B', 'C'].slice(0, round + 1);
    await webhook(
      ...rules.flatMap((rule) =>
        Array.from({ length: 22 }, (_, index) => ({
          rule,
          instance: `${round}-${index}`,
          severity: severities[index % 3]!,
          folder: rule,
        }))
      )
    );
    await webhook(
      ...Array.from({ length: 9 }, (_, index) => ({
        rule: 'A',
        instance: `${round}-${index}`,
        resolved: true,
        severity: 'critical',
        folder: 'A',
      }))
    );
    await bridge.sendAll(Array.from({ length: 5 }, (_, index) => ({ title: `${round} ${index}`, category: 'a' })));
    bridge.clock.advance(round === 0 ? 0 : HOUR);
  }
  await webhook(
    ...Array.from({ length: 22 }, (_, index) => ({ rule: 'B', instance: `1-${index}`, resolved: true, folder: 'B' }))
  );
  const filters = [
    '',
    'category=a',
    'category=a&category=b',
    'priority=critical',
    'open=true',
    'open=true&priority=critical',
    'read=false',
    'status=resolved',
    'dnpName=unknown',
  ];
  for (const filter of filters) {
    const all = await everyPage(`latest=true&limit=1000&${filter}`);
    const seen = new Set<number>();
    const expected = all.filter(
      ({ thread: { burst } }) => burst === undefined || (!seen.has(burst.id) && seen.add(burst.id))
    );
    const paged = await everyPage(`latest=true&bursts=collapsed&limit=4&${filter}`);
    expect(
      paged.map(({ id }) => id),
      filter
    ).toEqual(expected.map(({ id }) => id));
    expect(seen.size, filter).toBeGreaterThan(0);
    for (const {
      thread: { burst },
    } of paged) {
      const members = all.filter(({ thread }) => thread.burst?.id === burst?.id);
      if (burst && !filter.includes('open')) {
        expect(burst.count, filter).toBe(members.length);
        expect(burst.open, filter).toBe(members.filter(({ thread }) => thread.state === 'open').length);
      }
    }
  }
});

it('shows a thread that fires and resolves four times in an hour as flapping', async () => {
  const flapping = async () => (await rows()).map(({ thread }) => thread.flapping);
  const turn = async (resolved: boolean) => {
    bridge.clock.advance(10 * MINUTE);
    await webhook({ instance: 1, resolved });
  };
  await turn(false);
  const since = bridge.clock.iso;
  await turn(true);
  await turn(false);
  expect(await flapping()).toEqual([undefined]);
  await turn(true);
  expect(await flapping()).toEqual([{ turns: 4, since }]);
  expect((await bridge.get((await rows())[0]!.id)).thread.flapping).toEqual({ turns: 4, since });
  // Repeats of the same state are no turns, and what is older than an hour does not count.
  bridge.clock.advance(31 * MINUTE);
  expect(await flapping()).toEqual([undefined]);
});
