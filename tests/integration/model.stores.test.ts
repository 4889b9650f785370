/** Compares the store with a naive inbox: random changes, and every response compared. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import { READER_LIFETIME_MS } from '../../backend-bridge/src/inbox/readers/writes.ts';
import { ModelInbox } from './model.ts';
import { modelCategories, modelFacets, modelUnseen } from './modelCounts.ts';
import { placed } from './modelValues.ts';
import { steps, type World } from './modelSteps.ts';
import { clock, db, inbox, readerOf, store, switchCategory, useModelStore } from './modelStore.ts';
import { START } from './support.ts';

useModelStore();

/** In total, and by day. */
const SPANS = "(select 0 as span, 'ever' as unit, 1 as ms union all select 1, 'day', 86400000) as spans";
const KINDS = 'hidden, muted, seen, category, dnp_name, priority, state, banner';
const ORDER = 'order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11';
const COUNTS = `
  with each as (
    select 0 as scope, ts, hidden, muted, seen, category, dnp_name, priority, status as state, banner from notifications
    union all
    select 1, head_ts, 0, 0, case when unseen = 0 then 1 else 0 end, category, dnp_name, priority, state, banner from threads where head_id is not null)
  select scope, span, case when unit = 'ever' then 0 else ts / ms end as slot, ${KINDS}, count(*) as n from each, ${SPANS} group by scope, span, slot, ${KINDS} ${ORDER}`;

async function compareCounts(): Promise<void> {
  const kept = await sql.raw(`select scope, span, slot, ${KINDS}, n from counts where n <> 0 ${ORDER}`).execute(db);
  expect(kept.rows).toEqual((await sql.raw(COUNTS).execute(db)).rows);
  expect((await sql`select * from counts where n < 0`.execute(db)).rows).toEqual([]);
}

async function compare({ model }: World, asked: NotificationFilter, who: string | undefined): Promise<void> {
  const reader = who === undefined ? undefined : (await readerOf(who)).id;
  const expected = model
    .match(asked, clock.now, who)
    .sort(asked.q === undefined ? () => 0 : (a, b) => b.one.id - a.one.id);
  const { notifications } = await store.list(asked, 1000, undefined, reader);
  const told = (one: Notification) => ({
    id: one.id,
    seen: one.seen,
    read: one.read,
    muted: one.muted,
    // The model has no bursts, and does not count turns: storms.test.ts.
    thread: { ...one.thread, burst: undefined, flapping: undefined, returnedAt: undefined },
  });
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  expect(notifications.map(told), JSON.stringify(asked)).toEqual(
    expected.map(({ one, thread }) => ({
      id: one.id,
      seen: one.seen,
      read: who === undefined ? undefined : !model.isUnread(one, who),
      muted: one.muted,
      thread: {
        state: thread.state,
        count: thread.count,
        unseen: thread.unseen,
        ...(who !== undefined && { unread: model.unreadOf(thread, who) }),
        openedAt: iso(thread.openedTs),
        closedAt: iso(thread.closedTs),
        lastAt: iso(thread.lastTs),
        stale: thread.stale,
        closedByHand: thread.closedByHand,
      },
    }))
  );
  expect(await store.facets(asked, reader), JSON.stringify(asked)).toEqual(modelFacets(model, asked, clock.now, who));
}

async function compareAll(world: World, asked: NotificationFilter[]): Promise<void> {
  for (const one of [{}, { latest: true }, { open: true }, ...asked]) {
    for (const who of [undefined, ...world.model.unread.keys()]) {
      await compare(world, placed(one, world.before), who);
    }
  }
  for (const who of [undefined, ...world.model.unread.keys()]) {
    const reader = who === undefined ? undefined : (await readerOf(who)).id;
    expect(await store.unseen(reader)).toEqual(modelUnseen(world.model, who));
    expect(await store.categories(reader)).toEqual(modelCategories(world.model, who));
  }
  await compareCounts();
}

/** An empty store, and a model with its ids and switches. */
async function begin(): Promise<World> {
  clock.now = Math.max(clock.now, START) + 60_000;
  await inbox.remove({ filter: { muted: 'all', errors: 'all' } }, null);
  clock.advance(60_000);
  await inbox.purge();
  // Removes the readers of the previous run.
  clock.advance(READER_LIFETIME_MS + 60_000);
  await inbox.purge();
  const left = await sql`select id from readers union all select id from unread union all select id from arrivals
    union all select id from threads`.execute(db);
  expect(left.rows).toEqual([]);
  clock.now = START;
  const model = new ModelInbox();
  for (const { category: of } of await store.categories()) {
    await switchCategory(of, true);
    model.switched.add(of);
  }
  model.lastId = (await store.facets({})).lastId;
  return { model, before: model.lastId, undos: [] };
}

it('after any changes, every list, facet and count equals the model', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const world = await begin();
      for (const [{ name, run }, asked] of script) {
        await run(world);
        try {
          await compareAll(world, asked);
        } catch (error) {
          throw new Error(
            `after: ${script
              .slice(0, script.findIndex(([one]) => one.run === run) + 1)
              .map(([one]) => one.name)
              .join('\n  ')}\n(${name})`,
            { cause: error }
          );
        }
      }
    }),
    { numRuns: 25 }
  );
});
