import { describe, expect, test } from 'vitest';
import { readCondition } from '../../../contract/condition.ts';
import { short, validateEndpoint } from './notificationsFile.testing.ts';
import { holdUnreachable } from './unreachable.ts';

const holds = (...conditions: string[]): boolean => holdUnreachable(conditions.map(readCondition));

test.each([
  ['[RESPONSE_TIME] < 2000'],
  ['[RESPONSE_TIME] <= 2s'],
  ['[STATUS] < 400'],
  ['[STATUS] != 500'],
  ['[STATUS] == any(0, 200)'],
  ['[CONNECTED] == false'],
  ['[BODY].data.result[0].value[1] <= 80'],
  ['[BODY].result < 0x10'],
  ['[BODY].status != down'],
  ['[BODY] != error'],
  ['[BODY] == pat(*)'],
  ['len([BODY].errors) == 0'],
  ['has([BODY].error) == false'],
])('%s holds without a response', (condition) => expect(holds(condition)).toBe(true));

test.each([
  ['[STATUS] == 200'],
  ['[STATUS] < 0'],
  ['[STATUS] >= 200'],
  ['[CONNECTED] == true'],
  ['[RESPONSE_TIME] > 10'],
  ['[BODY].result >= 10'],
  ['[BODY].result == false'],
  ['[BODY].data.is_syncing == false'],
  ['[BODY].status == pat(ok*)'],
  ['[CERTIFICATE_EXPIRATION] > 48h'],
  ['[DOMAIN_EXPIRATION] > 720h'],
  ['[BODY].items[*].ok != false'],
  ['not a condition'],
])('%s does not', (condition) => expect(holds(condition)).toBe(false));

describe('the finding', () => {
  const found = (...conditions: string[]): string[] => validateEndpoint({ conditions }).findings.map(short);
  test('names the condition to add', () => {
    const { findings } = validateEndpoint({ metric: undefined, conditions: ['[RESPONSE_TIME] < 2000'] });
    expect(findings.map(short)).toContain('warning conditions-unreachable /endpoints/0/conditions');
    expect(findings.find(({ rule }) => rule === 'conditions-unreachable')?.detail).toContain('[CONNECTED] == true');
  });
  test('is gone with it, and it is not a second threshold', () => {
    expect(found('[RESPONSE_TIME] < 2000', '[CONNECTED] == true')).not.toContain(
      'warning conditions-unreachable /endpoints/0/conditions'
    );
    expect(found('[BODY].a <= 80', '[STATUS] == 200')).toEqual([]);
    expect(found('[BODY].a <= 80', '[STATUS] == 200', '[BODY].b <= 5')).toEqual([
      'note conditions-several /endpoints/0/conditions/2',
    ]);
  });
});
