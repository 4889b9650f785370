/** One sender over a real store, with a channel and clocks of the test. */
import { expect, onTestFinished } from 'vitest';
import type { NotificationPayload } from '../../../contract/notification.ts';
import '../../arrivals.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { HOUR, openWorld, START, type World } from '../../inbox/retention/retention.testing.ts';
import type { ChannelSettings, Message, Outcome, SendOptions } from './kinds/channel.ts';
import type { Hold } from '../../inbox/notifications/receive.ts';
import { Sender } from './sender.ts';
import { OutboxStore } from './store.ts';

export const MINUTE = HOUR / 60;
export const SECOND = MINUTE / 60;
export const BROKEN: Outcome = { kind: 'retry', reason: 'broken' };
export const DELIVERED: Outcome = { kind: 'delivered' };

interface Sending {
  world: World;
  clock: { now: number };
  sent: Message[];
  titles: () => string[];
  leads: () => boolean;
  /** Options of each message. */
  options: SendOptions[];
  receive: (
    payloads: Partial<NotificationPayload>[],
    hold?: Hold,
    via?: readonly string[],
    sender?: string
  ) => Promise<void>;
  /** States in the outbox. */
  states: () => Promise<string[]>;
  start: (store?: OutboxStore) => Sender;
}

export async function sending(
  outcome: (message: Message) => Outcome | Promise<Outcome>,
  more: Partial<ChannelSettings> = {},
  onError: (of: object, text: string) => void = () => undefined
) {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const clock = { now: START };
  const sent: Message[] = [];
  const options: SendOptions[] = [];
  const made: Sending = {
    leads: () => true,
    world,
    clock,
    sent,
    options,
    titles: () => sent.map(({ title }) => title),
    async receive(payloads, hold, via, sender = 's') {
      const incoming = payloads.map((payload) => ({
        payload: { title: 'T', body: '', ...payload },
        source: 'api' as const,
        sender,
        via,
        destinations: { channels: ['hook'], ifAnnounced: [], ...(hold && { holds: { hook: hold } }) },
      }));
      await world.writes.submit(receive, { incoming, now: clock.now });
    },
    states: async () =>
      (await world.db.selectFrom('outbox').select('state').orderBy('id').execute()).map(({ state }) => state),
    start(store = new OutboxStore(world.db)) {
      const sender = new Sender({
        settings: { name: 'hook', type: 'email', giveUpAfter: '1h', perMinute: undefined, ...more },
        channel: {
          async send(message, given) {
            sent.push(message);
            options.push(given);
            return outcome(message);
          },
        },
        bridge: 'b',
        store,
        writes: world.writes,
        leads: () => made.leads(),
        now: () => clock.now,
        steady: () => clock.now,
        random: () => 0,
        log: { error: onError as () => void },
        on: { sent: () => undefined, retried: () => undefined, gaveUp: () => undefined },
      }).start();
      onTestFinished(() => sender.close());
      return sender;
    },
  };
  return made;
}

/** The clock runs on meanwhile, so that what is retried becomes due. */
export const later = (clock: Sending['clock'], sender: { wake(): void }, step: number, check: () => unknown) =>
  expect.poll(
    () => {
      clock.now += step;
      sender.wake();
      return check();
    },
    { timeout: 60_000, interval: 20 }
  );
