/** Reading the audit log: pages, filters and exports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry, AuditPage } from '../../backend-bridge/contract/audit.ts';
import { ADA, AUDIT } from './audit.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { TestBridge } from './support.ts';

let bridge: TestBridge;
beforeAll(async () => {
  bridge = await TestBridge.start();
  // More than two pages, by two persons, with two actions.
  await bridge.call('PUT', '/api/v1/retention', { maxNotifications: 1000 });
  for (let count = 0; count < 15; count += 1) {
    await createToken(count === 0 ? {} : ADA);
  }
});
afterAll(() => bridge.dispose());

async function createToken(as: Record<string, string>): Promise<void> {
  expect((await bridge.request('POST', '/api/v1/tokens', { name: 'ci' }, as)).status).toBe(201);
}

const entries = async (query = ''): Promise<AuditEntry[]> =>
  (await bridge.call<AuditPage>('GET', `${AUDIT}?limit=500${query}`)).entries;

test('pages follow one another without a gap', async () => {
  const all = await entries();
  const read: AuditEntry[] = [];
  let before: number | null = null;
  do {
    const page: AuditPage = await bridge.call('GET', `${AUDIT}?limit=7${before === null ? '' : `&before=${before}`}`);
    read.push(...page.entries);
    before = page.next;
  } while (before !== null);
  expect(read).toEqual(all);
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
});

test('filters by person, action and time', async () => {
  const all = await entries();
  expect(await entries('&actor=ADA')).toEqual(all.filter(({ actor }) => actor.name === 'ada'));
  expect(await entries('&actor=ad')).toEqual([]);
  expect((await entries('&action=token.create')).length).toBeGreaterThan(2);
  bridge.clock.advance(1000);
  const from = bridge.clock.iso;
  await createToken(ADA);
  expect(await entries(`&from=${from}`)).toMatchObject([{ at: from, action: 'token.create' }]);
  expect(await entries(`&to=${from}`)).toEqual(all);
  expect((await bridge.request('GET', `${AUDIT}?action=other`)).status).toBe(400);
});

test('exports all entries as JSON Lines and as CSV', async () => {
  const all = await entries();
  const lines = await bridge.request<string>('GET', AUDIT, undefined, { Accept: 'application/x-ndjson' });
  expect(lines.headers.get('content-type')).toMatch('application/x-ndjson');
  expect(
    String(lines.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  ).toEqual(all);
  const csv = await bridge.request<string>('GET', `${AUDIT}?format=csv`);
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="nodebell-audit.csv"');
  const rows = csv.body.trim().split('\r\n');
  expect(rows).toHaveLength(all.length + 1);
  expect(rows[0]).toBe('id,at,kind,name,key,address,action,object,before,after');
  expect(rows[1]).toContain('user,ada,org:1/user:uid-of-ada,"203.0.113.9, 10.0.0.2",token.create');
});

test('a Viewer or Editor may not read it', async () => {
  for (const OrgRole of ['Viewer', 'Editor']) {
    expect((await bridge.request('GET', AUDIT, undefined, fromGrafana('bo', { OrgRole }))).status).toBe(403);
  }
});

test('filters by a person whose name has letters beyond ASCII', async () => {
  await createToken(fromGrafana('Ömer', { OrgRole: 'Admin' }));
  expect(await entries(`&actor=${encodeURIComponent('Ömer')}`)).toMatchObject([{ actor: { name: 'Ömer' } }]);
  expect(await entries(`&actor=${encodeURIComponent('ÖMER')}`)).toHaveLength(1);
  expect(await entries(`&actor=${encodeURIComponent('ömer')}`)).toHaveLength(1);
});
