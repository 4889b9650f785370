import { describe, expect, test } from 'vitest';
import { HttpProblem } from '../http/problem.ts';
import { applySender } from './applySender.ts';

const payload = { title: 't', body: 'b' };
const limited = { id: 'x', name: 'x', packages: ['first.eth', 'second.eth'] };

describe('a token that is limited to packages', () => {
  test('fills in its first package', () => {
    expect(applySender(payload, limited)).toEqual({ ...payload, dnpName: 'first.eth' });
    expect(applySender({ ...payload, dnpName: 'unknown' }, limited)).toEqual({ ...payload, dnpName: 'first.eth' });
    expect(payload).toEqual({ title: 't', body: 'b' });
  });

  test.each(['first.eth', 'second.eth'])('sends for %s', (dnpName) => {
    expect(applySender({ ...payload, dnpName }, limited)).toEqual({ ...payload, dnpName });
  });

  test.each(['third.eth', 'FIRST.eth', 'first.eth ', 'sub.first.eth'])('does not send for %j', (dnpName) => {
    const refused = (() => {
      try {
        return applySender({ ...payload, dnpName }, limited);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(HttpProblem);
    expect(refused).toMatchObject({
      status: 403,
      errors: [{ pointer: '/dnpName', found: JSON.stringify(dnpName), allowed: '"first.eth", "second.eth"' }],
    });
  });
});

test.each([undefined, { id: 'any', name: 'any', packages: [] }])('%j changes nothing', (sender) => {
  expect(applySender(payload, sender)).toBe(payload);
  const named = { ...payload, dnpName: 'third.eth' };
  expect(applySender(named, sender)).toBe(named);
});
