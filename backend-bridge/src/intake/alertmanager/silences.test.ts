import { expect, test } from 'vitest';
import type { Database } from '../../platform/storage/engine.ts';
import type { SilenceRow } from '../../platform/storage/schema.ts';
import { Silences } from './silences.ts';

const silence: SilenceRow = {
  id: 'weekend',
  matchers: '[]',
  starts_ts: 0,
  ends_ts: 2,
  updated_ts: 0,
  created_by: 'ada',
  content: '',
};

test('of two reads at a time, what was read last counts', async () => {
  const slow = Promise.withResolvers<SilenceRow[]>();
  const reads = [slow.promise, Promise.resolve([silence])];
  const execute = () => reads.shift();
  const db = { selectFrom: () => ({ selectAll: () => ({ execute }) }) } as unknown as Database;
  const silences = new Silences({
    db,
    writes: { submit: () => Promise.reject(new Error('nothing is stored')) },
    now: () => 1,
  });
  const first = silences.load();
  const second = silences.load();
  // Time in which the second could overtake the first.
  await new Promise((resolve) => setImmediate(resolve));
  slow.resolve([]);
  await Promise.all([first, second]);
  expect(silences.activeIds()).toEqual(['weekend']);
});
