/** Long texts, large lists and many names: what is stored, and what responses contain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { DAY, type Answer, expectProblem, NOTIFICATIONS, TestBridge } from './support.ts';

let bridge: TestBridge;
beforeAll(async () => {
  bridge = await TestBridge.start();
});
afterAll(() => bridge.dispose());

const bytes = (text: string): number => Buffer.byteLength(text);
const alertOf = (labels: Record<string, string>, status = 'firing', annotations: Record<string, string> = {}) => ({
  status,
  labels: { alertname: 'Disk', ...labels },
  annotations,
  startsAt: '2026-11-21T09:00:00Z',
  endsAt: status === 'resolved' ? '2026-11-21T09:30:00Z' : '0001-01-01T00:00:00Z',
  fingerprint: labels.fingerprint ?? 'f1',
});
const fire = (...alerts: object[]): Promise<Answer> =>
  bridge.request('POST', '/api/v1/webhooks/grafana', { alerts, status: 'firing' });

async function allPages(query: string): Promise<Notification[][]> {
  const pages: Notification[][] = [];
  for (let next: string | undefined = `${NOTIFICATIONS}?${query}`; next !== undefined;) {
    const answer: Answer<Notification[]> = await bridge.request<Notification[]>('GET', next);
    pages.push(answer.body);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages;
}

describe('a long text', () => {
  it('is truncated in responses, marked, and stored as a whole', async () => {
    const title = '🦊'.repeat(400);
    const body = `${'é'.repeat(LIMITS.bodyTextBytes.value / 2)}end`;
    const errors = 'e'.repeat(LIMITS.errorsBytes.value + 1);
    const sent = await bridge.send({ title, body, errors, correlationId: 'long' });
    const [listed] = await bridge.list('errors=only&correlationId=long');
    const detail = await bridge.get(sent.id);
    for (const found of [sent, listed!, detail, detail.members[0]!]) {
      expect(bytes(found.title)).toBeLessThanOrEqual(LIMITS.titleBytes.value);
      expect(found.title).toMatch(/^🦊+…$/u);
      expect(found.body).toBe('é'.repeat(LIMITS.bodyTextBytes.value / 2));
      expect(found.errors).toHaveLength(LIMITS.errorsBytes.value);
      expect(found).toMatchObject({
        titleTruncated: true,
        bodyTruncated: true,
        bodyBytes: bytes(body),
        errorsTruncated: true,
      });
    }
    for (const [text, whole] of Object.entries({ title, body, errors })) {
      const answer = await bridge.request('GET', `${NOTIFICATIONS}/${sent.id}/${text}`);
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual(
        [200, 'text/plain; charset=utf-8', 'nosniff']
      );
      expect(answer.body === whole, text).toBe(true);
    }
  });

  it('of exactly the limit is returned unchanged', async () => {
    const payload = {
      title: 't'.repeat(LIMITS.titleBytes.value),
      body: 'b'.repeat(LIMITS.bodyTextBytes.value),
      category: 'c'.repeat(LIMITS.nameBytes.value),
      icon: `/${'i'.repeat(LIMITS.iconAddressBytes.value - 1)}`,
      callToAction: {
        title: 'o'.repeat(LIMITS.linkTitleBytes.value),
        url: `/${'u'.repeat(LIMITS.linkBytes.value - 1)}`,
      },
    };
    const sent = await bridge.send(payload);
    expect(await bridge.get(sent.id)).toMatchObject(payload);
    expect(Object.keys(sent).filter((name) => name.includes('Truncated'))).toEqual([]);
    expect((await bridge.request('GET', `${NOTIFICATIONS}/${sent.id}/errors`)).status).toBe(404);
  });

  it('as a name or a link is rejected in a strict send, with a pointer', async () => {
    const name = 'n'.repeat(LIMITS.nameBytes.value + 1);
    const url = `/${'u'.repeat(LIMITS.linkBytes.value)}`;
    const answer = await bridge.request('POST', `${NOTIFICATIONS}?strict=true`, {
      title: 'A title',
      body: 'A body.',
      category: name,
      dnpName: name,
      correlationId: name,
      icon: url,
      callToAction: { title: name, url },
    });
    const problem = expectProblem(answer, 400);
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/callToAction/title',
      '/callToAction/url',
      '/category',
      '/correlationId',
      '/dnpName',
      '/icon',
    ]);
    expect(problem.errors.map(({ allowed }) => allowed)).toContain('at most 1,024 bytes of UTF-8');
  });

  it('in other members is omitted, with a note', async () => {
    const sent = await bridge.post({ attachment: 'x'.repeat(LIMITS.extraBytes.value), kept: 1 });
    expect([sent.status, sent.body.notes]).toEqual([201, [expect.stringContaining('the largest are left out')]]);
  });

  it('never loses an alert: names are shortened consistently, so that the resolve matches its thread', async () => {
    const long = { category: 'c'.repeat(3000), correlationId: 'i'.repeat(3000), dnpName: 'p'.repeat(3000) };
    const link = { callToActionUrl: `/${'u'.repeat(LIMITS.linkBytes.value)}`, summary: 's'.repeat(5000) };
    const fired = await fire(alertOf(long, 'firing', link));
    expect(fired.body).toMatchObject({ accepted: 1 });
    expect(fired.body.notes).toEqual(
      expect.arrayContaining([
        '"category" is longer than 1024 bytes; shortened',
        '"correlationId" is longer than 1024 bytes; shortened',
        '"dnpName" is longer than 1024 bytes; shortened',
        expect.stringMatching(/^the link .+ was left out: it is longer than 8192 bytes$/),
      ])
    );
    await fire(alertOf(long, 'resolved'));
    const [newest, ...others] = (await bridge.list('latest=true')).filter(({ dnpName }) => dnpName.startsWith('ppp'));
    expect(others).toEqual([]);
    expect(newest?.thread).toMatchObject({ state: 'resolved', count: 2 });
    expect(bytes(newest?.correlationId ?? '')).toBeLessThanOrEqual(LIMITS.nameBytes.value);
  });
});

describe('a list', () => {
  it('ends at its limit of bytes and continues on the next page; so do the members of a thread', async () => {
    // Control characters take six bytes each in JSON.
    const body = '\u0001'.repeat(LIMITS.bodyTextBytes.value);
    const sent: number[] = [];
    for (let index = 0; index < 24; index += 1) {
      sent.push((await bridge.send({ body, correlationId: 'bytes', dnpName: 'bytes.eth' })).id);
    }
    const pages = await allPages('dnpName=bytes.eth&limit=1000');
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ id }) => id)).toEqual(sent.toReversed());
    for (const page of pages) {
      expect(bytes(JSON.stringify(page))).toBeLessThanOrEqual(LIMITS.listBytes.value);
    }
    const { members, thread } = await bridge.get(sent[0]!);
    expect(members.map(({ id }) => id)).toEqual(sent.toReversed().slice(0, members.length));
    expect(bytes(JSON.stringify(members))).toBeLessThanOrEqual(LIMITS.listBytes.value);
    expect(members.length).toBeLessThan(thread.count);
  });

  it('includes longer names that an older version stored', async () => {
    const old = await TestBridge.start();
    const sent = await old.send({ category: 'placeholder', dnpName: 'old.eth' });
    await old.send({ category: 'short', dnpName: 'old.eth' });
    await old.stop();
    const db = openDatabase(await testAddress(old.dataDir));
    const long = 'c'.repeat(5000);
    for (const table of ['notifications', 'threads', 'counts'] as const) {
      await db.updateTable(table).set({ category: long }).where('category', '=', 'placeholder').execute();
    }
    await db.destroy();
    await old.start();
    expect((await old.get(sent.id)).category).toBe(long);
    const facets = await old.facets();
    expect(facets).toMatchObject({ total: 2, moreCategories: 1 });
    expect(facets.categories.map(({ category }) => category)).toEqual(['short']);
    const unseen = await old.call('GET', `${NOTIFICATIONS}/unseen`);
    expect(unseen).toEqual({ unseenCount: 2, byCategory: { short: 1 }, moreCategories: 1 });
    expect(await old.call('GET', '/api/v1/categories')).toHaveLength(1);
    await old.dispose();
  });
});

describe('new categories and packages', () => {
  const limit = LIMITS.newCategoriesPerDay.value;
  const flood = (day: string) =>
    fire(
      ...Array.from({ length: limit + 5 }, (_, index) =>
        alertOf({ fingerprint: `${day}${index}`, category: `c-${day}-${index}`, dnpName: `p-${day}-${index}` })
      )
    );

  it('are limited per sender and day, without losing alerts', async () => {
    bridge.clock.advance(DAY);
    const before = await bridge.facets('category=other');
    const answer = await flood('one');
    expect(answer.body.accepted).toBe(limit + 5);
    expect(answer.body.notes).toContain(
      `"category" "c-one-${limit}" is stored as "other", "dnpName" "p-one-${limit}" is stored as "unknown": too many new ones from this sender today, or in the inbox`
    );
    const after = await bridge.facets('category=other');
    expect(after.total - before.total).toBe(5);

    const others = await bridge.list('category=other&dnpName=unknown&limit=5');
    expect(new Set(others.map(({ correlationId }) => correlationId)).size).toBe(5);
    // A known name does not count.
    expect(
      (await fire(alertOf({ fingerprint: 'again', category: 'c-one-3', dnpName: 'p-one-3' }))).body.notes
    ).toBeUndefined();
    const sent = await bridge.post({ category: 'one-more' });
    expect(sent.body).toMatchObject({ category: 'other', notes: [expect.stringContaining('"one-more"')] });
  });

  it('beyond the limit have separate threads, and a resolve on another day matches its thread', async () => {
    const last = limit + 4;
    const alert = { fingerprint: `one${last}`, category: `c-one-${last}`, dnpName: `p-one-${last}` };
    bridge.clock.advance(DAY);
    expect((await fire(alertOf(alert, 'resolved'))).body.accepted).toBe(1);
    const [newest] = await bridge.list('limit=1');
    expect(newest).toMatchObject({ dnpName: 'unknown', status: 'resolved', thread: { state: 'resolved', count: 2 } });
    // From now on it has its own name.
    await bridge.send(alert);
    expect((await bridge.list('limit=1'))[0]?.dnpName).toBe(alert.dnpName);
  });

  it('are known if the category has a switch', async () => {
    await bridge.switchCategory('named-by-admin', true);
    await flood('two');
    expect((await bridge.send({ category: 'named-by-admin' })).category).toBe('named-by-admin');
    expect((await bridge.send({ category: 'named-by-nobody' })).category).toBe('other');
  });
});

describe('facets of many categories and packages', () => {
  it('list the most urgent, those in the filter, and the number of others', async () => {
    bridge.clock.advance(DAY);
    const facets = await bridge.facets();
    expect(facets.categories).toHaveLength(LIMITS.facetItems.value);
    expect(facets.packages).toHaveLength(LIMITS.facetItems.value);
    expect(facets.moreCategories).toBeGreaterThan(0);
    expect(facets.morePackages).toBeGreaterThan(0);
    const left = `c-one-${limitOfLeft(facets.categories.map(({ category }) => category))}`;
    const chosen = await bridge.facets(`category=${left}`);
    expect(chosen.categories.map(({ category }) => category)).toContain(left);
    expect(chosen.total).toBe(1);
  });
});

/** The number of a category that is not listed. */
function limitOfLeft(listed: string[]): number {
  const all = Array.from({ length: LIMITS.newCategoriesPerDay.value }, (_, index) => index);
  return all.find((index) => !listed.includes(`c-one-${index}`)) ?? 0;
}
