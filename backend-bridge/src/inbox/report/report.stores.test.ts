/** The report in a real store, compared with a naive model of all that was received. */
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { type Report, type ReportBy, type ReportFigures, weekOf } from '../../../contract/report.ts';
import { setCategory } from '../categories/writes.ts';
import { purge, remove } from '../notifications/deletions.ts';
import '../../arrivals.ts';
import { receive } from '../notifications/receiveRows.ts';
import { advance, EMPTY_THREAD } from '../notifications/thread.ts';
import { HOUR, openWorld, START, type World } from '../retention/retention.testing.ts';
import { acknowledge } from '../respond/acknowledging.ts';
import { addComment } from '../respond/writes.ts';
import type { ActivityRow, NotificationRow } from '../../platform/storage/schema.ts';
import { ruleOf } from './kinds.ts';
import { catchUp } from './roller.ts';
import { type ReportQuery, reportOf } from './store.ts';
import { countForReport } from './writes.ts';

const ANNA = { kind: 'user', name: 'anna', key: 'anna' } as const;
const LAST = weekOf(START) + 2;

const arrival = fc.record({
  thread: fc.constantFrom('1', '2', '3'),
  category: fc.constantFrom('a', 'b', 'muted'),
  rule: fc.constantFrom('Disk full', 'Load', undefined),
  status: fc.constantFrom('triggered' as const, 'triggered' as const, 'resolved' as const, undefined),
  errors: fc.option(fc.constant('wrong'), { nil: undefined, freq: 8 }),
  byHand: fc.boolean(),
});
const step = fc.record({
  arrivals: fc.array(arrival, { minLength: 1, maxLength: 6 }),
  act: fc.constantFrom('acknowledge', 'comment', undefined, undefined),
  minutes: fc.constantFrom(1, 20, 59, 60, 61, 600, 5000),
  count: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play({ writes, clock }: World, { arrivals, act, minutes, count }: Step): Promise<void> {
  clock.wall += minutes * 60_000 - 30_000;
  const incoming = arrivals.map(({ thread, rule, byHand, ...rest }) => ({
    payload: { title: 'T', body: 'B', correlationId: thread, dnpName: 'p', ...rest },
    source: rest.status === 'resolved' && byHand ? ('admin' as const) : ('grafana' as const),
    ...(rule && { extra: { alert: { labels: { alertname: rule } } } }),
  }));
  const rows = await writes.submit(receive, { incoming, now: clock.wall });
  clock.wall += 30_000;
  if (act === 'acknowledge') {
    await writes.submit(acknowledge, { ids: [rows[0]!.id], acknowledged: true, by: ANNA, now: clock.wall });
  } else if (act === 'comment') {
    await writes.submit(addComment, { id: rows[0]!.id, text: 'on it', by: ANNA, now: clock.wall });
  }
  if (count !== undefined) {
    await writes.submit(countForReport, { step: count });
  }
}

type Sums = Omit<ReportFigures, 'timeToAcknowledge' | 'timeToResolve'> & { acknowledgeMs: number; openMs: number };

/** An alert of a thread, from firing to its end; `closed` is undefined while it is open. */
interface Alert {
  fired: NotificationRow;
  flapping: boolean;
  closed?: NotificationRow;
}

/** The alerts of a thread, by its states. */
function alertsOf(members: readonly NotificationRow[]): Alert[] {
  const alerts: Alert[] = [];
  let [state, closedTs] = [EMPTY_THREAD, -Infinity];
  let current: Alert | undefined;
  for (const row of members.filter((one) => one.hidden === 0 && !(one.muted === 1 && one.status !== 'resolved'))) {
    const after = advance(state, { ...row, muted: 0 });
    if (after.state !== state.state) {
      if (after.state === 'open') {
        current = { fired: row, flapping: row.ts - closedTs < HOUR };
        alerts.push(current);
        closedTs = -Infinity;
      } else if (state.state === 'open' && after.state === 'resolved') {
        current!.closed = row;
        closedTs = row.ts;
      } else if (state.state === 'open') {
        // It became an event: it is neither open nor resolved.
        current!.closed = current!.fired;
      }
    }
    state = after;
  }
  return alerts;
}

/** The figures by kind, from all rows, thread by thread: no slices, no sums. */
async function naive({ db }: World, by: ReportBy, weeks: readonly number[]): Promise<Map<string, ReportFigures>> {
  const rows = await db.selectFrom('notifications').selectAll().orderBy('id').execute();
  const acts = await db.selectFrom('timeline').selectAll().orderBy('id').execute();
  const all = new Map<string, Sums>();
  const of = (row: NotificationRow): Sums => {
    const key = by === 'category' ? row.category : `${row.source} ${ruleOf(row.extra)} ${row.category}`;
    const sums = all.get(key) ?? { ...NOTHING };
    all.set(key, sums);
    return sums;
  };
  const within = ({ ts }: NotificationRow): boolean => weeks.includes(weekOf(ts));
  for (const row of rows.filter((one) => within(one) && one.hidden + one.muted === 0 && one.source !== 'admin')) {
    add(of(row), { notifications: 1 });
  }
  const threads = [...Map.groupBy(rows, (row) => row.thread_id)];
  for (const { fired, closed, flapping } of threads.flatMap(([, members]) => alertsOf(members))) {
    if (within(fired)) {
      add(of(fired), { fired: 1, flapping: flapping ? 1 : 0 });
    }
    if (!closed) {
      const since = new Date(fired.ts).toISOString();
      const sums = of(fired);
      sums.open += 1;
      sums.openSince = sums.openSince !== null && sums.openSince < since ? sums.openSince : since;
    } else if (closed !== fired && within(closed)) {
      const own = acts.filter(
        (act) => act.thread_id === fired.thread_id && act.ts >= fired.ts && act.ts <= closed.ts && act.kind !== 'ended'
      );
      addResolved(of(fired), fired, closed, own);
    }
  }
  return new Map([...all].map(([key, sums]) => [key, toFigures(sums)]));
}

function addResolved(to: Sums, fired: NotificationRow, closed: NotificationRow, acts: readonly ActivityRow[]): void {
  const first = acts.find(({ kind }) => kind === 'acknowledged');
  add(to, {
    resolved: 1,
    openMs: closed.ts - fired.ts,
    notActedOn: acts.length === 0 && closed.source !== 'admin' ? 1 : 0,
    acknowledged: first ? 1 : 0,
    acknowledgeMs: first ? first.ts - fired.ts : 0,
  });
  to.longestOpenSeconds = Math.max(to.longestOpenSeconds, Math.round((closed.ts - fired.ts) / 1000));
}

const NOTHING: Sums = {
  notifications: 0,
  fired: 0,
  flapping: 0,
  resolved: 0,
  notActedOn: 0,
  acknowledged: 0,
  acknowledgeMs: 0,
  openMs: 0,
  openSeconds: 0,
  longestOpenSeconds: 0,
  open: 0,
  openSince: null,
};

function add(to: Sums, more: Partial<Record<keyof Sums, number>>): void {
  Object.entries(more).forEach(([name, n]) => ((to as unknown as Record<string, number>)[name]! += n));
}

const toFigures = ({ acknowledgeMs, openMs, ...sums }: Sums): ReportFigures => ({
  ...sums,
  openSeconds: Math.round(openMs / 1000),
  timeToAcknowledge: sums.acknowledged === 0 ? null : Math.round(acknowledgeMs / sums.acknowledged / 1000),
  timeToResolve: sums.resolved === 0 ? null : Math.round(openMs / sums.resolved / 1000),
});

const byKey = ({ rows }: Report, by: ReportBy): Map<string, ReportFigures> =>
  new Map(
    rows.map(({ source, rule, dnpName: _package, category, trend: _trend, last: _last, ...figures }) => [
      by === 'category' ? category! : `${source} ${rule} ${category}`,
      figures,
    ])
  );

const sortedOf = (map: Map<string, ReportFigures>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function open(): Promise<World> {
  const world = await openWorld();
  await world.writes.submit(setCategory, { category: 'muted', enabled: false, by: ANNA, now: START });
  return world;
}

async function reportAt(world: World, query: ReportQuery): Promise<Report> {
  await catchUp(world);
  return reportOf(world.db, query);
}
const QUERY = { sort: 'notifications', limit: 1000, withOpen: true } as const;

it('has the figures of a naive model, whatever the steps in which it counts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const world = await open();
      try {
        for (const one of steps) {
          await play(world, one);
        }
        for (const by of ['rule', 'category'] as const) {
          const range = { first: LAST - 20, last: LAST + 20 };
          const report = await reportAt(world, { ...QUERY, by, ...range });
          const weeks = Array.from({ length: 41 }, (_, index) => range.first + index);
          expect(report.behind).toBe(0);
          expect(sortedOf(byKey(report, by))).toEqual(sortedOf(await naive(world, by, weeks)));
          expect(report.total.notifications).toBe(report.rows.reduce((sum, row) => sum + row.notifications, 0));
        }
        const week = weekOf(world.clock.wall);
        const one = await reportAt(world, { ...QUERY, by: 'rule', first: week, last: week });
        expect(sortedOf(byKey(one, 'rule'))).toEqual(sortedOf(await naive(world, 'rule', [week])));
        expect(one.total.trend.at(-1)).toBe(one.total.notifications);
      } finally {
        await world.close();
      }
    }),
    { numRuns: 12 }
  );
});

const fires = { title: 'T', body: 'B', dnpName: 'p', category: 'a' } as const;

it('keeps its weeks when notifications are removed, up to its limit', async () => {
  const world = await open();
  onTestFinished(() => world.close());
  await world.send({ ...fires, correlationId: '1', status: 'triggered' });
  await world.pass(HOUR);
  await world.send({ ...fires, correlationId: '1', status: 'resolved' });
  const week = weekOf(START);
  const read = () => reportAt(world, { ...QUERY, by: 'package', first: week, last: week });
  const before = await read();
  expect(before.rows).toMatchObject([{ dnpName: 'p', notifications: 2, fired: 1, resolved: 1, notActedOn: 1 }]);
  expect(before.rows[0]).toMatchObject({ timeToResolve: 3600, longestOpenSeconds: 3600, open: 0 });
  await world.retention.set({ rules: [{ olderThan: '1h' }] }, ANNA);
  await world.pass(3 * HOUR);
  await world.retention.run();
  expect(await world.ids()).toEqual([]);
  expect(await read()).toEqual(before);
  await world.pass((LIMITS.reportWeeks.value - 1) * 7 * 24 * HOUR);
  expect(await read()).toEqual(before);
  await world.pass(7 * 24 * HOUR + HOUR);
  expect((await read()).rows).toEqual([]);
});

it('an alert whose thread was deleted is no longer open', async () => {
  const world = await open();
  onTestFinished(() => world.close());
  await world.send({ ...fires, correlationId: '1', status: 'triggered' });
  const week = weekOf(START);
  const read = () => reportAt(world, { ...QUERY, by: 'package', first: week, last: week });
  expect(await read()).toMatchObject({ rows: [{ open: 1, openSince: new Date(START).toISOString() }] });
  const deletion = { ids: [1], deletion: 'd', expiresTs: 2 };
  await world.writes.submit(remove, deletion);
  await world.writes.submit(purge, { now: 2, limit: 10 });
  await world.pass(2 * HOUR);
  expect(await read()).toMatchObject({ rows: [{ open: 0, openSince: null, fired: 1, resolved: 0 }] });
});

it('counts combinations beyond the limit under their source', async () => {
  const world = await open();
  onTestFinished(() => world.close());
  const many = Array.from({ length: LIMITS.reportKinds.value + 3 }, (_, n) => ({ ...fires, dnpName: `p${n}` }));
  await world.send(...many);
  const { db, writes } = world;
  while ((await writes.submit(countForReport, {})).more);
  const kinds = await db.selectFrom('report_kinds').select('id').execute();
  expect(kinds).toHaveLength(LIMITS.reportKinds.value + 1);
  const week = weekOf(START);
  const report = await reportAt(world, { ...QUERY, by: 'package', first: week, last: week, limit: 10 });
  expect(report.rows[0]).toMatchObject({ dnpName: '', notifications: 3 });
  expect(report.more).toBe(kinds.length - 10);
  expect(report.total.notifications).toBe(many.length);
});
