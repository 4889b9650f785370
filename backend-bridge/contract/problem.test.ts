import { expect, it } from 'vitest';
import { z } from 'zod';
import { toProblemErrors } from './problem.ts';
import { deleteBodySchema } from './query.ts';
import { importBodySchema } from './settings.ts';

it.each([
  [z.iso.datetime({ offset: true }), 'tomorrow', 'an ISO 8601 date-time such as 2026-11-23T08:00:00Z'],
  [z.iso.date(), '2026-02-30', 'a date such as 2026-11-23'],
  [z.number(), 'x', 'a number'],
])('an error says what is allowed, not what is invalid', (schema, found, allowed) => {
  const { error } = schema.safeParse(found);
  expect(toProblemErrors(error!, found)).toMatchObject([{ allowed, detail: expect.stringContaining(allowed) }]);
});

it.each<[object, string, string]>([
  [{ ids: ['a'] }, '/ids/0', 'a number'],
  [{ ids: [] }, '/ids', 'not shorter than 1'],
  [{ filter: 5 }, '/filter', 'an object'],
  [{ ids: [1], filter: {} }, '#', '"ids" or "filter"'],
  [{}, '#', '"ids" or "filter"'],
])('errors in the members of one of several objects are where they are: %j', (body, pointer, allowed) => {
  const { error } = deleteBodySchema.safeParse(body);
  expect(toProblemErrors(error!, body)).toMatchObject([{ pointer, allowed: expect.stringContaining(allowed) }]);
});

it('one of several types is named by all of them', () => {
  const { error } = importBodySchema.safeParse({ settings: 5 });
  expect(toProblemErrors(error!, { settings: 5 })).toMatchObject([
    { pointer: '/settings', allowed: 'text or an object' },
  ]);
});
