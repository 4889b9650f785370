/** Removal in a real database: ages, clocks, limits and events. */
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { visit } from '../readers/writes.ts';
import { setCategory } from '../categories/writes.ts';
import { openDatabase } from '../../platform/database.ts';
import { TEST_ENGINE, testAddress } from '../../platform/storage/address.testing.ts';
import { clean } from '../notifications/cleaning.ts';
import { engineOf } from '../../platform/storage/engine.ts';
import { indexText } from '../../platform/storage/textIndex.ts';
import { apply, DAY, HOUR, inconsistencies, openWorld, START, type World } from './retention.testing.ts';
import { WINDOW } from './scan.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
const open = async (): Promise<World> => (world = await openWorld());

describe('by age', () => {
  it('removes nothing until a policy is set, then what is old enough by the first rule that matches', async () => {
    const own = await open();
    const ids = await own.send(
      { category: 'hardware' },
      { category: 'hardware', priority: 'high' },
      { category: 'audit' },
      {}
    );
    await own.pass(40 * DAY);
    await own.retention.run();
    expect(await own.ids()).toEqual(ids);
    await apply(own, {
      rules: [
        { olderThan: 'never', categories: ['audit'] },
        { olderThan: '90d', categories: ['hardware'], priorities: ['high', 'critical'] },
        { olderThan: '30d' },
      ],
    });
    expect(await own.ids()).toEqual([ids[1], ids[2]]);
    await own.pass(51 * DAY);
    await own.retention.run();
    expect(await own.ids()).toEqual([ids[2]]);
    expect(await inconsistencies(own.db)).toEqual([]);
  });

  it('keeps open threads, with all their members, until they are resolved', async () => {
    const own = await open();
    const ids = await own.send(
      { correlationId: 'a', status: 'triggered' },
      { correlationId: 'a', status: 'resolved' },
      { correlationId: 'a', status: 'triggered' }
    );
    await own.pass(40 * DAY);
    await apply(own, { rules: [{ olderThan: '30d' }], maxNotifications: 1 });
    expect(await own.ids()).toEqual(ids);
    const [resolve] = await own.send({ correlationId: 'a', status: 'resolved' });
    await own.pass(DAY);
    await own.retention.run();
    // All that is old enough has gone, and the thread is what it was.
    expect(await own.ids()).toEqual([resolve]);
    const thread = await own.db.selectFrom('threads').select(['state', 'count']).executeTakeFirstOrThrow();
    expect(thread).toEqual({ state: 'resolved', count: 1 });
  });

  it('read means read by anybody; what the inbox does not show counts as read', async () => {
    const own = await open();
    await own.writes.submit(visit, { key: 'org:1/user:anna', now: START });
    await own.writes.submit(setCategory, { category: 'muted', enabled: false, by: null, now: START });
    const ids = await own.send({}, {}, { category: 'muted' }, { errors: 'wrong' });
    await own.read(ids[0]!);
    await own.pass(91 * DAY);
    await apply(own, { rules: [{ olderThan: '90d', read: true }] });
    expect(await own.ids()).toEqual([ids[1]]);
    await apply(own, { rules: [{ olderThan: '90d', read: false }] });
    expect(await own.ids()).toEqual([]);
    expect(await inconsistencies(own.db)).toEqual([]);
  });

  it('an older member that stays keeps the later ones of its thread', async () => {
    const own = await open();
    const ids = await own.send({ correlationId: 'a', status: 'triggered' }, { correlationId: 'a', status: 'resolved' });
    await own.read(ids[1]!);
    await own.pass(91 * DAY);
    await apply(own, { rules: [{ olderThan: '90d', read: true }] });
    // Without its resolve the thread would be open again.
    expect(await own.ids()).toEqual(ids);
  });

  it('a preview counts all members of a thread, however many there are', async () => {
    const own = await open();
    await own.send(...Array.from({ length: WINDOW }, () => ({ correlationId: 'a' })));
    await own.send(...Array.from({ length: WINDOW }, () => ({ correlationId: 'a' })));
    await own.pass(40 * DAY);
    const policy = { rules: [{ olderThan: '30d' }] };
    expect(await own.retention.preview(policy)).toMatchObject({ removed: 2 * WINDOW, complete: true });
    expect(await own.retention.preview({ maxNotifications: 100 })).toMatchObject({ removed: 2 * WINDOW - 100 });
    await apply(own, policy);
    expect(await own.ids()).toEqual([]);
  });
});

describe('clocks', () => {
  it.each([
    ['ahead', 400 * DAY],
    ['back to 1970', -START],
  ])('a system clock that jumps %s removes nothing early', async (_, jump) => {
    const own = await open();
    await own.retention.set({ rules: [{ olderThan: '90d' }] }, null);
    const before = await own.send({});
    own.clock.wall += jump;
    const after = await own.send({});
    await own.pass(2 * HOUR);
    await own.retention.run();
    expect(await own.ids()).toEqual([...before, ...after]);
    await own.pass(91 * DAY);
    await own.retention.run();
    expect(await own.ids()).toEqual([]);
  });
});

describe('limits', () => {
  it('remove the oldest beyond a number, except what a rule keeps', async () => {
    const own = await open();
    const ids = await own.send({ category: 'audit' }, {}, {}, {}, {});
    await apply(own, { rules: [{ olderThan: 'never', categories: ['audit'] }], maxNotifications: 3 });
    expect(await own.ids()).toEqual([ids[0], ids[3], ids[4]]);
  });

  it('remove the oldest beyond a size', async () => {
    const own = await open();
    const body = 'x'.repeat(100_000);
    const ids = await own.send(...Array.from({ length: 30 }, () => ({ body })));
    await apply(own, { maxBytes: '2MB' });
    const left = await own.ids();
    expect(left.length).toBeGreaterThan(5);
    expect(left.length).toBeLessThan(20);
    expect(left).toEqual(ids.slice(-left.length));
    // Deleting does not make the estimate grow, so nothing more goes.
    await own.retention.run();
    expect(await own.ids()).toEqual(left);
  });

  // Tables of PostgreSQL do not shrink.
  it.runIf(TEST_ENGINE === 'sqlite')('hold a size of the file, as notifications come and go', async () => {
    const own = await open();
    const run = async (): Promise<number> => {
      while ((await own.writes.submit(indexText, null)).more);
      await own.retention.run();
      for (let step = 0; step < 20; step += 1) {
        await own.writes.submit(clean, { now: own.clock.wall });
      }
      return (await engineOf(own.db).usedBytes(own.db)) / 1024 / 1024;
    };
    await own.retention.set({ maxBytes: '6MB' }, null);
    const used: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      const body = `The disk of host ${round} is almost full. `.repeat(5 + (round % 4) * 8);
      await own.send(...Array.from({ length: 200 }, (_, index) => ({ body: `${index} ${body}` })));
      used.push(await run());
    }
    expect(Math.max(...used)).toBeLessThan(6 * 1.06);
    expect(Math.min(...used.slice(-20))).toBeGreaterThan(6 * 0.9);
    await own.retention.set({ maxBytes: '3MB' }, null);
    const less: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      less.push(await run());
    }
    expect(less.at(-1)).toBeLessThan(3 * 1.06);
    expect(Math.min(...less)).toBeGreaterThan(3 * 0.7);
  });

  it('go through more than one window, with one event for many', async () => {
    const own = await open();
    const ids = await own.send(...Array.from({ length: 3 * WINDOW }, () => ({})));
    while ((await own.writes.submit(indexText, null)).more) {
      // The next rows.
    }
    own.events.length = 0;
    await apply(own, { maxNotifications: 10 });
    expect(await own.ids()).toEqual(ids.slice(-10));
    expect(own.events.map(({ type, data }) => [type, data])).toEqual([['deleted', { ids: null }]]);
    expect(await inconsistencies(own.db)).toEqual([]);
    // The text index knows nothing of them either.
    if (TEST_ENGINE === 'sqlite') {
      await rewrite(own, sql`insert into notifications_text (notifications_text, rank) values ('integrity-check', 1)`);
    }
  });
});

it('does nothing while another replica leads', async () => {
  const own = await open();
  const ids = await own.send({}, {});
  await own.stop();
  await apply(own, { maxNotifications: 1 });
  expect(await own.ids()).toEqual(ids);
  const stop = own.retention.lead();
  await own.retention.run();
  expect(await own.ids()).toEqual([ids[1]]);
  await stop();
});

/** Runs a statement as no write of the bridge does. */
async function rewrite({ dir }: World, statement: ReturnType<typeof sql>): Promise<void> {
  const db = openDatabase(await testAddress(dir));
  await statement.execute(db);
  await db.destroy();
}
