/** Responses in the messages of a chat, over a real store with a sender. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import type { Priority } from '../../../contract/notification.ts';
import { acknowledge } from '../../inbox/respond/acknowledging.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { HOUR, openWorld, START } from '../../inbox/retention/retention.testing.ts';
import type { Message } from './kinds/channel.ts';
import { Sender } from './sender.ts';
import { OutboxStore } from './store.ts';

const BY = { kind: 'user', name: 'Ada', key: 'org:1/user:1' } as const;

async function open() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, events } = world;
  let now = START;
  const sent: Message[] = [];
  const sender = new Sender({
    settings: { name: 'chat', type: 'telegram', giveUpAfter: '1h', perMinute: undefined },
    channel: {
      send(message) {
        sent.push(message);
        return Promise.resolve({ kind: 'delivered', ref: message.ref ?? `message ${sent.length}` });
      },
    },
    ...{ bridge: 'b', store: new OutboxStore(db), writes, leads: () => true, now: () => now, steady: () => now },
    ...{ random: () => 0, log: { error: () => undefined } },
    on: { sent: () => undefined, retried: () => undefined, gaveUp: () => undefined },
  }).start();
  onTestFinished(() => sender.close());
  const fires = (priority: Priority, destinations: string[] = ['chat']) =>
    writes.submit(receive, {
      incoming: [
        {
          payload: { title: priority, body: '', status: 'triggered' as const, correlationId: 'disk', priority },
          source: 'api' as const,
          destinations: { channels: destinations, ifAnnounced: [] },
        },
      ],
      ...{ now, steady: now },
    });
  return {
    fires,
    events: () => events.map(({ type }) => type),
    responds: () => writes.submit(acknowledge, { ids: [1], acknowledged: true, by: BY, now }),
    /** The messages, after so many were sent; the clock runs on. */
    messages: async (count: number) => {
      await expect
        .poll(() => {
          now += HOUR / 60;
          sender.wake(true);
          return sent.length;
        })
        .toBe(count);
      return sent.map(({ title, ref, onlyEdit, response }) =>
        [title, onlyEdit ? `edits ${ref}` : 'new', response ?? ''].join(', ')
      );
    },
  };
}

test('a message that another one replaces no longer shows who had acknowledged', async () => {
  const { fires, responds, messages } = await open();
  await fires('low');
  await messages(1);
  await responds();
  await messages(2);
  await fires('high');
  expect(await messages(4)).toEqual([
    'low, new, ',
    'low, edits message 1, Acknowledged by Ada.',
    'high, new, ',
    'low, edits message 1, ',
  ]);
});

test('an arrival that ends an acknowledgement says so at once, also to channels to which it does not go', async () => {
  const { fires, responds, events } = await open();
  await fires('low');
  await responds();
  await fires('low', []);
  expect(events().filter((type) => type === 'responded')).toHaveLength(1);
  await fires('high', []);
  expect(events().filter((type) => type === 'responded')).toHaveLength(2);
  await fires('high', []);
  expect(events().filter((type) => type === 'responded')).toHaveLength(2);
});
