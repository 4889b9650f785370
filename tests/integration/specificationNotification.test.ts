/** The section "Notification" of the specification: at least one test for each row with rules. */
import { describe, expect, it } from 'vitest';
import { payloadsOf } from './payloads.ts';
import { NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
const { without, refused, stored } = payloadsOf(bridge);

describe('title | string | sender (payload) | Title of the notification', () => {
  it('is stored as sent', async () => {
    expect((await stored({ title: '  Only 4.6 GB left 🚨 “<b>” ' })).title).toBe('  Only 4.6 GB left 🚨 “<b>” ');
  });
  it.each(['🔥', '⚠️ Disk', '👩‍👩‍👧‍👦', '🇪🇸', 'مساحة القرص', '️⃣1'])('can be in any script or emoji: %s', async (title) => {
    expect((await stored({ title })).title).toBe(title);
  });
  it('is required', async () => {
    expect(await refused(without('title'), '/title')).toMatchObject({ found: 'nothing', allowed: 'text' });
  });
  it.each([
    ['', '""'],
    ['  \n ', '"  \\n "'],
    [null, 'null'],
    [7, '7'],
    [['a'], 'a list'],
    [{}, 'an object'],
  ])('contains visible text: not %j', async (title, found) => {
    expect((await refused({ title, body: 'A body.' }, '/title')).found).toBe(found);
  });
});

describe('body | string | sender (payload) | Body text', () => {
  it('is stored as sent, in any length', async () => {
    const body = `**Markdown** <script>alert(1)</script>\r\n\t${'ü🙂'.repeat(5000)}`;
    expect((await stored({ body })).body).toBe(body);
  });
  it('is required', async () => {
    expect(await refused(without('body'), '/body')).toMatchObject({ found: 'nothing', allowed: 'text' });
  });
  it.each([
    [null, 'null'],
    [7, '7'],
    [false, 'false'],
    [[], 'a list'],
  ])('is a string: not %j', async (body, found) => {
    expect((await refused({ title: 'A title', body }, '/body')).found).toBe(found);
  });
});

describe('category | string | sender (payload) | Groups notifications by type', () => {
  it('groups', async () => {
    await bridge().clear();
    await bridge().sendAll([{ category: 'ethereum' }, { category: 'system' }, { category: 'ethereum' }]);
    const { categories } = await bridge().facets();
    expect(categories.map(({ category, count }) => [category, count])).toEqual(
      expect.arrayContaining([
        ['ethereum', 2],
        ['system', 1],
      ])
    );
    expect(categories).toHaveLength(2);
    expect(await bridge().list('category=ethereum')).toHaveLength(2);
  });
  it('is "other" by default', async () => {
    expect((await stored(without('category'))).category).toBe('other');
  });
  it.each(['my own category', 'überwachung/α', '🔥', '__proto__', 'constructor'])(
    'is any string: %s',
    async (category) => {
      await bridge().clear();
      expect((await stored({ category })).category).toBe(category);
      expect((await bridge().facets()).categories.map((one) => one.category)).toEqual([category]);
      const { byCategory } = await bridge().call('GET', `${NOTIFICATIONS}/unseen`);
      expect(Object.entries(byCategory)).toEqual([[category, 1]]);
    }
  );
  it('is a string', async () => {
    expect(await refused({ ...without(''), category: 5 }, '/category')).toMatchObject({ found: '5', allowed: 'text' });
  });
});

describe('dnpName | string | sender (payload) | Name of the package that sent it; identifies the source', () => {
  it('identifies the source', async () => {
    await bridge().clear();
    await bridge().sendAll([{ dnpName: 'geth.dnp.dappnode.eth' }, { dnpName: 'dms.dnp.dappnode.eth' }]);
    expect((await bridge().list('dnpName=geth.dnp.dappnode.eth')).map(({ dnpName }) => dnpName)).toEqual([
      'geth.dnp.dappnode.eth',
    ]);
    expect((await bridge().facets()).packages.map(({ dnpName }) => dnpName)).toEqual([
      'dms.dnp.dappnode.eth',
      'geth.dnp.dappnode.eth',
    ]);
  });
  it('is "unknown" by default', async () => {
    expect((await stored(without('dnpName'))).dnpName).toBe('unknown');
  });
  it('is a string', async () => {
    expect((await refused({ ...without(''), dnpName: ['a'] }, '/dnpName')).found).toBe('a list');
  });
});

describe('seen | boolean | notifications package | Default false; becomes true once the user views it', () => {
  it('is false by default, and true once viewed', async () => {
    const { id, seen } = await stored({});
    expect(seen).toBe(false);
    expect(await bridge().call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: true })).toMatchObject({ id, seen: true });
    expect((await bridge().get(id)).seen).toBe(true);
  });
  it.each([true, 'true', 1, null, {}])('cannot be set by the sender: %j is ignored', async (seen) => {
    expect((await stored({ seen })).seen).toBe(false);
  });
});

describe('timestamp | string | notifications package | Set when the notification is received; used to sort by date', () => {
  it('is the time of receipt, ISO 8601 in UTC with milliseconds', async () => {
    bridge().clock.advance(1234);
    expect((await stored({})).timestamp).toBe(bridge().clock.iso);
    expect(bridge().clock.iso).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
  it.each(['2023-10-01T12:00:00Z', 1696161600, 'yesterday', null])(
    'cannot be set by the sender: %j is ignored',
    async (timestamp) => {
      expect((await stored({ timestamp })).timestamp).toBe(bridge().clock.iso);
    }
  );
  it('sorts by date, newest first', async () => {
    await bridge().clear();
    for (const title of ['first', 'second', 'third']) {
      await bridge().send({ title });
      bridge().clock.advance(1000);
    }
    expect(await bridge().titles()).toEqual(['third', 'second', 'first']);
  });
});

describe('callToAction | object | sender (payload) | Optional. Fields title and url: a link for the user to act', () => {
  it.each(['http://dappmanager.dappnode', 'https://example.org/a?b=c#d', '/d/host?var-node=1', 'HTTP://EXAMPLE.org'])(
    'links to %s',
    async (url) => {
      expect((await stored({ callToAction: { title: 'Act', url } })).callToAction).toEqual({ title: 'Act', url });
    }
  );
  it.each([undefined, null, '', {}, { title: '', url: '' }])(
    'is optional: %j counts as missing',
    async (callToAction) => {
      expect(await stored({ callToAction })).not.toHaveProperty('callToAction');
    }
  );
  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.org',
    '//example.org',
    '/\\example.org',
    'example.org',
    'mailto:a@example.org',
    'http://',
    'blob:http://a/b',
  ])('does not link to %j', async (url) => {
    const { allowed } = await refused({ ...without(''), callToAction: { title: 'Act', url } }, '/callToAction/url');
    expect(allowed).toBe('an http: or https: address, or a path that begins with /');
  });
  it('requires both fields', async () => {
    await refused({ ...without(''), callToAction: { url: '/d/host' } }, '/callToAction/title');
    await refused({ ...without(''), callToAction: { title: 'Act' } }, '/callToAction/url');
    await refused({ ...without(''), callToAction: 'http://example.org' }, '/callToAction');
  });
});

describe('errors | string | sender (payload) | Optional error message with extra information', () => {
  it('is stored', async () => {
    expect((await stored({ errors: 'lookup dms.dappnode: no such host' })).errors).toBe(
      'lookup dms.dappnode: no such host'
    );
  });
  it.each([undefined, null, ''])('is optional: %j counts as missing, so the notification is shown', async (errors) => {
    const sent = await stored({ errors });
    expect(sent).not.toHaveProperty('errors');
    expect((await bridge().list('limit=1'))[0]?.id).toBe(sent.id);
  });
  it('is a string', async () => {
    expect((await refused({ ...without(''), errors: ['a'] }, '/errors')).found).toBe('a list');
  });
});

describe('icon | string | sender (payload) | Optional icon URL. When absent, the sending package’s icon is used', () => {
  it.each(['https://gateway.example/ipfs/Qm123', '/public/img/x.svg'])('is stored: %s', async (icon) => {
    expect((await stored({ icon })).icon).toBe(icon);
  });
  it.each([undefined, null, ''])('%j is omitted, so that the page uses the icon of the package', async (icon) => {
    expect(await stored({ icon })).not.toHaveProperty('icon');
  });
  it('is a URL that can be loaded', async () => {
    await refused({ ...without(''), icon: 'javascript:alert(1)' }, '/icon');
    await refused({ ...without(''), icon: 'data:image/svg+xml,<svg/>' }, '/icon');
  });
});
