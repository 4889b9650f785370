/** One sender over a real store, with a channel and clocks of the test. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { NotificationPayload } from '../../../contract/notification.ts';
import '../../arrivals.ts';
import { remove } from '../../inbox/notifications/deletions.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { HOUR, openWorld, START, type World } from '../../inbox/retention/retention.testing.ts';
import type { ChannelSettings, Message, Outcome, SendOptions } from './kinds/channel.ts';
import type { Hold } from '../../inbox/notifications/receive.ts';
import { Sender } from './sender.ts';
import { OutboxStore } from './store.ts';
import { noteUndelivered, resendUndelivered } from './writes.ts';

const MINUTE = HOUR / 60;
const SECOND = MINUTE / 60;
/** Ids of bridges. */
const [A, B] = ['00000000000a', '00000000000b'] as const;
const BROKEN: Outcome = { kind: 'retry', reason: 'broken' };
const DELIVERED: Outcome = { kind: 'delivered' };

interface Sending {
  world: World;
  clock: { now: number };
  sent: Message[];
  titles: () => string[];
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

async function sending(
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
        leads: () => true,
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
const later = (clock: Sending['clock'], sender: { wake(): void }, step: number, check: () => unknown) =>
  expect.poll(
    () => {
      clock.now += step;
      sender.wake();
      return check();
    },
    { timeout: 60_000, interval: 20 }
  );

test('an alert that has resolved is given up as a whole: what fired is not sent on its own', async () => {
  const { clock, sent, receive: arrive, states, start } = await sending(() => BROKEN);
  await arrive((['triggered', 'resolved'] as const).map((status) => ({ correlationId: 'disk', status })));
  await later(clock, start(), HOUR, states).toEqual(['undelivered', 'undelivered']);
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(['resolved']));
});

test('a digest that could not be sent before quiet hours waits until they end', async () => {
  let outcome: Outcome = BROKEN;
  const quietHours = [{ from: '11:30', to: '20:00' }];
  const { clock, titles, receive: arrive, start } = await sending(() => outcome, { quietHours, giveUpAfter: '1d' });
  await arrive([{ correlationId: 'a' }, { correlationId: 'b' }], { digest: 'hourly' });
  clock.now = START + HOUR;
  const sender = start();
  const tried = '2 notifications';
  await later(clock, sender, 0, titles).toEqual([tried]);
  clock.now += 30 * MINUTE;
  outcome = { kind: 'delivered' };
  await arrive([{ title: 'urgent', priority: 'critical' }]);
  await later(clock, sender, SECOND, titles).toEqual([tried, 'urgent']);
  clock.now = START + 10 * HOUR;
  await later(clock, sender, SECOND, titles).toEqual([tried, 'urgent', tried]);
});

test('what is sent again while one message for many is under way is no part of it', async () => {
  const {
    world,
    clock,
    titles,
    receive: arrive,
    start,
  } = await sending(
    async ({ count }) => {
      if (count !== undefined) {
        await world.writes.submit(resendUndelivered, { id: 1, by: null, now: clock.now, steady: clock.now + 1 });
      }
      return { kind: 'delivered' };
    },
    { perMinute: 1 }
  );
  await arrive([{ title: 'first' }]);
  await world.writes.submit(noteUndelivered, { ids: [1], reason: 'broken', now: clock.now });
  await arrive([{}, {}, {}]);
  await later(clock, start(), MINUTE, titles).toEqual(['3 notifications', 'first']);
});

test('a message names the bridges of its notification; one for many, those of the notification that has come through most', async () => {
  const made = await sending(() => ({ kind: 'delivered' }), { perMinute: 1 });
  const { clock, titles, options, receive: arrive, start } = made;
  const first = start();
  await arrive([{ title: 'own' }]);
  await later(clock, first, 0, titles).toEqual(['own']);
  // None is sent before all have arrived.
  await first.close();
  await arrive([{}], undefined, [A]);
  await arrive([{}], undefined, [A, B]);
  await arrive([{}, {}]);
  const sender = start();
  await later(clock, sender, SECOND, titles).toEqual(['own', '4 notifications']);
  await arrive([{}], { digest: 'hourly' });
  await arrive([{}], { digest: 'hourly' }, [B, A]);
  await later(clock, sender, HOUR, titles).toEqual(['own', '4 notifications', '2 notifications']);
  await arrive([{ title: 'of another' }], undefined, [B]);
  await later(clock, sender, MINUTE, titles).toContain('of another');
  expect(options.map(({ via }) => via)).toEqual([['b'], [A, B, 'b'], [B, A, 'b'], [B, 'b']]);
  expect(options.map(({ idempotencyKey }) => idempotencyKey.startsWith('b-hook-'))).toEqual(Array(4).fill(true));
});

test('what arrives after the limit per minute was checked waits for the next check', async () => {
  const made = await sending(() => ({ kind: 'delivered' }), { perMinute: 2 });
  const { world, clock, titles, receive: arrive, start } = made;
  const late: object[] = [{}, {}, {}];
  const store = new (class extends OutboxStore {
    override async bySender(channel: string) {
      const counted = await super.bySender(channel);
      await arrive(late.splice(0));
      return counted;
    }
  })(world.db);
  await arrive([{ title: 'first' }]);
  await later(clock, start(store), 0, titles).toEqual(['first', '3 notifications']);
});

test('templates apply to messages of one notification; labels are read for them only', async () => {
  const store = (world: World, details: unknown[]) =>
    new (class extends OutboxStore {
      override async next(...args: Parameters<OutboxStore['next']>) {
        const rows = await super.next(...args);
        details.push(...rows.map((row) => row.details));
        return rows;
      }
    })(world.db);
  const payloads = [{ title: 'a', labels: { team: 'disks' } }, { title: 'b' }];
  const templates = { titleTemplate: '{{ title }} of {{ labels.team }}' };

  const details: unknown[] = [];
  const made = await sending(() => ({ kind: 'delivered' }), templates);
  await made.receive(payloads);
  const sender = made.start(store(made.world, details));
  await later(made.clock, sender, 0, () => made.sent.map(({ rendered }) => rendered?.title)).toEqual([
    'a of disks',
    'b of',
  ]);
  expect(details).toEqual([
    { labels: { team: 'disks' }, node: '' },
    { labels: {}, node: '' },
  ]);
  await made.receive(payloads, { digest: 'hourly' });
  await later(made.clock, sender, HOUR, made.titles).toEqual(['a', 'b', '2 notifications']);
  expect(made.sent[2]).not.toHaveProperty('rendered');

  const none: unknown[] = [];
  const plain = await sending(() => ({ kind: 'delivered' }));
  await plain.receive(payloads);
  await later(plain.clock, plain.start(store(plain.world, none)), 0, plain.titles).toEqual(['a', 'b']);
  expect(none).toEqual([undefined, undefined]);
  expect(plain.sent[0]).not.toHaveProperty('rendered');
});

test('a template that fails never holds up a message, and is logged once', async () => {
  const log: unknown[] = [];
  const template = { bodyTemplate: '{{ body | replace: "x", body }}' };
  const made = await sending(
    () => ({ kind: 'delivered' }),
    template,
    (_of, text) => log.push(text)
  );
  const body = 'x'.repeat(10_000);
  await made.receive([{ body }, { body }]);
  await later(made.clock, made.start(), 0, made.states).toEqual(['sent', 'sent']);
  const reason = 'bodyTemplate failed: line 1, column 1: memory alloc limit exceeded. The standard text is used.';
  expect(made.sent.map(({ rendered }) => rendered)).toEqual([{}, {}]);
  expect(log).toEqual([reason]);
});

test('in quiet hours a deleted notification does not hold up others, nor the event loop', async () => {
  const quietHours = [{ from: '00:00', to: '24:00' }];
  const { world, clock, titles, receive: arrive, start } = await sending(() => DELIVERED, { quietHours });
  await arrive([{ title: 'deleted', priority: 'critical' }]);
  const { id } = await world.db.selectFrom('notifications').select('id').executeTakeFirstOrThrow();
  await world.writes.submit(remove, { ids: [id], deletion: 'd', expiresTs: clock.now + HOUR });
  await arrive([{ title: 'urgent', priority: 'critical' }]);
  await later(clock, start(), 0, titles).toEqual(['urgent']);
});

test('while one sender has more waiting than is counted, others wait without passes in a row', async () => {
  const { world, clock, titles, receive: arrive, start } = await sending(() => DELIVERED, { perMinute: 1 });
  let passes = 0;
  const store = new (class extends OutboxStore {
    override next(...args: Parameters<OutboxStore['next']>) {
      passes += 1;
      return super.next(...args);
    }
    override async bySender(channel: string) {
      const all = await super.bySender(channel);
      return all.length > 1 ? all.filter(({ sender }) => sender === 's') : all;
    }
  })(world.db);
  await arrive([{}, {}]);
  const sender = start(store);
  await later(clock, sender, 0, titles).toEqual(['2 notifications']);
  await arrive([{}, {}]);
  await arrive([{ title: 'other' }], undefined, undefined, 'another');
  const before = passes;
  sender.wake();
  for (let turns = 0; turns < 200; turns += 1) {
    await turn();
  }
  expect(passes - before).toBeLessThan(3);
  await later(clock, sender, MINUTE, titles).toEqual(['2 notifications', '2 notifications', 'other']);
});
