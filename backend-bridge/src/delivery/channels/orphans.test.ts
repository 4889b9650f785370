/** Reminders and steps in the outbox outlive what removes the rest, over a real store. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { openWorld, START } from '../../inbox/retention/retention.testing.ts';
import { giveUpOrphans } from './orphans.ts';
import { openDatabase } from '../../platform/database.ts';
import { testAddress } from '../../platform/storage/address.testing.ts';
import { OutboxStore } from './store.ts';
import { abandonWaiting } from './writes.ts';

async function open() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes } = world;
  const escalation = {
    ...{ route: 'r', known: ['r'], steps: [{ to: 'second', afterMs: HOUR_MS, step: 0 }], reach: [] },
    reminder: { remindMs: HOUR_MS, to: ['first'] },
  };
  const fires = () =>
    writes.submit(receive, {
      incoming: [
        {
          payload: { title: 'Disk', body: '', status: 'triggered' as const, correlationId: 'disk' },
          source: 'api' as const,
          destinations: { channels: ['gone'], ifAnnounced: [], escalations: [escalation] },
        },
      ],
      ...{ now: START, steady: START },
    });
  await fires();
  const rows = async () =>
    (await db.selectFrom('outbox').select(['channel', 'state']).orderBy('id').execute()).map(
      ({ channel, state }) => `${channel} ${state}`
    );
  return { db, address: await testAddress(world.dir), writes, fires, rows };
}

test('a day later, only what waits for a removed channel is given up', async () => {
  const { db, writes, rows } = await open();
  const at = START + 2 * DAY_MS;
  const clocks = { now: () => at, steady: () => at };
  await giveUpOrphans({ store: new OutboxStore(db), writes, ...clocks }, new Set(['first', 'second']));
  expect(await rows()).toEqual(['gone undelivered', 'second held', 'reminder: acknowledged held']);
});

test('after a restore reminders go on, and a repeat begins the steps that were not sent', async () => {
  const { address, fires, rows } = await open();
  const db = openDatabase(address);
  onTestFinished(() => db.destroy());
  await db.transaction().execute((trx) => abandonWaiting(trx, START));
  const abandoned = ['gone undelivered', 'second undelivered'];
  expect(await rows()).toEqual([...abandoned, 'reminder: acknowledged held']);
  await fires();
  expect(await rows()).toEqual([...abandoned, 'gone waiting', 'second held', 'reminder: acknowledged held']);
});
