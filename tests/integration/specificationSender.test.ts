/**
 * The section "Notification" of the specification: the rows whose rules are "not shown", with the behaviour of real senders.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { payloadsOf } from './payloads.ts';
import { NOTIFICATIONS, type Payload, useBridge } from './support.ts';

const bridge = useBridge();
const { without, refused, stored } = payloadsOf(bridge);

describe('priority | string | sender | Present in the sample payload and request', () => {
  it.each([
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['critical', 'critical'],
    ['CRITICAL', 'critical'],
    [' High ', 'high'],
  ])('%j is parsed as %s', async (priority, expected) => {
    expect((await stored({ priority })).priority).toBe(expected);
  });
  it.each([undefined, null, ''])('is "low" by default: %j', async (priority) => {
    expect((await stored({ priority })).priority).toBe('low');
  });
  it.each(['urgent', 'crit', 3, true])('%j is rejected, with the allowed values', async (priority) => {
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
  ])('%j is parsed as %s', async (status, expected) => {
    expect((await stored({ status })).status).toBe(expected);
  });
  it.each([undefined, null, ''])('is "triggered" by default, but never open: %j', async (status) => {
    expect(await stored({ status })).toMatchObject({ status: 'triggered', thread: { state: 'event' } });
  });
  it.each(['firing', 'ok', 0])('%j is rejected, with the allowed values', async (status) => {
    const { found, allowed } = await refused({ ...without(''), status }, '/status');
    expect(found).toBe(JSON.stringify(status));
    expect(allowed).toBe('one of "triggered", "resolved"');
  });
});

describe('correlationId | string | sender | Present in the sample payload and request', () => {
  it.each(['geth-eth-syncing', 'missing_log_receipts', 'a/b c?d=é#%', '../..', '🔥'])(
    'groups notifications: %s',
    async (correlationId) => {
      const [first, second] = await bridge().sendAll([
        { correlationId, dnpName: 'join.dnp' },
        { correlationId, dnpName: 'join.dnp' },
      ]);
      expect((await bridge().get(first!.id)).members.map(({ id }) => id)).toEqual([second!.id, first!.id]);
      expect(second!.correlationId).toBe(correlationId);
    }
  );
  it('groups within a package only', async () => {
    const [first] = await bridge().sendAll([
      { correlationId: 'same', dnpName: 'one.dnp' },
      { correlationId: 'same', dnpName: 'two.dnp' },
    ]);
    expect((await bridge().get(first!.id)).members).toHaveLength(1);
  });
  it.each([undefined, null, ''])('is the id of the notification by default: %j', async (correlationId) => {
    const { id, correlationId: given } = await stored({ correlationId });
    expect(given).toBe(String(id));
  });
  it('is a string', async () => {
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
  ])('%j is parsed as %s', async (isBanner, expected) => {
    expect((await stored({ isBanner })).isBanner).toBe(expected);
  });
  it.each([undefined, null, ''])('is false by default: %j', async (isBanner) => {
    expect((await stored({ isBanner })).isBanner).toBe(false);
  });
  it.each(['yes', 1, 0, {}])('%j is rejected', async (isBanner) => {
    expect((await refused({ ...without(''), isBanner }, '/isBanner')).allowed).toBe('true or false');
  });
});

describe('Which payload fields are mandatory: title and body', () => {
  it('accepts a notification with nothing else, and sets the defaults', async () => {
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
  it('stores unknown members, and does not return them', async () => {
    const sent = await stored({
      isRemote: false,
      subscriptionEndpoint: 'https://push.example/1',
      nested: { deep: [1, 'two'] },
      __proto__x: 1,
    });
    for (const member of ['isRemote', 'subscriptionEndpoint', 'nested', 'extra', '__proto__x']) {
      expect(sent).not.toHaveProperty(member);
    }
    const db = openDatabase(await testAddress(bridge().dataDir), { readonly: true });
    const row = await db.selectFrom('notifications').select('extra').where('id', '=', sent.id).executeTakeFirst();
    await db.destroy();
    expect(JSON.parse(row?.extra ?? '')).toEqual({
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

describe('real senders', () => {
  const sample = async (name: string): Promise<Payload> =>
    JSON.parse(
      await readFile(path.join(import.meta.dirname, '..', 'fixtures', 'payloads', `${name}.json`), 'utf8')
    ) as Payload;

  it('the public sample, unchanged', async () => {
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
  it('one that omits status, isBanner and priority, and uses underscores in ids', async () => {
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
  it("DAppNode's manager, which adds isRemote", async () => {
    const payload = await sample('node-manager');
    const { isRemote, ...known } = payload;
    expect(isRemote).toBe(false);
    expect(await bridge().send(payload)).toMatchObject({ ...known, thread: { state: 'open' } });
  });
});
