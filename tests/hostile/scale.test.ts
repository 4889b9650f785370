/** Very large threads and stores: deleting does not delay senders. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import '../../backend-bridge/src/arrivals.ts';
import { receiveRows } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';

const MEMBERS = 100_000;
const OTHERS = 10_000;
const BATCH = 5000;

const dir = temporaryFolder(afterAll);
let bridge: RunningBridge;

async function fill(count: number, correlationId: string | undefined): Promise<void> {
  const db = openDatabase(databasePath(dir));
  await migrate(db);
  for (let at = 0; at < count; at += BATCH) {
    const requests = Array.from({ length: BATCH }, (_, index) => ({
      now: Date.now(),
      incoming: [
        {
          source: 'api' as const,
          payload: {
            title: 'T',
            body: 'B',
            category: correlationId ?? 'single',
            status: index % 2 ? ('resolved' as const) : ('triggered' as const),
            ...(correlationId !== undefined && { correlationId }),
          },
        },
      ],
    }));
    await db.transaction().execute((trx) => receiveRows(trx, requests));
  }
  await db.destroy();
}

beforeAll(async () => {
  await fill(MEMBERS, 'flood');
  await fill(OTHERS, undefined);
  bridge = await runBridge(dir);
});
afterAll(async () => {
  await bridge.stop();
});

async function call<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(`${bridge.url}/api/v1/notifications${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as T;
}

/** Sends one notification after another during the change. @returns the number of responses before the change completed */
async function sendsDuring<T>(change: () => Promise<T>): Promise<{ answered: number; result: T }> {
  const state = { done: false };
  const changing = change().finally(() => (state.done = true));
  let answered = 0;
  while (!state.done) {
    await call('', { title: 'Disk full', body: '/ is at 100 %', category: 'honest' });
    answered += state.done ? 0 : 1;
  }
  return { answered, result: await changing };
}

interface Deleted {
  deleted: number;
  undo: string;
}

test('sends succeed while many notifications are deleted and restored', async () => {
  const removal = await sendsDuring(() => call<Deleted>('/delete', { filter: { category: 'single' } }));
  expect(removal.result.deleted).toBe(OTHERS);
  const undo = await sendsDuring(() => call<{ restored: number }>('/restore', { undo: removal.result.undo }));
  expect(undo.result.restored).toBe(OTHERS);
  expect([removal.answered, undo.answered].map((count) => count >= 5)).toEqual([true, true]);
  expect(bridge.ended).toBeNull();
});

test('sends succeed while a thread of 100,000 members is deleted', async () => {
  const newest = (await (await bridge.get('/api/v1/notifications?latest=true&category=flood')).json()) as {
    id: number;
  }[];
  const one = await call<Deleted>('/delete', { ids: [1] });
  expect(one.deleted).toBe(1);
  const { answered, result } = await sendsDuring(() =>
    call<Deleted>('/delete', { ids: [newest[0]!.id], wholeThreads: true })
  );
  expect(result.deleted).toBe(MEMBERS - 1);
  expect(answered).toBeGreaterThan(20);
  expect(bridge.ended).toBeNull();
});
