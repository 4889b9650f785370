/** Messages of one sender. */
import { expect, test } from 'vitest';
import { deliveriesOf } from '../../inbox/notifications/deliveries.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { HOUR, START, type World } from '../../inbox/retention/retention.testing.ts';
import type { Outcome } from './kinds/channel.ts';
import { BROKEN, later, MINUTE, SECOND, sending } from './sender.testing.ts';
import { statusOf } from './status.ts';
import { OutboxStore } from './store.ts';
import { noteUndelivered, resendUndelivered } from './writes.ts';

/** Ids of bridges. */
const [A, B] = ['00000000000a', '00000000000b'] as const;

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

test('after one message for many has counted a resolve, the next firing is a message of its own', async () => {
  const made = await sending(() => ({ kind: 'delivered', ref: '1' }), { perMinute: 1 });
  const { clock, titles, sent, receive: arrive, start } = made;
  const first = start();
  await arrive([{ title: 'fires', correlationId: 'disk', status: 'triggered' }]);
  await later(clock, first, 0, titles).toEqual(['fires']);
  await first.close();
  await arrive([{ correlationId: 'disk', status: 'resolved' }, {}, {}]);
  const sender = start();
  await later(clock, sender, SECOND, titles).toEqual(['fires', '3 notifications']);
  await arrive([{ title: 'fires again', correlationId: 'disk', status: 'triggered' }]);
  await later(clock, sender, MINUTE, titles).toEqual(['fires', '3 notifications', 'fires again']);
  expect(sent.at(-1)!.ref).toBeUndefined();
});

test('a storm of which one notification is left', async () => {
  const { clock, titles, receive: arrive, start } = await sending(() => ({ kind: 'delivered' }), { perMinute: 1 });
  const sender = start();
  await arrive([{ title: 'first' }]);
  await later(clock, sender, 0, titles).toEqual(['first']);
  await arrive([{ title: 'second' }]);
  await later(clock, sender, 0, titles).toEqual(['first', '1 notification']);
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

test('a warning about a message that was delivered is kept, also of one that stands for many', async () => {
  const made = await sending(() => ({ kind: 'delivered', warning: 'One address was rejected.' }), {
    bodyTemplate: '{{ body | replace: "x", body }}',
    perMinute: 3,
  });
  const { world, clock, states, receive: arrive, start } = made;
  const reasons = async () =>
    (await world.db.selectFrom('outbox').select('reason').orderBy('id').execute()).map(({ reason }) => reason);
  const sender = start();
  await arrive([{}]);
  await later(clock, sender, 0, states).toEqual(['sent']);
  await arrive([{ body: 'x'.repeat(10_000) }]);
  await later(clock, sender, 0, states).toEqual(['sent', 'sent']);
  await arrive([{}, {}], { digest: 'hourly' });
  await later(clock, sender, HOUR, states).toEqual(['sent', 'sent', 'merged', 'merged']);
  await arrive([{}, {}, {}, {}]);
  await later(clock, sender, 0, states).toHaveLength(8);
  await later(clock, sender, 0, states).not.toContain('waiting');
  const warning = 'One address was rejected.';
  expect(await reasons()).toEqual([
    warning,
    `bodyTemplate failed: line 1, column 1: memory alloc limit exceeded. The standard text is used. ${warning}`,
    ...Array<string>(6).fill(warning),
  ]);
  expect(await statusOf(world.db, ['hook'])).toMatchObject({ state: 'ok', warning });
});

test('a message that has reached some recipients is sent again, and neither the channel nor its thread waits', async () => {
  const deferred: Outcome = { kind: 'delivered', ref: 'first', warning: 'One address was deferred.', isDeferred: true };
  let outcome = deferred;
  const made = await sending(() => outcome);
  const { world, clock, sent, states, receive: arrive, start } = made;
  const sender = start();
  await arrive([{ correlationId: 'a', status: 'triggered' }]);
  await later(clock, sender, 0, () => sent.length).toBe(1);
  await later(clock, sender, 0, () => statusOf(world.db, ['hook'])).toMatchObject({ lastFailure: deferred.warning });
  await arrive([{ correlationId: 'b', status: 'triggered' }]);
  await later(clock, sender, 0, () => sent.map(({ correlationId }) => correlationId)).toEqual(['a', 'b']);
  expect(await states()).toEqual(['waiting', 'waiting']);
  outcome = { kind: 'delivered', ref: 'second' };
  await arrive([{ correlationId: 'b', status: 'resolved' }]);
  await later(clock, sender, 0, states).toEqual(['waiting', 'merged', 'sent']);
  expect(sent[2]).toMatchObject({ status: 'resolved', ref: 'first' });
  await later(clock, sender, SECOND, states).toEqual(['sent', 'merged', 'sent']);
  expect(sent.map(({ correlationId }) => correlationId)).toEqual(['a', 'b', 'b', 'a']);
});

test('a message that does not reach all recipients in time counts as sent, with the warning', async () => {
  const warning = 'One address was deferred.';
  const made = await sending(() => ({ kind: 'delivered', warning, isDeferred: true }));
  await made.receive([{}]);
  await later(made.clock, made.start(), HOUR / 4, made.states).toEqual(['sent']);
  expect(made.sent.length).toBeGreaterThan(2);
  expect(await statusOf(made.world.db, ['hook'])).toMatchObject({ state: 'ok', warning });
});

test('after a storm a resolve of a lower priority follows its thread', async () => {
  const made = await sending(() => ({ kind: 'delivered' }), { perMinute: 2 });
  const { world, clock, sent, titles, receive: arrive, start } = made;
  const follow = (correlationId: string) => ({
    payload: { title: correlationId, body: '', status: 'resolved', correlationId } as const,
    source: 'api' as const,
    sender: 's',
    destinations: { channels: [], ifAnnounced: ['hook'] },
  });
  const fires = (correlationId: string) =>
    ({ title: correlationId, status: 'triggered', priority: 'high', correlationId }) as const;
  await arrive([fires('a'), fires('b'), fires('c'), { ...fires('c'), status: 'resolved' }]);
  const sender = start();
  await later(clock, sender, 0, titles).toEqual(['4 notifications']);
  clock.now += 2 * MINUTE;
  await world.writes.submit(receive, { incoming: ['a', 'c', 'other'].map(follow), now: clock.now });
  await later(clock, sender, SECOND, titles).toEqual(['4 notifications', 'a']);
  expect(sent[1]).toMatchObject({ status: 'resolved' });
});

test('an alert whose message was retried until it had resolved shows no failure', async () => {
  let outcome: Outcome = BROKEN;
  const { world, clock, sent, states, receive: arrive, start } = await sending(() => outcome);
  await arrive([{ correlationId: 'disk', status: 'triggered' }]);
  const sender = start();
  await later(clock, sender, 0, () => sent.length).toBe(1);
  await arrive([{ correlationId: 'disk', status: 'resolved' }]);
  outcome = { kind: 'delivered' };
  await later(clock, sender, MINUTE, states).toEqual(['merged', 'sent']);
  const { deliveries } = await deliveriesOf(world.db, 1);
  expect(deliveries).toMatchObject([{ state: 'merged', attempts: 1, reason: null }]);
});
