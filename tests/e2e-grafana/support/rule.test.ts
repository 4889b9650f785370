import { expect, test } from 'vitest';
import { mathRule } from './rule.ts';

const rule = (firing: boolean) =>
  mathRule({ uid: 'e2e', title: 'E2E', folder: 'f', group: 'g', firing, contactPoint: 'grafana-default-email' });

test('it fires or does not by its expression alone', () => {
  const [firing, resting] = [rule(true), rule(false)].map(({ data }) => data[0]!.model.expression);
  expect([firing, resting]).toEqual(['2 + 3 > 1', '2 + 3 > 10']);
  expect({ ...rule(true), data: [] }).toEqual({ ...rule(false), data: [] });
});
