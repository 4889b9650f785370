/**
 * `NODEBELL_COMPAT=dappnode`, port 8080: the calls of DAppNode's manager and UI as they are on the wire (DNP_DAPPMANAGER,
 * packages/notifications/src/api.ts and packages/admin-ui), without any token.
 */
import { describe, expect, it } from 'vitest';
import { useDappnode } from './dappnode.testing.ts';
import { DAY, type Json, SECOND } from './support.ts';

const { bridge } = useDappnode();

interface Theirs {
  id: number;
  timestamp: number;
  seen: boolean;
  isRemote: boolean;
  subscriptionEndpoint?: string;
  title: string;
  body: string;
  dnpName: string;
  category: string;
  correlationId: string;
  priority: string;
  status: string;
  isBanner: boolean;
  errors?: string;
}

/**
 * Reimplemented from what is known of its requests: no paging, ids unescaped in paths, parameters sent even without a value.
 */
class TheirClient {
  readonly #base: string;
  constructor(base: string) {
    this.#base = `${base}/api/v1/notifications`;
  }

  async #ask(method: string, rest: string): Promise<Json> {
    const response = await fetch(this.#base + rest, { method });
    if (!response.ok) {
      throw new Error(`${method} ${rest}: ${response.status}`);
    }
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Sends like DAppNode's senders: any 2xx is a success, and the body is not read. */
  async send(payload: Record<string, unknown>, subscriptionEndpoint?: string): Promise<boolean> {
    const query =
      subscriptionEndpoint === undefined
        ? ''
        : `?subscriptionEndpoint=${encodeURIComponent(encodeURIComponent(subscriptionEndpoint))}`;
    const response = await fetch(this.#base + query, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(payload),
    });
    return response.ok;
  }
  all(): Promise<Theirs[]> {
    return this.#ask('GET', '');
  }
  banners(sinceSeconds?: number): Promise<Theirs[]> {
    return this.#ask('GET', `?isBanner=true&timestamp=${sinceSeconds}`);
  }
  async unseenCount(): Promise<number> {
    return ((await this.#ask('GET', '/unseen')) as { unseenCount: number }).unseenCount;
  }
  setAllSeen(): Promise<void> {
    return this.#ask('PUT', '/seen?isBanner=false');
  }
  setSeen(correlationId: string): Promise<void> {
    return this.#ask('PUT', `/${correlationId}/seen`);
  }

  /** The banners that it shows: the newest notification of each correlationId, if it is triggered and unseen. */
  async shownBanners(sinceSeconds?: number): Promise<string[]> {
    const groups = Map.groupBy(
      (await this.banners(sinceSeconds)).filter(({ errors }) => !errors),
      ({ correlationId }) => correlationId
    );
    return [...groups.values()]
      .map((members) => members.reduce((newest, one) => (one.timestamp > newest.timestamp ? one : newest)))
      .filter(({ status, seen }) => status === 'triggered' && !seen)
      .map(({ title }) => title);
  }
}

const client = (): TheirClient => new TheirClient(bridge().url);
const DISK = {
  title: 'Disk full',
  body: 'B',
  dnpName: 'dappmanager.dnp.dappnode.eth',
  category: 'hardware',
  priority: 'critical',
  correlationId: 'core-disk-usage',
  isRemote: false,
};
const later = (): void => bridge().clock.advance(SECOND);

describe('each request', () => {
  it('POST /api/v1/notifications', async () => {
    expect(await client().send({ ...DISK, status: 'triggered', isBanner: true })).toBe(true);
    expect(await bridge().titles()).toEqual(['Disk full']);
  });
  it('POST /api/v1/notifications?subscriptionEndpoint=…, escaped twice', async () => {
    expect(await client().send({ title: 'T', body: 'B' }, 'https://push.example/a?b=c&d')).toBe(true);
    expect(await bridge().titles()).toEqual(['T']);
  });
  it('GET /api/v1/notifications, without any parameter: an array, newest first', async () => {
    await client().send({ title: 'one', body: 'B' });
    later();
    await client().send({ title: 'two', body: 'B' });
    const all = await client().all();
    expect(all.map(({ title }) => title)).toEqual(['two', 'one']);
    for (const { id, timestamp, seen } of all) {
      expect([typeof id, timestamp, seen]).toEqual(['number', expect.any(Number), false]);
    }
    expect(all.map(({ timestamp }) => timestamp)).toEqual([
      Math.floor(bridge().clock.now / 1000),
      Math.floor(bridge().clock.now / 1000) - 1,
    ]);
  });
  it('returns isRemote and subscriptionEndpoint as they were sent', async () => {
    await client().send({ title: 'one', body: 'B', isRemote: true });
    await client().send({ title: 'two', body: 'B', subscriptionEndpoint: 'https://push.example/1' });
    await client().send({ title: 'three', body: 'B' }, 'https://push.example/a?b=c&d');
    expect(
      (await client().all()).map(({ title, isRemote, subscriptionEndpoint }) => ({
        title,
        isRemote,
        subscriptionEndpoint,
      }))
    ).toEqual([
      { title: 'three', isRemote: false, subscriptionEndpoint: 'https://push.example/a?b=c&d' },
      { title: 'two', isRemote: false, subscriptionEndpoint: 'https://push.example/1' },
      { title: 'one', isRemote: true, subscriptionEndpoint: undefined },
    ]);
  });
  it('GET /api/v1/notifications has no pages, up to 2,000', async () => {
    for (let at = 0; at < 2100; at += 300) {
      await Promise.all(
        Array.from({ length: 300 }, (_, index) => client().send({ title: `n${at + index}`, body: 'B' }))
      );
    }
    const all = await client().all();
    expect(all).toHaveLength(2000);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2000);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
  });
  it('POST /api/v1/notifications/test?endpoint=…', async () => {
    const url = `${bridge().url}/api/v1/notifications/test?endpoint=${encodeURIComponent('https://push.example/1')}`;
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' } });
    expect(response.status).toBe(201);
    expect(await client().all()).toMatchObject([
      { title: 'Test notification', subscriptionEndpoint: 'https://push.example/1', status: 'triggered' },
    ]);
  });
  it('GET /api/v1/notifications?isBanner=true&timestamp=<unix seconds>', async () => {
    await client().send({ ...DISK, title: 'before', status: 'triggered', isBanner: true });
    bridge().clock.advance(DAY);
    await client().send({ ...DISK, title: 'after', status: 'triggered', isBanner: true });
    await client().send({ title: 'no banner', body: 'B' });
    expect((await client().banners(Math.floor(bridge().clock.now / 1000))).map(({ title }) => title)).toEqual([
      'after',
    ]);
    expect((await client().banners(Math.floor(bridge().clock.now / 1000) + 1)).map(({ title }) => title)).toEqual([]);
  });
  it('GET /api/v1/notifications?isBanner=true&timestamp=undefined: no limit in time', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    bridge().clock.advance(100 * DAY);
    expect(await client().banners()).toHaveLength(1);
  });
  it('GET /api/v1/notifications/unseen', async () => {
    await client().send({ title: 'T', body: 'B' });
    await client().send({ title: 'T', body: 'B', errors: 'e' });
    expect(await client().unseenCount()).toBe(1);
  });
  it('PUT /api/v1/notifications/seen?isBanner=false: all but banners', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    await client().send({ title: 'one', body: 'B' });
    await client().send({ title: 'two', body: 'B' });
    await client().setAllSeen();
    expect((await client().all()).map(({ title, seen }) => [title, seen])).toEqual([
      ['two', true],
      ['one', true],
      ['Disk full', false],
    ]);
    expect(await client().unseenCount()).toBe(1);
  });
  it('PUT /api/v1/notifications/seen?isBanner=false: resolved banners, whether the resolve was a banner or not', async () => {
    for (const isBanner of [true, false]) {
      await client().send({ ...DISK, correlationId: `disk-${isBanner}`, status: 'triggered', isBanner: true });
      later();
      await client().send({ ...DISK, correlationId: `disk-${isBanner}`, status: 'resolved', isBanner });
    }
    expect(await client().unseenCount()).toBe(4);
    await client().setAllSeen();
    expect(await client().unseenCount()).toBe(0);
  });
  it('PUT /api/v1/notifications/{correlationId}/seen: every member, in every package', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    await client().send({ ...DISK, dnpName: 'other.dnp' });
    await client().send({ ...DISK, correlationId: 'other' });
    await client().setSeen('core-disk-usage');
    expect((await client().all()).map(({ correlationId, seen }) => [correlationId, seen])).toEqual([
      ['other', false],
      ['core-disk-usage', true],
      ['core-disk-usage', true],
      ['core-disk-usage', true],
    ]);
  });
  it.each([
    'missing_log_receipts',
    'with space',
    'a/b/c',
    'a/seen',
    'seen',
    '1',
    'ünï',
    'a.b',
    'a:b;c=d,e&f',
    "~(x)!*'@$+",
  ])('PUT /api/v1/notifications/{correlationId}/seen, with an unescaped id: %s', async (correlationId) => {
    await client().send({ title: 'T', body: 'B', correlationId });
    await client().setSeen(correlationId);
    expect((await client().all()).map(({ seen }) => seen)).toEqual([true]);
  });
});

describe('banners, grouped as it does', () => {
  const since = () => Math.floor(bridge().clock.now / 1000) - 3600;
  it('a resolve without a banner removes the banner', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    expect(await client().shownBanners(since())).toEqual(['Disk full']);
    later();
    await client().send({ ...DISK, title: 'Disk is fine', status: 'resolved', isBanner: false, priority: 'low' });
    expect(await client().shownBanners(since())).toEqual([]);
    later();
    await client().send({ ...DISK, title: 'Disk full again', status: 'triggered', isBanner: true });
    expect(await client().shownBanners(since())).toEqual(['Disk full again']);
  });
  it('so do a resolve without isBanner, and a second one', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    for (let times = 0; times < 2; times += 1) {
      later();
      await client().send({ ...DISK, status: 'resolved' });
      expect(await client().shownBanners()).toEqual([]);
    }
  });
  it('so does closing the banner, which marks its members as seen', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    await client().setSeen(DISK.correlationId);
    expect(await client().shownBanners()).toEqual([]);
  });
  it('so does resolving the thread by hand', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true });
    later();
    const [banner] = await client().all();
    await bridge().call('POST', `/api/v1/notifications/${banner!.id}/resolve`);
    expect(await client().shownBanners()).toEqual([]);
  });
  it('a notification with errors is not a banner', async () => {
    await client().send({ ...DISK, status: 'triggered', isBanner: true, errors: 'no such host' });
    expect(await client().shownBanners()).toEqual([]);
  });
});
