/** The loop of a sender. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Pump, type PumpDeps } from './pump.ts';

const MAX_PASSES = 10_000;

test('a sender that always has something to send leaves turns of the event loop to others', async () => {
  let passes = 0;
  class Busy extends Pump {
    protected override pass(): Promise<number> {
      passes += 1;
      return Promise.resolve(passes < MAX_PASSES ? 0 : 1000);
    }
  }
  const busy = new Busy(
    {
      settings: { name: 'hook', type: 'webhook', giveUpAfter: '1h' },
      store: { count: () => Promise.resolve(0) },
      writes: { submit: () => Promise.resolve({ more: false }) },
      leads: () => true,
      steady: () => 0,
    } as unknown as PumpDeps,
    1000
  ).start();
  while (passes === 0) {
    await turn();
  }
  expect(passes).toBeLessThan(MAX_PASSES);
  await busy.close();
});
