/** Pages of a list: every row exactly once, in order. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { type Answer, expectProblem, NOTIFICATIONS, type TestBridge, useBridge } from './support.ts';

const bridge = useBridge();

/** The rows of all pages, following the Link header. */
async function pages(
  on: TestBridge,
  query: string,
  between: () => Promise<unknown> = () => Promise.resolve()
): Promise<Notification[][]> {
  const found: Notification[][] = [];
  for (let next: string | undefined = `${NOTIFICATIONS}?${query}`; next !== undefined;) {
    const answer: Answer<Notification[]> = await on.request<Notification[]>('GET', next);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    found.push(answer.body);
    const link: string | null = answer.headers.get('link');
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
      // Five per timestamp, and the clock is set back now and then, so time alone does not define an order.
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

  it('contain every row once, in order, for any page size', async () => {
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

  it.each(['', 'q=needle', 'latest=true'])('are consistent while new notifications arrive: %s', async (query) => {
    await many(40);
    const before = ids(await bridge().list(`${query}&limit=1000`));
    const found = await pages(bridge(), `${query}&limit=6`, () =>
      bridge().send({ title: 'needle, new', correlationId: `new ${Math.random()}` })
    );
    expect(ids(found.flat())).toEqual(before);
  });

  it('are consistent while others are deleted', async () => {
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

  it('have 100 rows by default, and at most 1000', async () => {
    await Promise.all(Array.from({ length: 105 }, () => bridge().send()));
    const [first, second] = await pages(bridge(), '');
    expect([first!.length, second!.length]).toEqual([100, 5]);
    for (const limit of ['0', '1001', '-1', '1.5', 'all']) {
      expect(
        expectProblem(await bridge().request('GET', `${NOTIFICATIONS}?limit=${limit}`), 400).errors[0]!.pointer
      ).toBe('?limit');
    }
  });

  it('the cursor of another query is rejected', async () => {
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
    'an invalid cursor is rejected: %s',
    async (cursor) => {
      expect(
        expectProblem(await bridge().request('GET', `${NOTIFICATIONS}?cursor=${cursor}`), 400).errors[0]!.pointer
      ).toBe('?cursor');
    }
  );

  it('a question mark in the query string is part of a value', async () => {
    await bridge().sendAll([{ title: 'why 1' }, { title: 'why 2' }, { title: 'else' }]);
    const found = await pages(bridge(), 'limit=1&q=why?');
    expect(found.flat().map(({ title }) => title)).toEqual(['why 2', 'why 1']);
  });
});
