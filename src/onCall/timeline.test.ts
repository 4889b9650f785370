import fc from 'fast-check';
import { expect, test } from 'vitest';
import { peopleIn, piecesOf, rowsOf, type Schedule, unreachableIn } from './timeline';

const HOUR = 3_600_000;
const iso = (hour: number): string => new Date(hour * HOUR).toISOString();
const shift = (from: number, to: number, ...people: string[]) => ({ from: iso(from), to: iso(to), people });
const override = (person: string, begins: number, ends: number): Schedule['overrides'][number] => ({
  ...{ person, begins: iso(begins), ends: iso(ends) },
  ...{ from: '2026-01-05T09:00', to: '2026-01-06T09:00' },
});

test('a row for each person in the order of their shifts, and one for gaps', () => {
  const shifts = [shift(0, 4, 'ada'), shift(4, 6), shift(6, 8, 'bob', 'ada'), shift(8, 9, 'bob')];
  const rows = rowsOf(piecesOf({ shifts, overrides: [] }));
  const bar = (from: number, to: number) => ({ from: from * HOUR, to: to * HOUR, isOverride: false });
  expect(rows).toEqual([
    { person: 'ada', bars: [bar(0, 4), bar(6, 8)] },
    { person: 'bob', bars: [bar(6, 9)] },
    { person: undefined, bars: [bar(4, 6)] },
  ]);
});

test('an override by whoever is on call anyway is a piece of its own; one that began before or ends later is cut', () => {
  const shifts = [shift(0, 10, 'ada'), shift(10, 12, 'bob')];
  const pieces = piecesOf({
    shifts,
    overrides: [override('ada', 2, 3), override('ada', 3, 4), override('bob', 10, 20)],
  });
  expect(pieces.map(({ from, to, people, isOverride }) => [from / HOUR, to / HOUR, people.join(), isOverride])).toEqual(
    [
      [0, 2, 'ada', false],
      [2, 4, 'ada', true],
      [4, 10, 'ada', false],
      [10, 12, 'bob', true],
    ]
  );
});

test('pieces cover the shifts without holes, with the people of the shifts', () => {
  const hour = fc.integer({ min: 0, max: 40 });
  const given = fc.record({
    cuts: fc.uniqueArray(hour, { minLength: 2, maxLength: 8 }).map((list) => list.sort((a, b) => a - b)),
    spans: fc.array(
      fc.tuple(hour, hour).filter(([a, b]) => a < b),
      { maxLength: 4 }
    ),
  });
  fc.assert(
    fc.property(given, ({ cuts, spans }) => {
      const shifts = cuts.slice(1).map((to, index) => shift(cuts[index]!, to, `p${index}`));
      const pieces = piecesOf({ shifts, overrides: spans.map(([a, b]) => override('x', a, b)) });
      for (let at = cuts[0]!; at < cuts.at(-1)!; at += 1) {
        const found = pieces.filter(({ from, to }) => from / HOUR <= at && at < to / HOUR);
        const index = cuts.findLastIndex((cut) => cut <= at);
        expect(found.map(({ people, isOverride }) => [people.join(), isOverride])).toEqual([
          [`p${index}`, spans.some(([a, b]) => a <= at && at < b)],
        ]);
      }
    })
  );
});

test('who is replaced, and whom no channel reaches', () => {
  const shifts = [shift(0, 4, 'ada'), shift(4, 6), shift(6, 8, 'bob', 'ada'), shift(8, 9, 'cleo')];
  expect(peopleIn({ shifts }, 3 * HOUR, 8 * HOUR)).toEqual(['ada', 'bob']);
  expect(peopleIn({ shifts }, 4 * HOUR, 6 * HOUR)).toEqual([]);
  expect(peopleIn({ shifts }, NaN, 6 * HOUR)).toEqual([]);
  const rotations = [{ people: ['ada', 'bob', 'ada'], every: '1w', from: '2026-01-05T09:00' }];
  const person = (login: string, reachable: boolean) => ({ login, channels: ['a'], file: 'a.yaml', reachable });
  const people = [person('ada', true), person('bob', false)];
  expect(unreachableIn({ rotations, overrides: [override('cleo', 0, 1)], shifts: [] }, people)).toEqual([
    'bob',
    'cleo',
  ]);
});
