/** Loops over all open threads, over a real store. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import type { Suppress } from '../../inbox/notifications/receiving.ts';
import { openWorld, type World } from '../../inbox/retention/retention.testing.ts';
import { indexSources, inhibitOpen, withholdWaiting } from './evaluate.ts';

const SLICES = 4;
const destinations = { channels: ['phone'], ifAnnounced: [] };
const inhibits = [{ rule: 'r', key: '[]', matchesBoth: false }];
const suppression = { suppressed: undefined, inhibits, inhibitedBy: [] };

async function withOpen(count: number): Promise<World> {
  const world = await openWorld();
  onTestFinished(() => world.close());
  await send(world, ...Array.from({ length: count }, (_, index) => `thread ${index}`));
  return world;
}
async function send({ writes, clock }: World, ...threads: string[]): Promise<void> {
  const incoming = threads.map((correlationId) => ({
    payload: { title: 'T', body: '', status: 'triggered' as const, correlationId },
    ...{ source: 'api' as const, destinations },
  }));
  await writes.submit(receive, { incoming, now: clock.wall, steady: clock.elapsed });
}

/** Number of turns of the event loop that others have while it runs. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  await work();
  clearImmediate(next);
  return turns;
}

const LOOPS: [string, (world: World, of: Suppress) => Promise<void>][] = [
  ['indexes sources', indexSources],
  ['inhibits targets', ({ db, writes }, of) => inhibitOpen({ db, writes, now: () => 0 }, of)],
  ['withholds what waits', ({ db, writes }, of) => withholdWaiting({ db, writes, now: () => 0 }, of)],
];

test.each(LOOPS)('the loop that %s yields between slices', async (_does, run) => {
  const world = await withOpen(LIMITS.sliceRows.value * (SLICES - 1) + 1);
  expect(await turnsDuring(() => run(world, () => undefined))).toBeGreaterThanOrEqual(SLICES - 1);
});

test.each(LOOPS)('the loop that %s yields within a slice that takes long', async (_does, run) => {
  const world = await withOpen(5);
  const slow: Suppress = () => {
    // Longer than the steps of a turn.
    for (const end = performance.now() + 11; performance.now() < end;) {
      // Other work.
    }
    return undefined;
  };
  expect(await turnsDuring(() => run(world, slow))).toBeGreaterThanOrEqual(4);
});

test('a thread of which something arrives while sources are indexed is left to the arrival', async () => {
  const world = await withOpen(2);
  const writes: Pick<World['writes'], 'submit'> = {
    async submit(change, ...args) {
      await send(world, 'thread 0');
      return world.writes.submit(change, ...args);
    },
  };
  await indexSources({ db: world.db, writes }, () => suppression);
  const rows = await world.db.selectFrom('inhibitors').select(['thread_id', 'notification_id']).execute();
  expect(rows).toEqual([{ thread_id: 2, notification_id: 2 }]);
});
