/** Filters of lists and facets, alone and in pairs, compared with a naive implementation. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Notification, PRIORITIES } from '../../backend-bridge/contract/notification.ts';
import { listQuerySchema } from '../../backend-bridge/contract/list.ts';
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import { ModelInbox } from './model.ts';
import { modelFacets } from './modelCounts.ts';
import { DAY, expectProblem, HOUR, NOTIFICATIONS, START, useBridge } from './support.ts';

const bridge = useBridge();
const ids = (rows: Notification[]): number[] => rows.map(({ id }) => id);

describe('filters match a naive implementation', () => {
  const model = new ModelInbox();
  const DAYS = 4;

  beforeAll(async () => {
    await bridge().clear();
    // Seeded, to be reproducible.
    const word = fc.constantFrom('disk', 'node', 'peers', 'full', 'behind');
    const payload = fc.record(
      {
        title: fc.tuple(word, word).map((words) => words.join(' ')),
        body: fc.tuple(word, word, word).map((words) => words.join(' ')),
        category: fc.constantFrom('system', 'ethereum', 'other'),
        dnpName: fc.constantFrom('geth.dnp', 'dms.dnp'),
        correlationId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        priority: fc.constantFrom(...PRIORITIES),
        status: fc.constantFrom('triggered' as const, 'resolved' as const),
        isBanner: fc.boolean(),
        errors: fc.constant('no such host'),
        labels: fc.record(
          { instance: fc.constantFrom('node1', 'node2', 'other'), team: fc.constantFrom('a', 'b') },
          { requiredKeys: [] }
        ),
      },
      { requiredKeys: ['title', 'body', 'category', 'dnpName', 'correlationId'] }
    );
    const sent = fc
      .sample(payload, { numRuns: 120, seed: 42 })
      .map(({ errors, ...rest }, index) => ({ ...rest, ...(errors && index % 4 === 0 && { errors }) }));
    // Every few hours over some days, including the first and last milliseconds.
    const times = Array.from({ length: DAYS }, (_, day) =>
      [0, 1, 5, 10, 15, 20, 24].map(
        (hour) => Math.floor(START / DAY) * DAY + (day + 1) * DAY + hour * HOUR - (hour === 24 ? 1 : 0)
      )
    ).flat();
    for (const [index, one] of sent.entries()) {
      bridge().clock.now = times[Math.floor((index * times.length) / sent.length)]!;
      if (index === 60) {
        await bridge().switchCategory('ethereum', false);
        model.off.add('ethereum');
      }
      const { id } = await bridge().send({ ...one });
      model.receive(one, { id, ts: bridge().clock.now });
      if (index % 3 === 0) {
        await bridge().call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: true });
        model.kept.at(-1)!.seen = true;
      }
    }
  });

  const compare = async (query: string): Promise<void> => {
    const values: Record<string, string | string[]> = {};
    for (const [name, value] of new URLSearchParams(query)) {
      values[name] = ['category', 'dnpName', 'priority', 'status', 'correlationId'].includes(name)
        ? [...(values[name] ?? []), value]
        : value;
    }
    const filter = listQuerySchema.parse(values) as NotificationFilter;
    const { now } = bridge().clock;
    const expected = model.match(filter, now).map(({ one }) => one);
    const order = filter.q === undefined ? expected : expected.sort((a, b) => b.id - a.id);
    expect(ids(await bridge().list(`${query}&limit=1000`)), query).toEqual(order.map(({ id }) => id));
    expect(await bridge().facets(query), query).toEqual(modelFacets(model, filter, now));
  };

  const day = Math.floor(START / DAY) * DAY + 2 * DAY;
  const ALONE = [
    '',
    'category=system',
    'category=ethereum',
    'category=system&category=other',
    'category=nothing',
    'dnpName=geth.dnp',
    'dnpName=geth.dnp&dnpName=dms.dnp',
    'priority=low',
    'priority=critical',
    'priority=medium&priority=high',
    'priority=low&priority=high',
    'status=triggered',
    'status=resolved',
    'status=triggered&status=resolved',
    'correlationId=a',
    'correlationId=b&correlationId=c',
    `from=${day / 1000}`,
    `to=${new Date(day + HOUR).toISOString()}`,
    'seen=true',
    'seen=false',
    'isBanner=true',
    'isBanner=false',
    'q=disk',
    'q=full%20nod',
    'latest=true',
    'open=true',
    'open=false',
    `matchers=${encodeURIComponent('instance="node1"')}`,
    `matchers=${encodeURIComponent('{instance=~"node.*", team!="a"}')}`,
    `matchers=${encodeURIComponent('team=""')}`,
  ];
  const SHOWN = ['muted=true', 'muted=all', 'muted=false', 'errors=only', 'errors=all', 'errors=hidden'];
  const names = (query: string): Set<string> => new Set(new URLSearchParams(query).keys());

  it.each([...ALONE, ...SHOWN])('alone: %s', compare);

  it('in pairs', async () => {
    const all = [...ALONE, ...SHOWN];
    let pairs = 0;
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) {
        const both = new Set([...names(one), ...names(other)]);
        const doubled = both.size < names(one).size + names(other).size;
        const threads = both.has('latest') || both.has('open');
        const contradicts =
          threads &&
          ['muted=true', 'muted=all', 'errors=only', 'errors=all'].some((word) => one === word || other === word);
        // In a list of threads, a search matches only the newest member, as in the model; nothing to exclude here.
        if (!doubled && !contradicts) {
          await compare(`${one}&${other}`);
          pairs += 1;
        }
      }
    }
    expect(pairs).toBeGreaterThan(300);
  });

  it('threads combined with hidden notifications are rejected', async () => {
    for (const query of [
      'latest=true&muted=all',
      'open=true&muted=true',
      'latest=true&errors=only',
      'open=false&errors=all',
    ]) {
      expect(expectProblem(await bridge().request('GET', `${NOTIFICATIONS}?${query}`), 400).errors[0]!.pointer).toMatch(
        /^\?(muted|errors)$/
      );
      expectProblem(await bridge().request('GET', `${NOTIFICATIONS}/facets?${query}`), 400);
    }
  });

  it('time ranges include from and exclude to, also within a day', async () => {
    const first = Math.floor(START / DAY) * DAY + DAY;
    const moments = [0, 1, 2].flatMap((at) =>
      [-1, 0, 1, HOUR, 23 * HOUR + 1, DAY - 2].map((ms) => first + at * DAY + ms)
    );
    for (const from of moments) {
      for (const to of moments) {
        const range = { from, to };
        const query = `from=${new Date(from).toISOString()}&to=${to / 1000}`;
        const { now } = bridge().clock;
        for (const view of [{}, { latest: true }] as const) {
          const text = `${query}${'latest' in view ? '&latest=true' : ''}`;
          const { total, unseen, packages } = await bridge().facets(text);
          const expected = modelFacets(model, { ...range, ...view }, now);
          expect({ total, unseen, packages }, text).toEqual({
            total: expected.total,
            unseen: expected.unseen,
            packages: expected.packages,
          });
        }
      }
    }
    await compare(`from=${new Date(first + HOUR).toISOString()}&to=${(first + 2 * DAY) / 1000}`);
  });

  it('names with line breaks are distinct, also in counts', async () => {
    const names = [
      { category: 'a\nb', dnpName: 'c' },
      { category: 'a', dnpName: 'b\nc' },
    ];
    const sent = await bridge().sendAll(names.map((one) => ({ ...one, title: 'lineend' })));
    const { categories, packages } = await bridge().facets('q=lineend');
    await bridge().remove(...sent.map(({ id }) => id));
    model.lastId = sent.at(-1)!.id;
    expect(new Map(categories.map(({ category, count }) => [category, count]))).toEqual(
      new Map([
        ['a', 1],
        ['a\nb', 1],
      ])
    );
    expect(packages.map(({ dnpName, count }) => [dnpName, count])).toEqual([
      ['b\nc', 1],
      ['c', 1],
    ]);
  });

  it('orgId, which Grafana adds, is ignored', async () => {
    expect(await bridge().list('targetOrgId=2&limit=1')).toEqual(await bridge().list('limit=1'));
  });

  it('timestamp is an alias of from; empty and "undefined" are ignored', async () => {
    const from = ids(await bridge().list(`from=${day / 1000}&limit=1000`));
    expect(from.length).toBeGreaterThan(10);
    expect(ids(await bridge().list(`timestamp=${day / 1000}&limit=1000`))).toEqual(from);
    const all = ids(await bridge().list('limit=1000'));
    expect(ids(await bridge().list('timestamp=undefined&limit=1000'))).toEqual(all);
    expect(ids(await bridge().list('timestamp=&category=&limit=1000'))).toEqual(all);
  });

  it.each([
    ['from=yesterday', '?from'],
    ['to=2026-02-30', '?to'],
    ['from=2026-13-01', '?from'],
    ['timestamp=now', '?from'],
    ['seen=yes', '?seen'],
    ['priority=urgent', '?priority'],
    ['status=firing', '?status'],
    ['errors=no', '?errors'],
    ['muted=1', '?muted'],
    ['untilId=-1', '?untilId'],
    ['seen=true&seen=false', '?seen'],
    ['colour=red', '?colour'],
  ])('%s is rejected', async (query, pointer) => {
    for (const path of ['', '/facets']) {
      expect(
        expectProblem(await bridge().request('GET', `${NOTIFICATIONS}${path}?${query}`), 400).errors.map(
          (error) => error.pointer
        )
      ).toEqual([pointer]);
    }
    expectProblem(await bridge().request('PUT', `${NOTIFICATIONS}/seen?${query}`), 400);
  });
});
