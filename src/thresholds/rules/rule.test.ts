import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import list from '../../../tests/fixtures/grafana-rules/list.json' with { type: 'json' };
import provisioned from '../../../tests/fixtures/grafana-rules/provisioned.json' with { type: 'json' };
import put from '../../../tests/fixtures/grafana-rules/put.json' with { type: 'json' };
import before from '../../../tests/fixtures/grafana-rules/rule.json' with { type: 'json' };
import after from '../../../tests/fixtures/grafana-rules/ruleAfter.json' with { type: 'json' };
import sibling from '../../../tests/fixtures/grafana-rules/siblingAfter.json' with { type: 'json' };
import { fileLine } from './fileLine';
import { searchRules } from './folders';

import { hasChanged, readRule, rulerRuleSchema, rulerSchema, rulesOf, ruleSeconds, withValues } from './rule';

const rules = rulesOf(rulerSchema.parse(list.body));
const read = (body: unknown) => readRule(rulerRuleSchema.parse(body), 'Nodes', 'memory');

describe('the rules of a recorded Grafana', () => {
  it('have their threshold, recovery threshold and reason for being read-only', () => {
    expect(
      rules.map(({ uid, folder, group, threshold, none, readOnly }) => ({
        uid,
        folder,
        group,
        threshold,
        none,
        readOnly,
      }))
    ).toEqual([
      {
        uid: 'mem-high',
        folder: 'Nodes',
        group: 'memory',
        threshold: {
          kind: 'threshold',
          operator: 'gt',
          params: [80],
          refId: 'C',
          input: 'B',
          recovery: [70],
          recoveryOperator: 'lt',
        },
      },
      {
        uid: 'mem-range',
        folder: 'Nodes',
        group: 'memory',
        threshold: {
          kind: 'classic',
          operator: 'outside_range',
          params: [10, 90],
          refId: 'B',
          input: 'A',
          reducer: 'avg',
        },
      },
      {
        uid: 'disk-full',
        folder: 'Provisioned',
        group: 'disk',
        threshold: { kind: 'threshold', operator: 'gt', params: [90], refId: 'C', input: 'B' },
        readOnly: 'file',
      },
    ]);
    expect(rules[0]).toMatchObject({ forSeconds: 300, keepFiringSeconds: 0, intervalSeconds: 60, version: 1 });
  });

  it('are found by title, folder and uid', () => {
    expect(searchRules(rules, 'MEMORY nodes').map(({ name, rules: found }) => [name, found.length])).toEqual([
      ['Nodes', 2],
    ]);
    expect(searchRules(rules, 'disk-full').map(({ name }) => name)).toEqual(['Provisioned']);
    expect(searchRules(rules, 'cpu')).toEqual([]);
  });
});

describe('writing a value', () => {
  it('sends what the recorded Grafana stored, and changes that one rule only', () => {
    const body = withValues(provisioned.body, { params: [85], recovery: [70] });
    const { updated: _, ...stored } = put.body;
    expect(body).toMatchObject(stored);
    expect(read(after.body).threshold?.params).toEqual([85]);
    expect(sibling.body.grafana_alert.version).toBe(1);
  });

  it('changes nothing else', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
    fc.assert(
      fc.property(number, number, (value, recovery) => {
        const body = withValues(provisioned.body, { params: [value], recovery: [recovery] });
        expect(withValues(body, { params: [80], recovery: [70] })).toEqual(provisioned.body);
        const model = (body['data'] as typeof provisioned.body.data)[2]?.model.conditions?.[0];
        expect(model).toEqual({
          evaluator: { type: 'gt', params: [value] },
          unloadEvaluator: { type: 'lt', params: [recovery] },
        });
      })
    );
  });

  it.each([
    ['another form of the condition', { params: [1, 2], recovery: [1] }],
    ['a recovery threshold that is gone', { params: [1] }],
    ['a value that is no number', { params: [Number.NaN], recovery: [1] }],
  ])('rejects %s', (_, values) => {
    expect(() => withValues(provisioned.body, values)).toThrow();
  });
});

describe('a change by another user', () => {
  it('is one of the content: the version alone also counts other rules of the group', () => {
    expect(hasChanged(read(before.body), read(after.body))).toBe(true);
    const renumbered = structuredClone(before.body);
    renumbered.grafana_alert.version = 7;
    renumbered.grafana_alert.updated = '2026-02-01T00:00:00Z';
    expect(hasChanged(read(before.body), read(renumbered))).toBe(false);
  });
});

describe('a rule without a slider', () => {
  const changed = (change: (alert: Record<string, unknown>) => void) => {
    const body = structuredClone(before.body) as { grafana_alert: Record<string, unknown> };
    change(body.grafana_alert);
    return read(body).none;
  };
  it.each([
    [
      'a recording rule',
      'recording',
      (alert: Record<string, unknown>) => (alert['record'] = { metric: 'a', from: 'A' }),
    ],
    ['a reduce expression as its condition', 'other', (alert: Record<string, unknown>) => (alert['condition'] = 'B')],
    ['no condition', 'other', (alert: Record<string, unknown>) => (alert['condition'] = 'Z')],
  ])('%s', (_, expected, change) => {
    expect(changed(change)).toBe(expected);
  });

  it('not one whose expressions have the uid of old versions', () => {
    const body = JSON.parse(JSON.stringify(before.body).replaceAll('__expr__', '-100')) as unknown;
    expect(read(body).threshold?.params).toEqual([80]);
  });

  it('several conditions', () => {
    const body = structuredClone(sibling.body) as unknown as {
      grafana_alert: { data: Array<{ model: { conditions?: unknown[] } }> };
    };
    const model = body.grafana_alert.data[1]?.model;
    model?.conditions?.push(model.conditions[0]);
    expect(read(body).none).toBe('several');
  });
});

it.each([
  ['5m', 300],
  ['1h30m', 5400],
  ['1d', 86_400],
  ['0s', 0],
  [undefined, 0],
])('%s has %d seconds', (text, expected) => {
  expect(ruleSeconds(text)).toBe(expected);
});

it('writes the line of a file', () => {
  const [rule] = rules;
  expect(rule?.threshold && fileLine(rule.threshold, { params: [85], recovery: [75] })).toBe(
    '- { evaluator: { type: gt, params: [85] }, unloadEvaluator: { type: lt, params: [75] } }'
  );
});
