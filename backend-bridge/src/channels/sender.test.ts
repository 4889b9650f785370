/** One sender over a real store, with a channel and clocks of the test. */
import { expect, onTestFinished, test } from 'vitest';
import { receive } from '../notifications/receiveRows.ts';
import { HOUR, openWorld, START } from '../retention/retention.testing.ts';
import type { Message } from './channel.ts';
import { createSender } from './sender.ts';
import { createOutboxStore } from './store.ts';

test('an alert that has resolved is given up as a whole: what fired is not sent on its own', async () => {
  const world = await openWorld();
  const { writes, db } = world;
  const clock = { now: START };
  const sent: Message[] = [];
  const sender = createSender({
    settings: { name: 'hook', type: 'webhook', giveUpAfter: '1h', perMinute: undefined },
    channel: {
      send(message) {
        sent.push(message);
        return Promise.resolve({ kind: 'retry', reason: 'broken' });
      },
    },
    isForMachines: false,
    store: createOutboxStore(db),
    writes,
    leads: () => true,
    now: () => clock.now,
    steady: () => clock.now,
    random: () => 0,
    log: { error: () => undefined },
    on: { sent: () => undefined, retried: () => undefined, gaveUp: () => undefined },
  });
  onTestFinished(async () => {
    await sender.close();
    await world.close();
  });
  const incoming = (['triggered', 'resolved'] as const).map((status) => ({
    payload: { title: 'T', body: '', correlationId: 'disk', dnpName: 'p', status },
    source: 'api' as const,
    destinations: { channels: ['hook'], ifAnnounced: [] },
  }));
  await writes.submit(receive, { incoming, now: START });
  const states = async () =>
    (await db.selectFrom('outbox').select('state').orderBy('id').execute()).map(({ state }) => state);
  sender.wake();
  await expect.poll(() => sent.length).toBe(1);
  await expect
    .poll(async () => {
      clock.now += HOUR;
      sender.wake();
      return states();
    })
    .toEqual(['undelivered', 'undelivered']);
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(['resolved']));
});
