/** The bound of the list of undelivered notifications, whatever is given up. */
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import '../../arrivals.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { openWorld, START } from '../../inbox/retention/retention.testing.ts';
import { noteDigest, release } from './heldWrites.ts';
import { nextDigest } from '../schedules/hours.ts';
import { OutboxStore } from './store.ts';
import { noteFlood } from './writes.ts';

const MOST = LIMITS.channelUndelivered.value;
const DIGEST = 'hourly';

it.each(['flood', 'digest'])('a %s that is refused adds to the list, and pushes out the oldest', async (what) => {
  const world = await openWorld();
  const { writes, db } = world;
  onTestFinished(() => world.close());
  const holds = what === 'digest' ? { holds: { hook: { digest: DIGEST } } } : {};
  const destinations = { channels: ['hook'], ifAnnounced: [], ...holds };
  const one = { payload: { title: 'T', body: '' }, source: 'api' as const, sender: 's', destinations };
  const rows = await writes.submit(receive, { incoming: Array.from({ length: MOST + 5 }, () => one), now: START });
  const note = { channel: 'hook', state: 'undelivered' as const, reason: 'refused' };
  if (what === 'flood') {
    await writes.submit(noteFlood, { ...note, senders: ['s'], upTo: MOST + 5, lastTs: START, done_ts: START });
  } else {
    const until = nextDigest(DIGEST, START);
    await writes.submit(release, { channel: 'hook', quiet: false, until, edits: false, steady: START });
    await writes.submit(noteDigest, { ...note, now: START, steady: START });
  }
  const { rows: left } = await sql<{ count: number; first: number }>`
    select count(*) as count, min(notification_id) as first from outbox where state = 'undelivered'`.execute(db);
  expect(left).toEqual([{ count: MOST, first: rows[5]!.id }]);
});

it('a page of it is no larger than a list of notifications, whatever their titles', async () => {
  const world = await openWorld();
  const { writes, db } = world;
  onTestFinished(() => world.close());
  const destinations = { channels: ['hook'], ifAnnounced: [] };
  const payload = { title: 'T'.repeat(40_000), body: '' };
  const one = { payload, source: 'api' as const, sender: 's', destinations };
  for (let sent = 0; sent < 200; sent += 50) {
    await writes.submit(receive, { incoming: Array.from({ length: 50 }, () => one), now: START });
  }
  const note = { channel: 'hook', state: 'undelivered' as const, reason: 'refused' };
  await writes.submit(noteFlood, { ...note, senders: ['s'], upTo: 200, lastTs: START, done_ts: START });
  const { undelivered } = await new OutboxStore(db).undelivered({ limit: 200 });
  expect(undelivered).toHaveLength(200);
  expect(JSON.stringify(undelivered).length).toBeLessThan(LIMITS.listBytes.value);
  expect(undelivered[0]!.title).toBe('T'.repeat(LIMITS.titleBytes.value));
});
