/** Helpers for tests of several services. */
import { onTestFinished } from 'vitest';
import type { Receiver } from '../receivers.testing.ts';

/** Closed with the test. */
export async function started<T extends Receiver>(receiver: Promise<T>): Promise<T> {
  const one = await receiver;
  onTestFinished(() => one.close());
  return one;
}

/** Markup in each part, and an action. */
export const RICH = {
  title: '<b>a</b> & "b"',
  body: 'first\n</b><script>',
  callToAction: { title: 'Open <it>', url: 'https://g.example/d?a=1&b=2' },
  actions: [{ label: 'Acknowledge', url: 'https://bridge.example/ack?s=1' }],
};
/** Longer than any service allows, in characters that become six when escaped. */
export const LONG = { title: '"'.repeat(9000), body: '"'.repeat(9000) };
/** The links of {@link RICH} as text. */
export const LINES = 'Open <it>: https://g.example/d?a=1&b=2\nAcknowledge: https://bridge.example/ack?s=1';
