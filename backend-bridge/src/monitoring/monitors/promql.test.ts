import { describe, expect, test } from 'vitest';
import { brokenQuery } from './promql.ts';
import { BROKEN, MISTYPED, WHOLE } from './promqlCases.testing.ts';

describe('a whole query', () => {
  test.each(WHOLE)('%s', (query) => expect(brokenQuery(query)).toBeUndefined());
});

describe('a broken one, with the reason and the place', () => {
  test.each(BROKEN)('%s', (query, reason) => expect(brokenQuery(query)).toContain(reason));
});

describe('one whose types do not fit, with the reason and the place', () => {
  test.each(MISTYPED)('%s', (query, reason) => expect(brokenQuery(query)).toContain(reason));
});
