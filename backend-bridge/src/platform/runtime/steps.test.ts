import { expect, it } from 'vitest';
import { eachOf, inTurns } from './steps.ts';

const busy = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

it('returns the results in the order of the items', async () => {
  expect(await inTurns(eachOf(['a', 'b', 'c'], (item, index) => `${item}${index}`))).toEqual(['a0', 'b1', 'c2']);
  expect(await inTurns(eachOf([], () => 1))).toEqual([]);
});

it('other work runs between steps, as often as time passes', async () => {
  let others = 0;
  let running = true;
  const other = (): void => {
    others += 1;
    if (running) {
      setImmediate(other);
    }
  };
  setImmediate(other);
  await inTurns(eachOf(Array.from({ length: 10 }), () => busy(12)));
  running = false;
  expect(others).toBeGreaterThanOrEqual(10);
});

it('short work is not interrupted', async () => {
  let interrupted = false;
  setImmediate(() => (interrupted = true));
  await inTurns(eachOf([1, 2], (item) => item));
  expect(interrupted).toBe(false);
});

it('an error ends it', async () => {
  const failing = eachOf([1, 2, 3], (item) => {
    if (item === 2) {
      throw new Error('two');
    }
  });
  await expect(inTurns(failing)).rejects.toThrow('two');
});
