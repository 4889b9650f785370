import { describe, expect, it } from 'vitest';
import { eachOf, inTurns, mapInTurns } from './steps.ts';

const busy = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

describe.each<[string, typeof mapInTurns]>([
  ['steps', (items, work) => inTurns(eachOf(items, work))],
  ['mapping', mapInTurns],
])('%s', (_name, map) => {
  it('returns the results in the order of the items', async () => {
    expect(await map(['a', 'b', 'c'], (item, index) => `${item}${index}`)).toEqual(['a0', 'b1', 'c2']);
    expect(await map([], () => 1)).toEqual([]);
  });

  it('other work runs after items, as often as time passes', async () => {
    let others = 0;
    let running = true;
    const other = (): void => {
      others += 1;
      if (running) {
        setImmediate(other);
      }
    };
    setImmediate(other);
    await map(Array.from({ length: 10 }), () => busy(12));
    running = false;
    expect(others).toBeGreaterThanOrEqual(10);
  });

  it('short work is not interrupted', async () => {
    let interrupted = false;
    setImmediate(() => (interrupted = true));
    await map([1, 2], (item) => item);
    expect(interrupted).toBe(false);
  });

  it('an error ends it', async () => {
    const failing = map([1, 2, 3], (item) => {
      if (item === 2) {
        throw new Error('two');
      }
    });
    await expect(failing).rejects.toThrow('two');
  });
});
