/** Bulk actions while others change the same threads. */
import { expect, it } from 'vitest';
import { createInbox } from '../../backend-bridge/src/inbox/notifications/inbox.ts';
import { createSelections, type Selections } from '../../backend-bridge/src/inbox/notifications/selections.ts';
import { createResponding } from '../../backend-bridge/src/inbox/respond/service.ts';
import { readsInProcess, type Reads } from '../../backend-bridge/src/platform/storage/read.ts';
import { clock, db, inbox, selections, store, writes, useModelStore } from './modelStore.ts';

useModelStore();

let runs = 0;
function alert() {
  runs += 1;
  const correlationId = `run ${runs}`;
  const fire = async (priority: 'high' | 'critical' = 'high'): Promise<number> => {
    const payload = { title: 'T', body: 'B', dnpName: 'p', correlationId, status: 'triggered' as const, priority };
    const [received] = await inbox.receive([{ payload, source: 'api' }]);
    return received!.id;
  };
  const filter = { latest: true, correlationId: [correlationId] };
  const left = async () => (await store.list({ correlationId: [correlationId] }, 10)).notifications;
  return { fire, filter, left };
}

/** Selections with a change between the search and the action. */
function selectionsAfter(change: () => Promise<unknown>): Selections {
  const reads = readsInProcess(db, clock.read);
  const run: Reads['run'] = async (read, args) => {
    const answer = await reads.run(read, args);
    await change();
    return answer;
  };
  return createSelections({ db, store, reads: { run } });
}
const inboxAfter = (change: () => Promise<unknown>) =>
  createInbox({ writes, store, selections: selectionsAfter(change), now: clock.read });

it('a member that arrives while its thread is deleted or marked stays, and stays unseen', async () => {
  const { fire, filter, left } = alert();
  const first = await fire();
  expect(await inboxAfter(() => fire()).mark({ filter }, true)).toEqual({ changed: 1 });
  const [second] = await left();
  expect(second).toMatchObject({ seen: false });
  expect(second!.id).toBeGreaterThan(first);
  expect(await inboxAfter(() => fire()).remove({ filter }, null)).toMatchObject({ deleted: 2 });
  expect(await left()).toMatchObject([{ seen: false, thread: { count: 1 } }]);
});

it('what is gone meanwhile is not counted', async () => {
  const { fire, filter, left } = alert();
  await fire();
  const gone = inboxAfter(() => inbox.remove({ filter }, null));
  expect(await gone.remove({ filter }, null)).toMatchObject({ deleted: 0 });
  expect(await gone.mark({ filter }, true)).toEqual({ changed: 0 });
  expect(await gone.resolve({ filter }, null)).toMatchObject({ resolved: 0 });
  expect(await left()).toEqual([]);
});

it('an alert that gets worse while it is acknowledged is unseen', async () => {
  const { fire, filter, left } = alert();
  await fire();
  const racing: Selections = {
    ...selections,
    async *members(...args) {
      await fire('critical');
      yield* selections.members(...args);
    },
  };
  const responding = createResponding({ db, writes, selections: racing, now: clock.read });
  expect(await responding.acknowledge({ filter }, { acknowledged: true, by: null })).toMatchObject({ changed: 1 });
  const [worse, first] = await left();
  expect(worse).toMatchObject({ seen: false, priority: 'critical' });
  expect(worse!.thread.acknowledged).toBeUndefined();
  expect(first).toMatchObject({ seen: true });
});
