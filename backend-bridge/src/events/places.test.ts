import { expect, it } from 'vitest';
import type { Person } from '../http/identity.ts';
import { HttpProblem } from '../http/problem.ts';
import { createPlaces } from './places.ts';

const person = (key: string, anonymous = false): Person => ({
  ...{ key, login: key, orgId: 1, role: 'Viewer', anonymous, verified: false },
});
const ANONYMOUS = person('org:1/anonymous', true);
const LIMITS = { inTotal: 6, ofPerson: 2, unidentified: 3 };

function refusal(take: () => unknown): HttpProblem {
  try {
    take();
  } catch (error) {
    expect(error).toBeInstanceOf(HttpProblem);
    return error as HttpProblem;
  }
  throw new Error('a place was given');
}

it('one person has a limited number, until one is given back', () => {
  const places = createPlaces(LIMITS);
  const release = places.take(person('anna'));
  places.take(person('anna'));
  const { status, headers, message } = refusal(() => places.take(person('anna')));
  expect([status, headers]).toEqual([503, { 'Retry-After': '30' }]);
  expect(message).toBe(
    'You have 2 event streams open, the maximum for one person. Poll GET /notifications until one is closed.'
  );
  places.take(person('bert'));
  release();
  places.take(person('anna'));
  expect(refusal(() => places.take(person('anna'))).status).toBe(503);
});

it('everybody without an identity has a limited number together', () => {
  const places = createPlaces(LIMITS);
  const release = places.take(undefined);
  places.take(ANONYMOUS);
  places.take(person('org:2/anonymous', true));
  for (const nobody of [undefined, ANONYMOUS]) {
    expect(refusal(() => places.take(nobody)).message).toMatch(/^3 event streams without an identity are open/);
  }
  places.take(person('anna'));
  release();
  places.take(ANONYMOUS);
});

it('all together have a limited number', () => {
  const places = createPlaces(LIMITS);
  ['a', 'a', 'b', 'b', 'c', 'c'].forEach((key) => places.take(person(key)));
  expect(refusal(() => places.take(person('d'))).message).toMatch(/^6 event streams are open, the maximum/);
});
