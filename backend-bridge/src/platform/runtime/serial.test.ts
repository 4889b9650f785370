import { expect, test } from 'vitest';
import { createSerial } from './serial.ts';

test('work runs in the order in which it was given, one after another', async () => {
  const serial = createSerial();
  const events: string[] = [];
  const first = Promise.withResolvers<void>();
  const slow = serial(async () => {
    events.push('slow begins');
    await first.promise;
    events.push('slow ends');
    return 1;
  });
  const quick = serial(() => events.push('quick'));
  await Promise.resolve();
  expect(events).toEqual(['slow begins']);
  first.resolve();
  expect(await Promise.all([slow, quick])).toEqual([1, 3]);
  expect(events).toEqual(['slow begins', 'slow ends', 'quick']);
});

test('an error reaches whoever gave the work, and others only run later', async () => {
  const serial = createSerial();
  const failing = serial(() => Promise.reject(new Error('the store is unavailable')));
  const next = serial(() => 'done');
  await expect(failing).rejects.toThrow('the store is unavailable');
  expect(await next).toBe('done');
});
