/** Removal in a real database, compared with a naive model. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PRIORITIES } from '../../../contract/notification.ts';
import { ageMs, firstRule, NEVER, type RetentionPolicy } from '../../../contract/retention.ts';
import { advance, EMPTY_THREAD, type ThreadSummary } from '../notifications/thread.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import { apply, HOUR, inconsistencies, openWorld } from './retention.testing.ts';

const CATEGORIES = ['a', 'b', 'c'];
const payload = fc.record({
  category: fc.constantFrom(...CATEGORIES),
  priority: fc.constantFrom(...PRIORITIES),
  correlationId: fc.constantFrom('1', '2', '3', '4'),
  isBanner: fc.boolean(),
  status: fc.constantFrom('triggered' as const, 'resolved' as const, 'resolved' as const, undefined),
  errors: fc.option(fc.constant('wrong'), { nil: undefined, freq: 8 }),
});
const step = fc.record({
  payloads: fc.array(payload, { minLength: 1, maxLength: 8 }),
  read: fc.array(fc.nat(7), { maxLength: 6 }),
  hours: fc.integer({ min: 0, max: 12 }),
});
const rule = fc.record(
  {
    olderThan: fc.constantFrom('1h', '5h', '12h', '1d', 'never'),
    categories: fc.subarray(CATEGORIES, { minLength: 1 }),
    priorities: fc.subarray([...PRIORITIES], { minLength: 1 }),
    read: fc.boolean(),
  },
  { requiredKeys: ['olderThan'] }
);
const policy = fc.record(
  { rules: fc.array(rule, { maxLength: 4 }), maxNotifications: fc.integer({ min: 1, max: 40 }) },
  { requiredKeys: ['rules'] }
);

interface ModelRow {
  row: NotificationRow;
  /** Milliseconds since it arrived, as far as an hourly mark shows. */
  age: number;
}

/** As docs/operate.md says, without windows, marks or SQL. */
function retained(rows: ModelRow[], { rules = [], maxNotifications = Infinity }: RetentionPolicy): number[] {
  let left = rows;
  const openThreads = (): Set<number> => {
    const threads = new Map<number, ThreadSummary>();
    left.forEach(({ row }) => threads.set(row.thread_id, advance(threads.get(row.thread_id) ?? EMPTY_THREAD, row)));
    return new Set([...threads].filter(([, { state }]) => state === 'open').map(([id]) => id));
  };
  const sweep = (goes: (one: ModelRow) => boolean, max: number): void => {
    const kept = openThreads();
    let removed = 0;
    left = left.filter((one) => {
      if (removed < max && !kept.has(one.row.thread_id) && goes(one)) {
        removed += 1;
        return false;
      }
      kept.add(one.row.thread_id);
      return true;
    });
  };
  const ruleOf = ({ row }: ModelRow) =>
    rules[
      firstRule(rules, {
        category: row.category,
        priority: PRIORITIES[row.priority]!,
        read: row.seen + row.muted + row.hidden > 0,
      })
    ];
  sweep((one) => {
    const own = ruleOf(one);
    return own !== undefined && one.age >= ageMs(own.olderThan);
  }, Infinity);
  sweep((one) => ruleOf(one)?.olderThan !== NEVER, Math.max(0, left.length - maxNotifications));
  return left.map(({ row }) => row.id);
}

it('keeps what a naive model keeps, and all counts are right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), policy, async (steps, wanted) => {
      const own = await openWorld();
      try {
        const arrivals = new Map<number, number>();
        for (const { payloads, read, hours } of steps) {
          const ids = await own.send(...payloads);
          ids.forEach((id) => arrivals.set(id, own.clock.elapsed));
          await own.read(...read.flatMap((index) => ids[index] ?? []));
          await own.pass(hours * HOUR);
        }
        const rows = await own.db.selectFrom('notifications').selectAll().orderBy('id').execute();
        // Arrivals after the mark of their hour count as arrived an hour later.
        const model = rows.map((row) => ({ row, age: own.clock.elapsed - HOUR - arrivals.get(row.id)! }));
        const expected = retained(model, wanted);
        const { removed } = await own.retention.preview(wanted);
        await apply(own, wanted);
        expect(await own.ids()).toEqual(expected);
        expect(await inconsistencies(own.db)).toEqual([]);
        if (wanted.maxNotifications === undefined) {
          expect(removed).toBe(rows.length - expected.length);
        }
      } finally {
        await own.close();
      }
    }),
    { numRuns: 15 }
  );
});
