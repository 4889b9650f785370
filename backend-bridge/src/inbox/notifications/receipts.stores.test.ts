/** Retries that are received in one batch with other notifications of their key, in a real database. */
import { beforeEach, expect, test } from 'vitest';
import '../../arrivals.ts';
import { type Change, emptyStore } from '../../emptyStore.testing.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { Incoming } from './receive.ts';
import { receiveRows } from './receiveRows.ts';

const START = 1_795_000_000_000;
const WITHIN = 60_000;
let db: Database;
let write: Change;
beforeEach(async () => {
  ({ db, write } = await emptyStore());
});

type Sent = 'triggered' | 'resolved';
const sent = (status: Sent): Incoming => ({
  payload: { title: status, body: '', dnpName: 'nas', correlationId: 'disk', status },
  source: 'gatus',
  once: { scope: 'gatus:s', key: 'disk', hash: status, within: WITHIN },
});
/** Receives requests in one batch. @returns their outcomes */
async function receive(now: number, ...requests: Sent[]): Promise<string[]> {
  const { results } = await write((trx) =>
    receiveRows(
      trx,
      requests.map((status) => ({ incoming: [sent(status)], now }))
    )
  );
  return results.flat().map(({ outcome }) => outcome);
}
const thread = () => db.selectFrom('threads').select(['state', 'count']).execute();

test('a resolve after a retry of its alert is stored', async () => {
  expect(await receive(START, 'triggered')).toEqual(['stored']);
  expect(await receive(START + 20_000, 'triggered', 'resolved', 'resolved')).toEqual([
    'duplicate',
    'stored',
    'duplicate',
  ]);
  expect(await thread()).toEqual([{ state: 'resolved', count: 2 }]);
});

test('an alert after a resolve is no retry of the alert before it', async () => {
  await receive(START, 'triggered');
  expect(await receive(START + 20_000, 'resolved', 'triggered', 'triggered')).toEqual([
    'stored',
    'stored',
    'duplicate',
  ]);
  expect(await thread()).toEqual([{ state: 'open', count: 3 }]);
});

test('after the window, neither is a retry', async () => {
  await receive(START, 'triggered');
  expect(await receive(START + WITHIN, 'triggered', 'resolved')).toEqual(['stored', 'stored']);
});
