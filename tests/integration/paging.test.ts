/** Pages and filters of the list: every row exactly once, and what a naive filter would choose. */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Notification, PRIORITIES } from '../../backend-bridge/contract/notification.ts';
import { listQuerySchema, type NotificationFilter } from '../../backend-bridge/contract/query.ts';
import { ModelInbox, modelFacets, type Sent } from './model.ts';
import { DAY, expectProblem, HOUR, NOTIFICATIONS, START, type TestBridge, useBridge } from './support.ts';

const bridge = useBridge();

/** The rows of every page, by the header Link. */
async function pages(
  on: TestBridge,
  query: string,
  between: () => Promise<unknown> = () => Promise.resolve()
): Promise<Notification[][]> {
  const found: Notification[][] = [];
  for (let next: string | undefined = `${NOTIFICATIONS}?${query}`; next !== undefined;) {
    const answer = await on.request<Notification[]>('GET', next);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    found.push(answer.body);
    const link = answer.headers.get('link');
    next = link === null ? undefined : /^<([^>]+)>; rel="next"$/.exec(link)![1];
    await between();
  }
  return found;
}
const ids = (rows: Notification[]): number[] => rows.map(({ id }) => id);

describe('pages', () => {
  beforeEach(() => bridge().clear());

  const many = async (count: number) => {
    const sent: Notification[] = [];
    for (let index = 0; index < count; index += 1) {
      // Five at each moment, and the clock is set back now and then: time alone orders nothing.
      bridge().clock.advance(index % 15 === 14 ? -700 : index % 5 === 4 ? 1000 : 0);
      sent.push(
        await bridge().send({
          title: `needle ${index}`,
          category: `c${index % 3}`,
          correlationId: `t${index % 20}`,
          isBanner: index % 2 === 0,
        })
      );
    }
    return sent;
  };

  it('hold every row once, in order, whatever their size', async () => {
    await many(53);
    for (const query of [
      '',
      'category=c1&category=c2',
      'q=needle',
      'latest=true',
      'isBanner=true',
      'timestamp=1',
      'from=2026-01-01&to=1999999999.5',
    ]) {
      const whole = await bridge().list(`${query}&limit=1000`);
      expect(whole.length, query).toBeGreaterThan(10);
      expect(
        await bridge()
          .request('GET', `${NOTIFICATIONS}?${query}&limit=1000`)
          .then(({ headers }) => headers.get('link'))
      ).toBeNull();
      for (const limit of [1, 7, whole.length - 1, whole.length]) {
        const found = await pages(bridge(), `${query}&limit=${limit}`);
        expect(found.flat(), `${query} by ${limit}`).toEqual(whole);
        expect(found).toHaveLength(Math.ceil(whole.length / limit));
      }
    }
  });

  it('are in order of time, then of arrival', async () => {
    const sent = await many(53);
    const expected = [...sent].sort((a, b) => b.timestamp.localeCompare(a.timestamp) || b.id - a.id);
    expect(ids((await pages(bridge(), 'limit=10')).flat())).toEqual(ids(expected));
  });

  it.each(['', 'q=needle', 'latest=true'])('stay whole while new ones arrive: %s', async (query) => {
    await many(40);
    const before = ids(await bridge().list(`${query}&limit=1000`));
    const found = await pages(bridge(), `${query}&limit=6`, () =>
      bridge().send({ title: 'needle, new', correlationId: `new ${Math.random()}` })
    );
    expect(ids(found.flat())).toEqual(before);
  });

  it('stay whole while others are deleted', async () => {
    const sent = await many(30);
    const gone: number[] = [];
    const found = await pages(bridge(), 'limit=4', async () => {
      const one = sent[gone.length * 2]!.id;
      gone.push(one);
      await bridge().remove(one);
    });
    const left = ids(await bridge().list('limit=1000'));
    expect(ids(found.flat()).filter((id) => left.includes(id))).toEqual(left);
    expect(new Set(ids(found.flat())).size).toBe(found.flat().length);
  });

  it('have 100 rows when nothing is said, and at most 1000', async () => {
    await Promise.all(Array.from({ length: 105 }, () => bridge().send()));
    const [first, second] = await pages(bridge(), '');
    expect([first!.length, second!.length]).toEqual([100, 5]);
    for (const limit of ['0', '1001', '-1', '1.5', 'all']) {
      expect(
        expectProblem(await bridge().request('GET', `${NOTIFICATIONS}?limit=${limit}`), 400).errors[0]!.pointer
      ).toBe('?limit');
    }
  });

  it('the cursor of another query is refused', async () => {
    await many(10);
    const { headers } = await bridge().request('GET', `${NOTIFICATIONS}?category=c1&limit=2`);
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link')!)![1]!;
    for (const other of [
      '',
      'category=c2',
      'category=c1&seen=false',
      'category=c1&latest=true',
      'category=c1&q=needle',
    ]) {
      const { errors } = expectProblem(
        await bridge().request('GET', `${NOTIFICATIONS}?${other}&limit=2&cursor=${cursor}`),
        400
      );
      expect(errors).toMatchObject([{ pointer: '?cursor', found: 'a cursor of another query' }]);
    }
    expect(await bridge().list(`limit=1&cursor=${cursor}&category=c1`)).toHaveLength(1);
  });

  it.each(['x', 'MS4y', '....', Buffer.from('1.2.short').toString('base64url'), '-'.repeat(500)])(
    'what is no cursor is refused: %s',
    async (cursor) => {
      expect(
        expectProblem(await bridge().request('GET', `${NOTIFICATIONS}?cursor=${cursor}`), 400).errors[0]!.pointer
      ).toBe('?cursor');
    }
  );

  it('a question mark within the query belongs to it', async () => {
    await bridge().sendAll([{ title: 'why 1' }, { title: 'why 2' }, { title: 'else' }]);
    const found = await pages(bridge(), 'limit=1&q=why?');
    expect(found.flat().map(({ title }) => title)).toEqual(['why 2', 'why 1']);
  });
});

describe('filters choose what a naive filter chooses', () => {
  const model = new ModelInbox();
  const DAYS = 4;

  beforeAll(async () => {
    await bridge().clear();
    // The same for every run: seeded.
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
      },
      { requiredKeys: ['title', 'body', 'category', 'dnpName', 'correlationId'] }
    );
    const sent = fc
      .sample(payload, { numRuns: 120, seed: 42 })
      .map(({ errors, ...rest }, index) => ({ ...rest, ...(errors && index % 4 === 0 && { errors }) }));
    // Every few hours, over some days, with their first and last milliseconds.
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
      model.receive(one as Sent, { id, ts: bridge().clock.now });
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
        // A search among threads looks at the newest member alone, which the model does too; nothing to leave out there.
        if (!doubled && !contradicts) {
          await compare(`${one}&${other}`);
          pairs += 1;
        }
      }
    }
    expect(pairs).toBeGreaterThan(300);
  });

  it('threads together with what is never shown are refused', async () => {
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

  it('ranges of time: they begin with from and end before to, wherever they cut a day', async () => {
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

  it('timestamp is another name for from, and an empty or "undefined" one is none', async () => {
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
  ])('%s is refused', async (query, pointer) => {
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
