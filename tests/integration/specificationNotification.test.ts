/** The specification's section "Notification", one test for each row of its table, and what goes with a row. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import Database from 'better-sqlite3';
import path from 'node:path';
import { expectProblem, NOTIFICATIONS, type Payload, useBridge } from './support.ts';

const bridge = useBridge();

/** The payload without one member. */
function without(member: string): Payload {
  const { [member]: _gone, ...rest } = {
    title: 'A title',
    body: 'A body.',
    category: 'system',
    dnpName: 'one.dnp',
  } as Payload;
  return rest;
}

async function refused(payload: Payload, pointer: string): Promise<{ found: string; allowed: string }> {
  const before = await bridge().list('muted=all&errors=all&limit=1000');
  const { errors } = expectProblem(await bridge().request('POST', NOTIFICATIONS, payload), 400);
  expect(errors.map((error) => error.pointer)).toEqual([pointer]);
  expect(await bridge().list('muted=all&errors=all&limit=1000')).toEqual(before);
  return errors[0]!;
}

/** What the inbox serves of it later, which must be what the sender was answered. */
async function stored(payload: Payload) {
  const sent = await bridge().send(payload);
  const { members: _members, ...kept } = await bridge().get(sent.id);
  expect(kept).toEqual(sent);
  return kept;
}

describe('title | string | sender (payload) | Title of the notification', () => {
  it('is kept as sent', async () => {
    expect((await stored({ title: '  Only 4.6 GB left 🚨 “<b>” ' })).title).toBe('  Only 4.6 GB left 🚨 “<b>” ');
  });
  it.each(['🔥', '⚠️ Disk', '👩‍👩‍👧‍👦', '🇪🇸', 'مساحة القرص', '️⃣1'])(
    'may be written in any script or emoji: %s',
    async (title) => {
      expect((await stored({ title })).title).toBe(title);
    }
  );
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
  ])('is text that can be seen: not %j', async (title, found) => {
    expect((await refused({ title, body: 'A body.' }, '/title')).found).toBe(found);
  });
});

describe('body | string | sender (payload) | Body text', () => {
  it('is kept as sent, however long', async () => {
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
  ])('is text: not %j', async (body, found) => {
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
  it('is "other" when it is left out', async () => {
    expect((await stored(without('category'))).category).toBe('other');
  });
  it.each(['my own category', 'Überwachung/α', '🔥', '__proto__', 'constructor'])(
    'is any word: %s',
    async (category) => {
      await bridge().clear();
      expect((await stored({ category })).category).toBe(category);
      expect((await bridge().facets()).categories.map((one) => one.category)).toEqual([category]);
      const { byCategory } = await bridge().call('GET', `${NOTIFICATIONS}/unseen`);
      expect(Object.entries(byCategory)).toEqual([[category, 1]]);
    }
  );
  it('is text', async () => {
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
  it('is "unknown" when it is left out', async () => {
    expect((await stored(without('dnpName'))).dnpName).toBe('unknown');
  });
  it('is text', async () => {
    expect((await refused({ ...without(''), dnpName: ['a'] }, '/dnpName')).found).toBe('a list');
  });
});

describe('seen | boolean | notifications package | Default false; becomes true once the user views it', () => {
  it('is false by default, and true once it was viewed', async () => {
    const { id, seen } = await stored({});
    expect(seen).toBe(false);
    expect(await bridge().call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: true })).toMatchObject({ id, seen: true });
    expect((await bridge().get(id)).seen).toBe(true);
  });
  it.each([true, 'true', 1, null, {}])('is not the sender’s to set: %j is ignored', async (seen) => {
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
    'is not the sender’s to set: %j is ignored',
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
    'leads to %s',
    async (url) => {
      expect((await stored({ callToAction: { title: 'Act', url } })).callToAction).toEqual({ title: 'Act', url });
    }
  );
  it.each([undefined, null, '', {}, { title: '', url: '' }])(
    'is optional: %j counts as left out',
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
  ])('does not lead to %j', async (url) => {
    const { allowed } = await refused({ ...without(''), callToAction: { title: 'Act', url } }, '/callToAction/url');
    expect(allowed).toBe('an http: or https: address, or a path that begins with /');
  });
  it('needs both fields', async () => {
    await refused({ ...without(''), callToAction: { url: '/d/host' } }, '/callToAction/title');
    await refused({ ...without(''), callToAction: { title: 'Act' } }, '/callToAction/url');
    await refused({ ...without(''), callToAction: 'http://example.org' }, '/callToAction');
  });
});

describe('errors | string | sender (payload) | Optional error message with extra information', () => {
  it('is kept', async () => {
    expect((await stored({ errors: 'lookup dms.dappnode: no such host' })).errors).toBe(
      'lookup dms.dappnode: no such host'
    );
  });
  it.each([undefined, null, ''])('is optional: %j counts as left out, so the notification is shown', async (errors) => {
    const sent = await stored({ errors });
    expect(sent).not.toHaveProperty('errors');
    expect((await bridge().list('limit=1'))[0]?.id).toBe(sent.id);
  });
  it('is text', async () => {
    expect((await refused({ ...without(''), errors: ['a'] }, '/errors')).found).toBe('a list');
  });
});

describe('icon | string | sender (payload) | Optional icon URL. When absent, the sending package’s icon is used', () => {
  it.each(['https://gateway.example/ipfs/Qm123', '/public/img/x.svg'])('is kept: %s', async (icon) => {
    expect((await stored({ icon })).icon).toBe(icon);
  });
  it.each([undefined, null, ''])('%j is served as absent, so that the page takes the package’s', async (icon) => {
    expect(await stored({ icon })).not.toHaveProperty('icon');
  });
  it('is a link that a page may load', async () => {
    await refused({ ...without(''), icon: 'javascript:alert(1)' }, '/icon');
    await refused({ ...without(''), icon: 'data:image/svg+xml,<svg/>' }, '/icon');
  });
});

describe('priority | string | sender | Present in the sample payload and request', () => {
  it.each([
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['critical', 'critical'],
    ['CRITICAL', 'critical'],
    [' High ', 'high'],
  ])('%j is read as %s', async (priority, expected) => {
    expect((await stored({ priority })).priority).toBe(expected);
  });
  it.each([undefined, null, ''])('is "low" when it is left out: %j', async (priority) => {
    expect((await stored({ priority })).priority).toBe('low');
  });
  it.each(['urgent', 'crit', 3, true])('%j is refused, with the allowed values', async (priority) => {
    const { found, allowed } = await refused({ ...without(''), priority }, '/priority');
    expect(found).toBe(JSON.stringify(priority));
    expect(allowed).toBe('one of "low", "medium", "high", "critical"');
  });
});

describe('status | string | sender | Present in the sample payload and request', () => {
  it.each([
    ['triggered', 'triggered'],
    ['resolved', 'resolved'],
    ['Resolved', 'resolved'],
    ['TRIGGERED ', 'triggered'],
  ])('%j is read as %s', async (status, expected) => {
    expect((await stored({ status })).status).toBe(expected);
  });
  it.each([undefined, null, ''])('is "triggered" when it is left out, but never open: %j', async (status) => {
    expect(await stored({ status })).toMatchObject({ status: 'triggered', thread: { state: 'event' } });
  });
  it.each(['firing', 'ok', 0])('%j is refused, with the allowed values', async (status) => {
    const { found, allowed } = await refused({ ...without(''), status }, '/status');
    expect(found).toBe(JSON.stringify(status));
    expect(allowed).toBe('one of "triggered", "resolved"');
  });
});

describe('correlationId | string | sender | Present in the sample payload and request', () => {
  it.each(['geth-eth-syncing', 'missing_log_receipts', 'a/b c?d=é#%', '../..', '🔥'])(
    'joins notifications: %s',
    async (correlationId) => {
      const [first, second] = await bridge().sendAll([
        { correlationId, dnpName: 'join.dnp' },
        { correlationId, dnpName: 'join.dnp' },
      ]);
      expect((await bridge().get(first!.id)).members.map(({ id }) => id)).toEqual([second!.id, first!.id]);
      expect(second!.correlationId).toBe(correlationId);
    }
  );
  it('joins within one package only', async () => {
    const [first] = await bridge().sendAll([
      { correlationId: 'same', dnpName: 'one.dnp' },
      { correlationId: 'same', dnpName: 'two.dnp' },
    ]);
    expect((await bridge().get(first!.id)).members).toHaveLength(1);
  });
  it.each([undefined, null, ''])('is the id of the notification when it is left out: %j', async (correlationId) => {
    const { id, correlationId: given } = await stored({ correlationId });
    expect(given).toBe(String(id));
  });
  it('is text', async () => {
    await refused({ ...without(''), correlationId: 12 }, '/correlationId');
  });
});

describe('isBanner | boolean | sender | Present in the sample payload and request', () => {
  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    ['True', true],
    [' FALSE ', false],
  ])('%j is read as %s', async (isBanner, expected) => {
    expect((await stored({ isBanner })).isBanner).toBe(expected);
  });
  it.each([undefined, null, ''])('is false when it is left out: %j', async (isBanner) => {
    expect((await stored({ isBanner })).isBanner).toBe(false);
  });
  it.each(['yes', 1, 0, {}])('%j is refused', async (isBanner) => {
    expect((await refused({ ...without(''), isBanner }, '/isBanner')).allowed).toBe('true or false');
  });
});

describe('Which payload fields are mandatory: title and body', () => {
  it('takes a notification of nothing else, and fills the rest in', async () => {
    const sent = await bridge().request('POST', NOTIFICATIONS, { title: 'T', body: '' });
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    expect(sent.body).toEqual({
      id,
      timestamp: bridge().clock.iso,
      title: 'T',
      body: '',
      category: 'other',
      dnpName: 'unknown',
      priority: 'low',
      status: 'triggered',
      correlationId: String(id),
      isBanner: false,
      seen: false,
      source: 'api',
      muted: false,
      thread: {
        state: 'event',
        count: 1,
        unseen: 1,
        openedAt: null,
        closedAt: null,
        lastAt: bridge().clock.iso,
        stale: false,
        closedByHand: false,
      },
    });
  });
  it('keeps members that it does not know, and never shows them', async () => {
    const sent = await stored({
      isRemote: false,
      subscriptionEndpoint: 'https://push.example/1',
      nested: { deep: [1, 'two'] },
      __proto__x: 1,
    });
    for (const member of ['isRemote', 'subscriptionEndpoint', 'nested', 'extra', '__proto__x']) {
      expect(sent).not.toHaveProperty(member);
    }
    const database = new Database(path.join(bridge().dataDir, 'nodebell.db'), { readonly: true });
    const { extra } = database.prepare('select extra from notifications where id = ?').get(sent.id) as {
      extra: string;
    };
    database.close();
    expect(JSON.parse(extra)).toEqual({
      isRemote: false,
      subscriptionEndpoint: 'https://push.example/1',
      nested: { deep: [1, 'two'] },
      __proto__x: 1,
    });
  });
  it.each(['id', 'source', 'muted', 'thread'])('does not let a sender set %s', async (member) => {
    const sent = await stored({ [member]: 'admin' });
    expect(sent).toMatchObject({ id: sent.id, source: 'api', muted: false, thread: { state: 'event' } });
    expect(sent.id).toBeTypeOf('number');
  });
});

describe('senders that exist', () => {
  const sample = async (name: string): Promise<Payload> =>
    JSON.parse(
      await readFile(path.join(import.meta.dirname, '..', 'fixtures', 'payloads', `${name}.json`), 'utf8')
    ) as Payload;

  it('the public sample, word for word', async () => {
    const payload = await sample('public-sample');
    const sent = await bridge().request('POST', NOTIFICATIONS, payload);
    expect(sent.status).toBe(201);
    expect(sent.headers.get('location')).toBe(`${NOTIFICATIONS}/${sent.body.id}`);
    expect(sent.body).toMatchObject({
      ...payload,
      seen: false,
      source: 'api',
      muted: false,
      thread: { state: 'open' },
    });
    expect((await bridge().list('limit=1'))[0]).toEqual(sent.body);
  });
  it('one that leaves status, isBanner and priority out, and writes ids with underscores', async () => {
    const payload = await sample('without-status');
    const [first, second] = await bridge().sendAll([payload, payload]);
    expect(first).toMatchObject({
      ...payload,
      status: 'triggered',
      isBanner: false,
      priority: 'low',
      thread: { state: 'event' },
    });
    expect(second!.thread).toMatchObject({ state: 'event', count: 2 });
  });
  it('the node’s own manager, which adds isRemote', async () => {
    const payload = await sample('node-manager');
    const { isRemote, ...known } = payload;
    expect(isRemote).toBe(false);
    expect(await bridge().send(payload)).toMatchObject({ ...known, thread: { state: 'open' } });
  });
});
