/** Labels: stored once for each set, filters by matchers compared with Alertmanager's rules, and what removes them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { compileMatchers, type Labels, parseMatchers } from '../../../contract/matchers.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import '../../arrivals.ts';
import { migrate, openDatabase } from '../../platform/database.ts';
import { testAddress } from '../../platform/storage/address.testing.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import { indexText } from '../../platform/storage/textIndex.ts';
import { distinctLabels } from '../labels/distinct.ts';
import { importArchived } from '../retention/writes.ts';
import { toArchived } from '../retention/archived.ts';
import { createRetentionStore } from '../retention/store.ts';
import { deleteForGood, purge, remove, restore } from './deletions.ts';
import { receiveRows } from './receiveRows.ts';
import { resolveByHand } from './resolving.ts';
import { readMatching } from './selections.ts';
import { NotificationStore } from './store.ts';
import { membersOf } from './writes.ts';

const NOW = 1_795_000_000_000;
let directory: string;
let db: Database;
let store: NotificationStore;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-labels-'));
  db = openDatabase(await testAddress(directory));
  await migrate(db);
  store = new NotificationStore(db, () => NOW + 1000, { ready: () => Promise.resolve() });
});
afterEach(async () => {
  await db.destroy();
  await rm(directory, { recursive: true, force: true });
});

const write = <T>(change: (trx: Transacting) => Promise<T>): Promise<T> => db.transaction().execute(change);

type Given = Partial<NotificationPayload> & { labels?: Labels };
async function send(...given: Given[]): Promise<number[]> {
  const incoming = given.map((one) => ({ payload: { title: 'T', body: 'B', ...one }, source: 'api' as const }));
  const { results } = await write((trx) => receiveRows(trx, [{ now: NOW, incoming }]));
  return results[0]!.map(({ id }) => id);
}
const idsOf = async (filter: NotificationFilter, limit = 1000) =>
  (await store.list(filter, limit)).notifications.map(({ id }) => id);
const counts = async () => ({
  sets: (await db.selectFrom('label_sets').selectAll().execute()).length,
  labels: (await db.selectFrom('labels').selectAll().execute()).length,
});

it('stores the labels of a series once, whatever their order, and serves them', async () => {
  await send({ labels: { instance: 'node1', team: 'a' } }, { labels: { team: 'a', instance: 'node1', empty: '' } });
  await send({ labels: { team: 'a', instance: 'node1' } }, {});
  expect(await counts()).toEqual({ sets: 1, labels: 2 });
  const { notifications } = await store.list({}, 10);
  expect(notifications.map(({ labels }) => labels)).toEqual([
    undefined,
    ...Array.from({ length: 3 }, () => ({ instance: 'node1', team: 'a' })),
  ]);
});

const MATCHERS = [
  'severity="critical"',
  'severity!="critical"',
  'instance=~"node.*"',
  'instance!~"node[0-4]"',
  'instance=~"node1|node2", severity="low"',
  'severity="critical", team!="b"',
  'team=""',
  'team!=""',
  'team=~".*"',
  'team=~"a?"',
  'absent="x"',
  'absent!="x"',
  'severity=~"c.*", severity!~".*l"',
  '"ünï"="✓"',
  'severity="critical", team="a", instance="node3"',
];

describe('a filter by matchers selects what Alertmanager would select', () => {
  it.each([
    ['few and recent', 40, 0],
    ['older than many without labels', 40, 1200],
    ['of many sets, older than many others', 1300, 1200],
  ])('%s', async (_, labelled, others) => {
    const given = Array.from({ length: labelled }, (_one, index): Given => ({
      ...(index % 3 > 0 && { correlationId: `c${index % 7}`, status: 'triggered' as const }),
      labels: {
        instance: `node${labelled > 1000 ? index : index % 9}`,
        ...(index % 4 > 0 && { severity: index % 2 > 0 ? 'critical' : 'low' }),
        ...(index % 5 > 0 && { team: index % 3 > 0 ? 'a' : 'b' }),
        ...(index % 6 === 0 && { ünï: '✓' }),
      },
    }));
    const ids = [...(await send(...given)), ...(await send(...Array.from({ length: others }, () => ({}))))];
    const all = ids.map((id, index) => ({ id, labels: given[index]?.labels ?? {} })).reverse();
    const threads = await store.list({ latest: true }, 5000);
    const heads = new Set(threads.notifications.map(({ id }) => id));
    for (const matchers of MATCHERS) {
      const matches = compileMatchers(parseMatchers(matchers), compileRegex);
      const expected = all.filter(({ labels }) => matches(labels)).map(({ id }) => id);
      const ofThreads = expected.filter((id) => heads.has(id));
      const shown = { matchers, total: expected.length };
      expect({ ...shown, ids: await idsOf({ matchers }, 60) }).toEqual({ ...shown, ids: expected.slice(0, 60) });
      expect({ ...shown, ids: await idsOf({ matchers, latest: true }, 60) }).toEqual({
        ...shown,
        ids: ofThreads.slice(0, 60),
      });
      const { total, exact } = await store.facets({ matchers });
      expect({ ...shown, counted: total }).toEqual({ ...shown, counted: exact ? expected.length : 2000 });
      const { found } = await readMatching(db, { filter: { matchers }, limit: 250 }, NOW);
      expect(found.map(({ id }) => id)).toEqual(expected.slice(0, 250));
    }
  });

  it('page by page', async () => {
    await send(
      ...Array.from({ length: 200 }, (_, index) => ({ labels: { instance: `node${index % 80}`, team: 'a' } }))
    );
    await send(...Array.from({ length: 1100 }, () => ({ labels: { team: 'b' } })));
    const seen: number[] = [];
    for (let after: Awaited<ReturnType<typeof store.list>>['next']; ;) {
      const page = await store.list({ matchers: 'team="a"' }, 30, after);
      seen.push(...page.notifications.map(({ id }) => id));
      after = page.next;
      if (!after) {
        break;
      }
    }
    expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => 200 - index));
  });
});

it('selects open threads, their counts and a search by the labels of the newest member', async () => {
  const labels = { team: 'a' };
  await send({ correlationId: 'c', status: 'triggered', labels }, { correlationId: 'd', status: 'triggered' });
  const open = { open: true, matchers: 'team="a"' };
  expect(await idsOf(open)).toEqual([1]);
  expect(await store.facets({ latest: true, matchers: 'team="a"' })).toMatchObject({ total: 1, open: 1 });
  while ((await write((trx) => indexText(trx, null))).result.more);
  expect(await idsOf({ q: 't', matchers: 'team="a"' })).toEqual([1]);
  expect(await idsOf({ q: 't', matchers: 'team!="a"' })).toEqual([2]);
  const moved = await send({ correlationId: 'c', status: 'triggered', labels: { team: 'b' } });
  expect([await idsOf(open), await idsOf({ ...open, matchers: 'team="b"' })]).toEqual([[], moved]);
});

it('finds names and values in a search, also after a deletion that was undone', async () => {
  const [id] = await send({ labels: { instance: 'zanzibar', team: 'coral' } }, {});
  while ((await write((trx) => indexText(trx, null))).result.more);
  const found = async () => [
    await idsOf({ q: 'zanzi' }),
    await idsOf({ q: 'b coral' }),
    await idsOf({ q: 'instance' }),
    await idsOf({ q: 'absent' }),
  ];
  expect(await found()).toEqual([[id], [id], [id], []]);
  await write((trx) => remove(trx, { ids: [id!], deletion: 'a', expiresTs: 2 }));
  expect(await found()).toEqual([[], [], [], []]);
  await write((trx) => restore(trx, { deletion: 'a', now: 1, limit: 10 }));
  expect(await found()).toEqual([[id], [id], [id], []]);
});

it('a thread that is resolved by hand keeps its labels', async () => {
  const [id] = await send({ correlationId: 'c', status: 'triggered', labels: { team: 'a' } });
  await write((trx) => resolveByHand(trx, { id: id!, by: null, now: NOW }));
  const { notifications } = await store.list({ latest: true, matchers: 'team="a"' }, 10);
  expect(notifications).toMatchObject([{ source: 'admin', labels: { team: 'a' } }]);
});

it('labels go with the last notification that has them, once its deletion cannot be undone', async () => {
  const [first, second] = await send({ labels: { a: '1', b: '2' } }, { labels: { a: '1', b: '2' } });
  await write(async (trx) => deleteForGood(trx, await membersOf(trx, [first!])));
  expect(await counts()).toEqual({ sets: 1, labels: 2 });
  await write((trx) => remove(trx, { ids: [second!], deletion: 'a', expiresTs: 2 }));
  expect([await counts(), await idsOf({ matchers: 'a="1"' })]).toEqual([{ sets: 1, labels: 2 }, []]);
  await write((trx) => restore(trx, { deletion: 'a', now: 1, limit: 10 }));
  expect(await idsOf({ matchers: 'a="1"' })).toEqual([second]);
  await write((trx) => remove(trx, { ids: [second!], deletion: 'b', expiresTs: 2 }));
  await write((trx) => purge(trx, { now: 3, limit: 10 }));
  expect(await counts()).toEqual({ sets: 0, labels: 0 });
});

it('the archive has them, and an import brings them back', async () => {
  const ids = await send({ labels: { a: '1' } }, {});
  const rows = await createRetentionStore(db).rows(ids);
  const lines = rows.map(toArchived);
  expect(lines.map(({ labels }) => labels)).toEqual([{ a: '1' }, undefined]);
  await write(async (trx) => deleteForGood(trx, await membersOf(trx, ids)));
  await write((trx) => importArchived(trx, { notifications: lines, now: 1, by: null, at: NOW }));
  expect(await idsOf({ matchers: 'a="1"' })).toEqual([ids[0]]);
  expect(await counts()).toEqual({ sets: 1, labels: 1 });
});

it('lists names, and values of a name, by their beginning', async () => {
  await send(
    ...['node1', 'node2', 'Ω\u{10fffd}', 'other'].map((instance) => ({ labels: { instance, team: 'a', insider: 'x' } }))
  );
  const names = (prefix?: string, limit = 10) => distinctLabels(db, { prefix, limit });
  const values = (prefix?: string, limit = 10) => distinctLabels(db, { name: 'instance', prefix, limit });
  expect(await names()).toEqual(['insider', 'instance', 'team']);
  expect(await names('ins')).toEqual(['insider', 'instance']);
  expect(await names('', 2)).toEqual(['insider', 'instance']);
  expect(await values()).toEqual(['node1', 'node2', 'other', 'Ω\u{10fffd}']);
  expect(await values('node')).toEqual(['node1', 'node2']);
  expect(await values('node', 1)).toEqual(['node1']);
  expect(await values('zzz')).toEqual([]);
});
