/** A message, and channels of each kind that send it. */
import { type Channel, type ChannelSettings, type Message, type Network, type Outcome, settingsOf } from './channel.ts';
import { KINDS } from './index.ts';

const NETWORK: Network = { allow: [], now: () => 1_700_000_000_000 };

const message = (change: Partial<Message> = {}): Message => ({
  id: 7,
  timestamp: '2026-11-21T10:00:00.000Z',
  title: 'Disk full',
  body: 'Only 1 % of /data is left.',
  category: 'hardware',
  dnpName: 'geth.example.eth',
  priority: 'high',
  status: 'triggered',
  correlationId: 'disk',
  key: 'nb-3-7-abc',
  ref: undefined,
  ...change,
});

type Given = Partial<ChannelSettings> & Pick<ChannelSettings, 'type'>;
export const make = (given: Given, network: Partial<Network> = {}): Channel => {
  const settings = settingsOf({ name: 'chan', ...given });
  return KINDS[given.type](settings, { ...NETWORK, ...network });
};
/** The id of this bridge. */
export const BRIDGE = '0123456789ab';
/** @param before bridges through which it has come @param signal ends it */
export const send = (
  channel: Channel,
  change?: Partial<Message>,
  before: readonly string[] = [],
  signal = AbortSignal.timeout(20_000)
): Promise<Outcome> =>
  channel.send(message(change), {
    signal,
    idempotencyKey: 'chan-1',
    via: [...before, BRIDGE],
  });
