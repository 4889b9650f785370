import { describe, expect, test } from 'vitest';
import { ALERT, type Changes, validateEndpoint, validateCustom, short } from './notificationsFile.testing.ts';

describe('conditions and metric', () => {
  test.each<[string, Changes, string[], number]>([
    ['no conditions', { conditions: undefined }, ['error conditions-shape /endpoints/0'], 0],
    [
      'conditions is a string',
      { conditions: '[STATUS] == 200' },
      ['error conditions-shape /endpoints/0/conditions'],
      0,
    ],
    ['a condition is a number', { conditions: [5] }, ['error conditions-shape /endpoints/0/conditions/0'], 0],
    [
      'an empty list',
      { conditions: [], alerts: [{ ...ALERT, description: 'x' }] },
      ['warning conditions-empty /endpoints/0/conditions'],
      1,
    ],
    [
      'two conditions',
      { conditions: ['[BODY].x <= 80', '[BODY].y == 200'] },
      ['note conditions-several /endpoints/0/conditions/1'],
      1,
    ],
    [
      'no operator',
      { conditions: ['[CONNECTED]'], metric: undefined, alerts: [{ ...ALERT, description: 'x' }] },
      ['warning condition-grammar /endpoints/0/conditions/0'],
      1,
    ],
    [
      'no number, no metric',
      { conditions: ['[BODY].x == false'], metric: undefined, alerts: [{ ...ALERT, description: 'x' }] },
      [],
      1,
    ],
    [
      'a metric without a number',
      { conditions: ['[BODY].x == false'], alerts: [{ ...ALERT, description: 'x' }] },
      ['warning condition-read-only /endpoints/0/conditions/0'],
      1,
    ],
    [
      'no number for the placeholder',
      { conditions: ['[BODY].x == false'], metric: undefined },
      ['warning condition-placeholder /endpoints/0/alerts/0/description'],
      1,
    ],
    ['decimals', { conditions: ['[BODY].x >= 1.75'] }, ['warning condition-reading /endpoints/0/conditions/0'], 1],
    [
      'below the range',
      { conditions: ['[BODY].x >= -1', '[STATUS] == 200'] },
      ['warning threshold-range /endpoints/0/conditions/0'],
      1,
    ],
    ['above the range', { conditions: ['[BODY].x >= 101'] }, ['warning threshold-range /endpoints/0/conditions/0'], 1],
    ['at the end of the range', { conditions: ['[BODY].x >= 100'] }, [], 1],
    ['a metric without max', { metric: { min: 0 } }, ['error metric-range /endpoints/0/metric'], 0],
    [
      'a metric with strings',
      { metric: { min: 'low', max: 9 } },
      ['error metric-range /endpoints/0/metric', 'warning member-type /endpoints/0/metric/min'],
      0,
    ],
    ['a metric with min above max', { metric: { min: 9, max: 1 } }, ['error metric-range /endpoints/0/metric'], 0],
    [
      'a metric with min equal to max',
      { metric: { min: 80, max: 80 } },
      ['warning metric-empty /endpoints/0/metric'],
      1,
    ],
  ])('%s', (_, changes, findings, endpoints) => {
    const validated = validateEndpoint(changes);
    expect(validated.findings.map(short)).toEqual(findings);
    expect(validated.endpoints).toHaveLength(endpoints);
  });
});

describe('custom endpoints', () => {
  test.each<[string, Changes, string[], object | undefined]>([
    [
      'treshold, as DAppNode spells it',
      { metric: { treshold: 5, min: 0, max: 10 } },
      [],
      { metric: { threshold: 5, min: 0, max: 10 } },
    ],
    [
      'threshold',
      { metric: { threshold: 5, min: 0, max: 10 } },
      ['warning metric-spelling /customEndpoints/0/metric/threshold'],
      { metric: { threshold: 5, min: 0, max: 10 } },
    ],
    [
      'both',
      { metric: { treshold: 5, threshold: 6, min: 0, max: 10 } },
      ['warning metric-spelling /customEndpoints/0/metric/threshold'],
      { metric: { threshold: 5, min: 0, max: 10 } },
    ],
    [
      'out of range',
      { metric: { treshold: 50, min: 0, max: 10 } },
      ['warning threshold-range /customEndpoints/0/metric/treshold'],
      {},
    ],
    [
      'without a threshold',
      { metric: { min: 0, max: 10 } },
      ['error metric-threshold /customEndpoints/0/metric'],
      undefined,
    ],
    ['without min and max', { metric: { treshold: 5 } }, ['error metric-range /customEndpoints/0/metric'], undefined],
    [
      'without correlationId',
      { correlationId: undefined },
      ['error correlation-id-missing /customEndpoints/0'],
      undefined,
    ],
    ['without description', { description: undefined }, ['warning member-missing /customEndpoints/0'], {}],
  ])('%s', (_, changes, findings, read) => {
    const validated = validateCustom(changes);
    expect(validated.findings.map(short)).toEqual(findings);
    expect(validated.customEndpoints).toEqual(read === undefined ? [] : [expect.objectContaining(read)]);
  });
});
