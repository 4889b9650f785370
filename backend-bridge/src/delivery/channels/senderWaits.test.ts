/** Rows of the outbox that a sender cannot send now must not hold up others. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { remove } from '../../inbox/notifications/deletions.ts';
import { HOUR, START } from '../../inbox/retention/retention.testing.ts';
import type { Outcome } from './kinds/channel.ts';
import { BROKEN, DELIVERED, later, MINUTE, SECOND, sending } from './sender.testing.ts';
import { OutboxStore } from './store.ts';

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

test('a sender that loses the lead for a moment goes on within a second', async () => {
  const made = await sending(() => DELIVERED);
  let isOnce = false;
  const store = new (class extends OutboxStore {
    override async next(...args: Parameters<OutboxStore['next']>) {
      const rows = await super.next(...args);
      isOnce = rows.length > 0;
      return rows;
    }
  })(made.world.db);
  let lost = 0;
  // The first row that is about to be sent finds that another replica leads.
  made.leads = () => {
    if (isOnce && lost === 0) {
      lost += 1;
      return false;
    }
    return true;
  };
  await made.receive([{ title: 'waits' }]);
  made.start(store);
  await expect.poll(made.titles, { timeout: 20_000 }).toEqual(['waits']);
  expect(lost).toBe(1);
});

test('a message that counts leaves out what was deleted meanwhile', async () => {
  const made = await sending(() => DELIVERED, { perMinute: 1 });
  const { world, clock, sent, titles, states, receive: arrive, start } = made;
  const deleteThese = (ids: number[]) =>
    world.writes.submit(remove, { ids, deletion: `of-${ids[0]}`, expiresTs: clock.now + HOUR });
  await arrive([{ title: 'gone' }, { title: 'also gone' }, { title: 'a' }, { title: 'b' }]);
  await deleteThese([1, 2]);
  const sender = start();
  await later(clock, sender, SECOND, titles).toEqual(['2 notifications']);
  expect(sent[0]!.body).toMatch(/- a\n- b$/);
  await sender.close();
  await arrive([{}, {}, {}]);
  await deleteThese([5, 6, 7]);
  await later(clock, start(), MINUTE, async () => (await states()).filter((one) => one === 'waiting')).toEqual([]);
  expect(titles()).toEqual(['2 notifications']);
});

test('a digest that is retried leaves out what was deleted meanwhile', async () => {
  let outcome: Outcome = BROKEN;
  const made = await sending(() => outcome, { giveUpAfter: '1d' });
  const { world, clock, sent, titles, states, receive: arrive, start } = made;
  const deleteThis = (id: number) =>
    world.writes.submit(remove, { ids: [id], deletion: `of-${id}`, expiresTs: clock.now + HOUR });
  const disk = { correlationId: 'disk', status: 'triggered' } as const;
  await arrive([{ ...disk, title: 'disk' }, { ...disk, title: 'disk again' }, { title: 'b' }], { digest: 'hourly' });
  clock.now = START + HOUR;
  const sender = start();
  await later(clock, sender, 0, titles).toEqual(['2 notifications']);
  await deleteThis(2);
  outcome = DELIVERED;
  await later(clock, sender, MINUTE, titles).toEqual(['2 notifications', '2 notifications']);
  expect(sent[1]!.body).toMatch(/: disk\n- .*: b$/);
  outcome = BROKEN;
  await arrive([{ title: 'c' }, { title: 'd' }], { digest: 'hourly' });
  await later(clock, sender, HOUR, () => titles().length).toBeGreaterThan(2);
  await deleteThis(4);
  await deleteThis(5);
  outcome = DELIVERED;
  await later(clock, sender, MINUTE, async () => (await states()).filter((one) => one === 'held')).toEqual([]);
  expect(titles()).not.toContain('0 notifications');
});
