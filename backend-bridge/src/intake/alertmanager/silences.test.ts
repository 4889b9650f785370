import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { Silences } from './silences.ts';

test('when two reads overlap, the later one wins', async () => {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes } = world;
  const now = () => 1000;
  const other = new Silences({ db, writes, now });
  const slow = Promise.withResolvers<undefined>();
  const hasRead = Promise.withResolvers<undefined>();
  let reads = 0;
  const silences = new Silences({
    db: db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reads += 1;
        if (reads === 1) {
          hasRead.resolve(undefined);
          await slow.promise;
        }
        return result;
      },
    }),
    writes,
    now,
  });
  const first = silences.load();
  await hasRead.promise;
  const id = await other.set(
    {
      matchers: [{ name: 'disk', value: 'sda', isRegex: false, isEqual: true }],
      ...{ startsAt: new Date(0).toISOString(), endsAt: new Date(2000).toISOString(), createdBy: 'ada', comment: 'c' },
    },
    null
  );
  const second = silences.load();
  // The second read could overtake the first now.
  await db.selectFrom('threads').select('id').execute();
  await new Promise((resolve) => setImmediate(resolve));
  slow.resolve(undefined);
  await Promise.all([first, second]);
  expect(silences.activeIds()).toEqual([id]);
});
