/** Which threads stay sources of inhibition when they are resolved, over a real store. */
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import '../../arrivals.ts';
import { HOUR_MS } from '../../../contract/time.ts';
import { type Change, emptyStore } from '../../emptyStore.testing.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { allowReopening, reopen, resolve, undoOf } from '../../inbox/notifications/resolving.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { SuppressionService } from './service.ts';
import { provisionSuppressions } from './writes.ts';

const RESOLUTION = '3f0c1a52-8d5e-4a6b-9c7d-1e2f3a4b5c6d';
const SOURCE = { correlationId: 'disk', dnpName: 'nas' };

let db: Database;
let write: Change;
let service: SuppressionService;
let now: number;
beforeEach(async () => {
  ({ db, write } = await emptyStore());
  now = 1_795_000_000_000;
  const rule = { name: 'r', source_matchers: ['package="nas"'], target_matchers: ['package="jellyfin"'] };
  await write((trx) => provisionSuppressions(trx, { file: 'f', windows: [], rules: [rule], now }));
  const submit: WriteQueue['submit'] = async (change, args) => {
    const written = await write((trx) => change(trx, args));
    return (written as { result: never } | undefined)?.result as never;
  };
  const clock = () => now;
  service = new SuppressionService({
    ...{ db, writes: { submit }, feed: { onEvents: () => undefined }, routes: { of: () => undefined } },
    silences: () => ({
      ...{ covering: () => undefined, activeIds: () => [], load: () => Promise.resolve() },
    }),
    ...{ now: clock, steady: clock, log: pino({ level: 'silent' }) },
  });
  await service.load();
});

async function send(change: Partial<NotificationPayload>): Promise<void> {
  const payload = { title: 'T', body: '', status: 'triggered' as const, ...change };
  const incoming = [{ payload, source: 'api' as const, suppression: service.of({ payload }) }];
  await write((trx) => receive(trx, { incoming, now }));
}
async function resolveByHand() {
  const of = { ids: [1], resolution: RESOLUTION, of: {}, by: null, now };
  return (await write((trx) => resolve(trx, of))).result.range!;
}
const sources = async () => (await db.selectFrom('inhibitors').selectAll().execute()).length;
const suppressed = async () => {
  const threads = db.selectFrom('suppressed as s').innerJoin('threads as t', 't.id', 's.thread_id');
  return (await threads.select('t.correlation_id').execute()).map(({ correlation_id }) => correlation_id);
};

test('a source that is resolved by hand inhibits again when that is undone', async () => {
  await send(SOURCE);
  const range = await resolveByHand();
  // Many threads are resolved in steps, and only then may be opened again.
  await service.tick();
  const undo = undoOf(RESOLUTION, range);
  await write((trx) => allowReopening(trx, { undo, expiresTs: now + 30_000 }));
  await service.tick();
  await send({ dnpName: 'jellyfin', correlationId: 'before' });
  expect(await suppressed()).toEqual([]);
  await write((trx) => reopen(trx, { deletion: undo, now, limit: 10 }));
  await service.tick();
  await send({ dnpName: 'jellyfin', correlationId: 'after' });
  expect(await suppressed()).toContain('after');
});

test('what is left of a source is removed: once its sender resolves it, or when a resolve by hand cannot be undone', async () => {
  await send(SOURCE);
  await send({ ...SOURCE, status: 'resolved' });
  await service.tick();
  expect(await sources()).toBe(0);
  await send(SOURCE);
  await resolveByHand();
  await service.tick();
  expect(await sources()).toBe(1);
  now += HOUR_MS;
  await service.tick();
  expect(await sources()).toBe(0);
});

test('a source that was compared with the rules before the change is indexed soon after', async () => {
  await send(SOURCE);
  await service.tick();
  expect(await sources()).toBe(1);
  // An arrival that was on its way.
  await write((trx) =>
    receive(trx, {
      incoming: [{ payload: { title: 'T', body: '', status: 'triggered', ...SOURCE }, source: 'api' }],
      now,
    })
  );
  await service.tick();
  expect(await sources()).toBe(0);
  now += 60_000;
  await service.tick();
  expect(await sources()).toBe(1);
});
