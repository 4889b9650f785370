/** Heartbeats of replicas that lead in turns, over a real store. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { Heartbeats } from './service.ts';

const MINUTE = 60_000;

async function open() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  clock.elapsed = MINUTE;
  const reported: string[] = [];
  const used = new Map<string, number>();
  let term = 0;
  let leader: object | undefined;
  const replica = () => {
    const one: object = {};
    const service = new Heartbeats({
      ...{ db, writes, lagMs: 0, log: { warn: () => undefined } as never },
      tokens: () => [...used].map(([name, at]) => ({ id: name, name, revokedAt: null, lastUsedAt: `${at}` }) as never),
      receive: (incoming) => {
        reported.push(...incoming.map(({ payload }) => payload.title));
        const when = { now: clock.wall, steady: clock.elapsed, destinations: undefined };
        return writes.submit(receive, { incoming, ...when }) as never;
      },
      term: () => (leader === one ? term : undefined),
      steady: () => clock.elapsed,
    });
    return {
      service,
      /** Takes over from the other. */
      lead: () => {
        leader = one;
        term += 1;
      },
      provision: (sender?: string) =>
        service.provision('f', [{ name: 'cellar', interval: '10m', ...(sender && { sender }) }]),
    };
  };
  return {
    reported,
    replicas: [replica(), replica()] as const,
    use: (sender: string) => used.set(sender, clock.elapsed),
    /** Each minute, all check. */
    pass: async (minutes: number, all: readonly { service: Heartbeats }[]) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.wall += MINUTE;
        clock.elapsed += MINUTE;
        for (const { service } of all) {
          await service.check();
        }
      }
    },
  };
}

test.each([
  ['before it has read the files again', false],
  ['after that', true],
])('a replica that leads again knows which uses are old: %s', async (_when, isProvisioned) => {
  const { reported, replicas, use, pass } = await open();
  const [first, second] = replicas;
  first.lead();
  use('cellar');
  await first.provision();
  await pass(1, replicas);
  second.lead();
  await second.provision();
  use('cellar');
  await pass(12, replicas);
  expect(reported).toEqual(['cellar has been silent for 10 min']);
  first.lead();
  if (isProvisioned) {
    await first.provision();
  }
  await pass(5, replicas);
  expect(reported).toEqual(['cellar has been silent for 10 min']);
  use('cellar');
  await pass(1, replicas);
  expect(reported).toEqual(['cellar has been silent for 10 min', 'cellar is back']);
});

test('uses of its new sender before the change are no sign of life', async () => {
  const { reported, replicas, use, pass } = await open();
  const [only] = replicas;
  only.lead();
  use('cellar');
  use('attic');
  await only.provision();
  await pass(11, replicas);
  expect(reported).toEqual(['cellar has been silent for 10 min']);
  await only.provision('attic');
  await pass(5, replicas);
  expect(reported).toEqual(['cellar has been silent for 10 min']);
  use('attic');
  await pass(1, replicas);
  expect(reported).toEqual(['cellar has been silent for 10 min', 'cellar is back']);
});

test('a sign of life between two terms of one replica counts', async () => {
  const { reported, replicas, use, pass } = await open();
  const [only] = replicas;
  only.lead();
  use('cellar');
  await only.provision();
  await pass(8, replicas);
  use('cellar');
  only.lead();
  await pass(8, replicas);
  expect(reported).toEqual([]);
});
