/** Hours of a busy node: the short form of `npm run prove -- --hours`. It is too short to measure growth. */
import { expect, test } from 'vitest';
import { growth, proveHours, type Sample } from '../proofs/hours.ts';

const FLAT: Sample = {
  hours: 0,
  memory: 200e6,
  heap: 50e6,
  handles: 60,
  threads: 12,
  file: 45e6,
  free: 4e6,
  keys: 1e6,
  data: 40e6,
  log: 30e6,
  notifications: 20_000,
  streams: 12,
};
const samples = (change: (index: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 96 }, (_, index) => ({ ...FLAT, ...change(index) }));

test('six minutes in nine seconds: each part of the load works, and the bridge stays within its means', async () => {
  const { samples: measured, counts, mistakes } = await proveHours({ hours: 0.1, minutes: 0.15, kept: 200 });
  expect(mistakes).toEqual([]);
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining([
      'notifications',
      'repeats',
      'webhooks',
      'reads',
      'marked',
      'deletions',
      'streams',
      'events',
    ])
  );
  expect(measured).toHaveLength(12);
  for (const { handles, threads, memory } of measured) {
    expect(handles).toBeLessThan(200);
    expect(threads).toBeLessThan(40);
    expect(memory).toBeLessThan(600 * 2 ** 20);
  }
});

test('what grows is named: after the first quarter, beyond what is allowed', () => {
  expect(growth(samples(() => ({})))).toEqual([]);
  expect(growth(samples((index) => ({ memory: 200e6 + Math.min(index, 24) * 10e6 })))).toEqual([]);
  expect(growth(samples((index) => ({ memory: 200e6 + index * 1e6 })))).toEqual([
    'memory grew from 236000000 in the second quarter to 284000000 in the last',
  ]);
  expect(growth(samples((index) => ({ handles: 60 + Math.floor(index / 8) })))).toEqual([
    'open files grew from 64 in the second quarter to 70 in the last',
  ]);
  expect(growth(samples((index) => ({ data: 40e6 + index * 1e5 })))).toHaveLength(1);
  expect(growth(samples((index) => ({ file: 40e6 + index * 1e5, keys: index * 1e5 })))).toEqual([]);
  expect(growth(samples((index) => ({ threads: index > 90 ? 99 : 12 })))).toEqual([]);
  expect(growth(samples((index) => ({ log: index * 1e6 })))).toHaveLength(1);
  expect(growth([])).not.toEqual([]);
});
