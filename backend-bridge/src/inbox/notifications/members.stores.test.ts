/** Threads derived from their newest members are what the rule makes of all members: `advance` and `place`, one after the other. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Status } from '../../../contract/notification.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { testAddress } from '../../platform/storage/address.testing.ts';
import { migrate, openDatabase } from '../../platform/database.ts';
import { remove as removeThese, restore } from './deletions.ts';
import { repairThreads } from './members.ts';
import type { Incoming } from './receive.ts';
import '../../arrivals.ts';
import { receiveRows } from './receiveRows.ts';
import { toMember, toSummary } from './rows.ts';
import { advance, emptyThread, place, type Point } from './thread.ts';

let directory: string;
let db: Database;
let deletions = 0;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-members-'));
  db = openDatabase(await testAddress(directory));
  await migrate(db);
  await db.insertInto('categories').values({ category: 'off', enabled: 0, ts: 1 }).execute();
});
afterEach(async () => {
  await db.destroy();
  await rm(directory, { recursive: true, force: true });
});

interface Sent {
  status?: Status | undefined;
  isBanner?: boolean;
  errors?: boolean;
  muted?: boolean;
  admin?: boolean;
}
let now = 1000;
const incoming = ({ status, isBanner = false, errors, muted, admin }: Sent): Incoming => ({
  source: admin ? 'admin' : 'api',
  payload: {
    title: 'T',
    body: 'B',
    category: muted ? 'off' : 'on',
    correlationId: 'c',
    isBanner,
    ...(status && { status }),
    ...(errors && { errors: 'E' }),
  },
});
async function receive(sent: Sent[]): Promise<void> {
  now += 1;
  const requests = sent.map((one) => ({ now, incoming: [incoming(one)] }));
  await db.transaction().execute((trx) => receiveRows(trx, requests));
}
async function repair(): Promise<number> {
  let slices = 0;
  for (let more = true; more; slices += 1) {
    more = (await db.transaction().execute((trx) => repairThreads(trx, null))).result.more;
  }
  return slices;
}
async function remove(ids: number[]): Promise<string> {
  deletions += 1;
  const deletion = `deletion ${deletions}`;
  await db.transaction().execute((trx) => removeThese(trx, { ids, deletion, expiresTs: 1e12 }));
  return deletion;
}
async function undo(deletion: string, limit: number): Promise<void> {
  for (let more = true; more;) {
    more = (await db.transaction().execute((trx) => restore(trx, { deletion, now, limit }))).result.more;
  }
}
const idsLeft = async () =>
  (await db.selectFrom('notifications').select('id').orderBy('id').execute()).map(({ id }) => id);

/** Compares what is stored with the rule. */
async function compare(): Promise<void> {
  const rows = await db.selectFrom('notifications').selectAll().orderBy('id').execute();
  const threads = await db.selectFrom('threads').selectAll().execute();
  expect(threads.length).toBe(rows.length > 0 ? 1 : 0);
  let point: Point = { state: 'event', banner: false, hasHead: false };
  const kinds: { id: number; kind: number }[] = [];
  for (const row of rows) {
    const { kind, banner, after } = place(point, toMember(row));
    expect({ id: row.id, banner: row.banner }).toEqual({ id: row.id, banner: banner ? 1 : 0 });
    kinds.push({ id: row.id, kind });
    point = after;
  }
  const stored = await db.selectFrom('thread_members').select(['id', 'kind']).orderBy('id').execute();
  expect(stored).toEqual(kinds);
  if (threads[0]) {
    const summary = rows.map((row) => toMember(row)).reduce(advance, emptyThread());
    expect(toSummary(threads[0])).toEqual(summary);
    expect(point).toEqual({ state: summary.state, banner: summary.banner, hasHead: summary.head !== null });
  }
}

const sent: fc.Arbitrary<Sent> = fc.record({
  status: fc.constantFrom<(Status | undefined)[]>('triggered', 'resolved', 'resolved', undefined),
  isBanner: fc.boolean(),
  errors: fc.nat(5).map((one) => one === 0),
  muted: fc.nat(2).map((one) => one === 0),
  admin: fc.nat(5).map((one) => one === 0),
});
type Step = { receive: Sent[] } | { remove: number[] } | { undo: number; limit: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(sent, { minLength: 1, maxLength: 8 }).map((receive) => ({ receive })),
  fc.array(fc.nat(), { minLength: 1, maxLength: 6 }).map((remove) => ({ remove })),
  fc.record({ undo: fc.nat(), limit: fc.integer({ min: 1, max: 4 }) })
);

it('a thread is what the rule makes of its members, whatever is deleted and restored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }), async (steps) => {
      const undos: string[] = [];
      for (const one of steps) {
        const left = await idsLeft();
        if ('receive' in one) {
          await receive(one.receive);
        } else if ('remove' in one && left.length > 0) {
          undos.push(await remove([...new Set(one.remove.map((at) => left[at % left.length]!))]));
        } else if ('undo' in one && undos.length > 0) {
          await undo(undos.splice(one.undo % undos.length, 1)[0]!, one.limit);
        }
        await compare();
      }
      await remove(await idsLeft());
      await compare();
    }),
    { numRuns: 30 }
  );
});

describe('a thread of many members', () => {
  const MANY = 6000;
  const RESOLVED: Sent[] = Array.from({ length: MANY }, () => ({ status: 'resolved' }));

  it('is not read as a whole when one is deleted', async () => {
    await receive(Array.from({ length: MANY }, (_, index) => ({ status: index % 2 ? 'resolved' : 'triggered' })));
    const ids = await idsLeft();
    // Members that do not say what they are could not be read without being noticed.
    await sql`update notifications set status = 'unreadable' where id between ${ids[10]!} and ${ids[MANY / 2 - 10]!}`.execute(
      db
    );
    await sql`update notifications set status = 'unreadable' where id between ${ids[MANY / 2 + 10]!} and ${ids[MANY - 10]!}`.execute(
      db
    );
    await remove([ids[0]!]);
    await remove([ids[MANY / 2]!]);
    await remove([ids.at(-1)!]);
    const thread = await db.selectFrom('threads').selectAll().executeTakeFirstOrThrow();
    expect(toSummary(thread)).toMatchObject({ state: 'open', count: MANY - 3, head: { id: ids.at(-2)! } });
  });

  it('of which all concern a banner that is deleted, is updated in several transactions', async () => {
    await receive([{ status: 'triggered', isBanner: true }, ...RESOLVED]);
    const ids = await idsLeft();
    await compare();
    const deletion = await remove([ids[0]!]);
    expect(await repair()).toBeGreaterThan(1);
    await compare();
    await undo(deletion, 500);
    expect(await repair()).toBeGreaterThan(1);
    await compare();
  });

  it('accepts notifications and deletions while it is updated', async () => {
    await receive([{ status: 'triggered', isBanner: true }, ...RESOLVED]);
    const ids = await idsLeft();
    const deletion = await remove([ids[0]!]);
    await receive([{ status: 'resolved' }, { status: 'triggered' }, { status: 'resolved' }]);
    await remove([ids[4000]!, ids[4001]!, ids.at(-1)!]);
    await repair();
    await compare();
    await undo(deletion, 500);
    await remove(ids.slice(3000, 3010));
    await repair();
    await compare();
  });

  it('is restored as a whole', async () => {
    await receive([{ status: 'triggered', isBanner: true }, ...RESOLVED, { status: 'triggered', muted: true }]);
    const ids = await idsLeft();
    const deletion = await remove(ids.slice(1));
    await repair();
    await compare();
    await undo(deletion, 500);
    await repair();
    await compare();
  });
});
