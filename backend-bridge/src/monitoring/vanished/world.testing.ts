/** A store with a clock, in which alerts are checked each minute. */
import { onTestFinished } from 'vitest';
import '../../arrivals.ts';
import { type Gone, resolveGone } from '../../inbox/autoResolve/writes.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { type AlertState, Vanished } from './service.ts';

const MINUTE = 60_000;

export async function openVanished() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  const steady = () => clock.elapsed;
  const when = () => ({ now: clock.wall, steady: steady(), destinations: undefined });
  return {
    ...{ db, writes, clock, when },
    /** Checks from now on, as after a start. */
    start: (state: AlertState): Vanished =>
      new Vanished({
        ...{ db, writes, steady, state, log: { warn: () => undefined } as never },
        resolve: async (gone: readonly Gone[]) => void (await writes.submit(resolveGone, { gone, ...when() })),
      }),
    pass: async (vanished: Vanished, minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.wall += MINUTE;
        clock.elapsed += MINUTE;
        await vanished.check();
      }
    },
    threads: () =>
      db
        .selectFrom('threads as t')
        .innerJoin('notifications as n', 'n.id', 't.head_id')
        .select(['n.title', 'n.body', 't.state'])
        .orderBy('t.id')
        .execute(),
  };
}
