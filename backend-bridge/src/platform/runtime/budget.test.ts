import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';

test('a budget takes up to its limit, and what was released can be taken again', () => {
  const budget = createBudget(10);
  expect([budget.take(6), budget.take(5), budget.used]).toEqual([true, false, 6]);
  expect([budget.take(4), budget.used]).toEqual([true, 10]);
  budget.release(6);
  expect([budget.used, budget.take(7), budget.take(6), budget.used]).toEqual([4, false, true, 10]);
});

test('a size above the limit is never taken', () => {
  expect(createBudget(10).take(11)).toBe(false);
});
