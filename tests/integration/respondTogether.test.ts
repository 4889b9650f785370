/** Several people act on threads at once, the clock jumps, and alerts arrive meanwhile: compared with a naive model. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '../../backend-bridge/contract/audit.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { createResponding } from '../../backend-bridge/src/inbox/respond/service.ts';
import { timelineOf } from '../../backend-bridge/src/inbox/responses/store.ts';
import { recordPerson } from '../../backend-bridge/src/inbox/readers/writes.ts';
import { clock, db, inbox, readerOf, responding, selections, store, writes, useModelStore } from './modelStore.ts';
import { DAY, HOUR, SECOND } from './support.ts';

useModelStore();

const PEOPLE = ['anna', 'bert'] as const;
const keyOf = (name: string) => `org:1/user:${name}`;
const by = (name: string): Actor => ({ kind: 'user', name, key: keyOf(name) });

beforeAll(async () => {
  for (const name of PEOPLE) {
    await writes.submit(recordPerson, { key: keyOf(name), login: name, name: '', now: clock.now });
  }
});

type Act = { who: (typeof PEOPLE)[number] } & (
  | { do: 'acknowledge'; comment: string | undefined }
  | { do: 'unacknowledge' | 'unassign' }
  | { do: 'comment'; text: string }
  | { do: 'assign'; to: (typeof PEOPLE)[number] }
);
const who = fc.constantFrom(...PEOPLE);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ who, do: fc.constant('acknowledge' as const), comment: fc.constantFrom(undefined, 'mine', 'on it') }),
  fc.record({ who, do: fc.constantFrom('unacknowledge' as const, 'unassign' as const) }),
  fc.record({ who, do: fc.constant('comment' as const), text: fc.constantFrom('one', 'two', 'three') }),
  fc.record({ who, do: fc.constant('assign' as const), to: who })
);

const perform = (id: number, one: Act): Promise<unknown> => {
  switch (one.do) {
    case 'acknowledge':
      return responding.acknowledge({ ids: [id] }, { acknowledged: true, comment: one.comment, by: by(one.who) });
    case 'unacknowledge':
      return responding.acknowledge({ ids: [id] }, { acknowledged: false, by: by(one.who) });
    case 'comment':
      return responding.comment(id, one.text, by(one.who));
    case 'assign':
      return responding.assign({ ids: [id] }, { assignee: keyOf(one.to), by: by(one.who) });
    case 'unassign':
      return responding.assign({ ids: [id] }, { assignee: null, by: by(one.who) });
  }
};

/** Expected result of the acts in this order: the timeline, and the state. */
function model(acts: readonly Act[]) {
  const timeline: string[] = [];
  let acknowledged: { by: string; comment?: string } | undefined;
  let assignee: string | undefined;
  for (const one of acts) {
    if (one.do === 'comment') {
      timeline.push(`${one.who} comment ${one.text}`);
    } else if (one.do === 'acknowledge') {
      const next = { by: one.who, ...(one.comment !== undefined && { comment: one.comment }) };
      if (JSON.stringify(next) !== JSON.stringify(acknowledged)) {
        acknowledged = next;
        timeline.push(`${one.who} acknowledged ${one.comment}`);
      }
    } else if (one.do === 'unacknowledge') {
      timeline.push(...(acknowledged ? [`${one.who} unacknowledged undefined`] : []));
      acknowledged = undefined;
    } else {
      const next = one.do === 'assign' ? one.to : undefined;
      if (next !== assignee) {
        timeline.push(`${one.who} ${next === undefined ? 'unassigned' : 'assigned'} ${next}`);
      }
      assignee = next;
    }
  }
  return { timeline, acknowledged, assignee };
}

async function fired(more: object = {}): Promise<Notification> {
  const payload = { title: 'T', body: 'B', dnpName: 'p', correlationId: 'c', status: 'triggered' as const, ...more };
  const [received] = await inbox.receive([{ payload: { priority: 'high', ...payload }, source: 'api' }]);
  return received!.notification!;
}

const threadOf = async (id: number): Promise<number> =>
  (await db.selectFrom('notifications').select('thread_id').where('id', '=', id).executeTakeFirstOrThrow()).thread_id;

let run = 0;
const fresh = () => ({ correlationId: `run ${(run += 1)}` });

it('no act of two people at once is lost, and the later one sees the earlier', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const { id } = await fired(fresh());
      // Each in the next turn of the event loop, before the earlier ones are written; the queue keeps their order.
      const pending: Promise<unknown>[] = [];
      for (const one of acts) {
        pending.push(perform(id, one));
        await new Promise(setImmediate);
      }
      await Promise.all(pending);
      const expected = model(acts);
      const timeline = await timelineOf(db, await threadOf(id), undefined);
      expect(timeline.map(({ by: name, kind, text }) => `${name} ${kind} ${text}`)).toEqual(expected.timeline);
      const { thread } = (await store.byIds([id]))[0]!;
      expect(thread.acknowledged && { by: thread.acknowledged.by, comment: thread.acknowledged.comment }).toEqual(
        expected.acknowledged && { comment: undefined, ...expected.acknowledged }
      );
      expect(thread.assignee?.name).toBe(expected.assignee);
      expect(thread.comments ?? 0).toBe(acts.filter((one) => one.do === 'comment').length);
    }),
    { numRuns: 40 }
  );
});

type Step =
  { do: 'snooze'; hours: number } | { do: 'jump'; ms: number } | { do: 'repeat' | 'worse' | 'resolve' | 'read' };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('snooze' as const), hours: fc.integer({ min: 1, max: 48 }) }),
  fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -6 * HOUR, max: 2 * DAY }) }),
  fc.record({ do: fc.constantFrom('repeat' as const, 'worse' as const, 'resolve' as const, 'read' as const) })
);

it(
  'a snooze lasts until its time by the clock, whatever the clock does, or until the thread changes',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const anna = await readerOf(keyOf('anna'));
        await readerOf(keyOf('bert'));
        const of = fresh();
        const filter = { latest: true, correlationId: [of.correlationId] };
        const { id } = await fired(of);
        let until: number | undefined;
        let resolved = false;
        let unread = true;
        for (const one of steps) {
          if (one.do === 'snooze') {
            until = clock.now + one.hours * HOUR;
            await responding.snooze({ ids: [id] }, { until, by: by('anna'), reader: anna });
          } else if (one.do === 'jump') {
            clock.advance(one.ms);
          } else if (one.do === 'read') {
            await inbox.mark({ ids: [id], wholeThreads: true }, true, anna);
            unread = false;
          } else {
            const status = one.do === 'resolve' ? 'resolved' : 'triggered';
            await fired({ ...of, status, priority: one.do === 'worse' ? 'critical' : 'high' });
            unread = true;
            until = one.do === 'resolve' ? undefined : until;
            resolved = one.do === 'resolve';
          }
          await responding.wake();
          const hidden = await store.list({ ...filter, snoozed: 'true' }, 10, undefined, anna.id);
          const shown = await store.list(filter, 10, undefined, anna.id);
          expect(hidden.notifications.length + shown.notifications.length).toBe(1);
          if (until !== undefined && until <= clock.now) {
            until = undefined;
            unread = true;
          }
          if (one.do !== 'worse' && until === undefined) {
            expect(shown.notifications, `${one.do} ${resolved}`).toHaveLength(1);
            expect(shown.notifications[0]!.thread.unread! > 0).toBe(unread);
          }
          until = hidden.notifications.length === 1 ? until : undefined;
          expect(hidden.notifications.length === 1 ? until! > clock.now : true).toBe(true);
          // Nobody else notices.
          const bert = await readerOf(keyOf('bert'));
          expect((await store.list(filter, 10, undefined, bert.id)).notifications).toHaveLength(1);
        }
      }),
      { numRuns: 25 }
    );
  }
);

it('a snooze that is due while its thread is in the trash ends when the thread is restored', async () => {
  const anna = await readerOf(keyOf('anna'));
  const of = fresh();
  const { id } = await fired(of);
  await responding.snooze({ ids: [id] }, { until: clock.now + SECOND, by: by('anna'), reader: anna });
  const { undo } = await inbox.remove({ ids: [id], wholeThreads: true }, null);
  clock.advance(SECOND);
  let calls = 0;
  const counted: typeof writes.submit = (write, args) => {
    calls += 1;
    if (calls > 3) {
      throw new Error('it writes again and again');
    }
    return writes.submit(write, args);
  };
  const counting = createResponding({ db, writes: { submit: counted }, selections, now: clock.read });
  await counting.wake();
  await inbox.restore(undo, null);
  await counting.wake();
  const { notifications } = await store.list(
    { latest: true, correlationId: [of.correlationId] },
    10,
    undefined,
    anna.id
  );
  expect(notifications).toMatchObject([{ id, thread: { returnedAt: new Date(clock.now).toISOString() } }]);
});
