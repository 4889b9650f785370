/** The test of a channel. */
import type { Actor } from '../../../contract/audit.ts';
import type { ChannelTest } from '../../../contract/channel.ts';
import type { ChannelSettings, Network } from './kinds/channel.ts';
import type { PumpDeps } from './pump.ts';
import { KINDS } from './kinds/index.ts';
import { ownMessage } from './kinds/text.ts';

const TEST_MS = 20_000;

interface Deps extends Pick<PumpDeps, 'bridge' | 'now'> {
  network: Network;
  /** Named in the message. */
  by: Actor;
}

/** Sends a test message over a channel. @returns the error of the service, if it was not delivered to everybody */
export async function sendTest(settings: ChannelSettings, { bridge, network, by, now }: Deps): Promise<ChannelTest> {
  const { name, type } = settings;
  const at = now();
  const body = `The channel ${name} works. The test was sent by ${by.name || 'an admin'}.`;
  const outcome = await KINDS[type](settings, network).send(
    ownMessage({ title: 'Test', body, key: `nb-test-${at}`, correlationId: `test-${at}` }, at),
    { signal: AbortSignal.timeout(TEST_MS), idempotencyKey: `${bridge}-${name}-test-${at}`, via: [bridge] }
  );
  const reason = outcome.kind === 'delivered' ? outcome.warning : outcome.reason;
  return reason === undefined ? { delivered: true } : { delivered: false, reason };
}
