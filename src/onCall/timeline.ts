/** Shifts as a timeline shows them. Pure; times are UTC milliseconds. */
import type { Schedules } from '@nodebell/contract/onCall.ts';

export type Schedule = Schedules['schedules'][number];

/** Who is on call from one time to another. */
export interface Piece {
  from: number;
  to: number;
  /** Logins; empty: nobody. */
  people: string[];
  /** Because of an override. */
  isOverride: boolean;
}

/** The shifts, cut where overrides begin and end. */
export function piecesOf({ shifts, overrides }: Pick<Schedule, 'shifts' | 'overrides'>): Piece[] {
  const spans = overrides.map(({ begins, ends }) => ({ from: Date.parse(begins), to: Date.parse(ends) }));
  return shifts.flatMap(({ people, ...shift }) => {
    const [start, end] = [Date.parse(shift.from), Date.parse(shift.to)];
    const cuts = spans.flatMap(({ from, to }) => [from, to]).filter((at) => at > start && at < end);
    const starts = [start, ...[...new Set(cuts)].sort((a, b) => a - b)];
    const pieces: Piece[] = [];
    for (const [index, from] of starts.entries()) {
      const isOverride = spans.some((one) => one.from <= from && from < one.to);
      const to = starts[index + 1] ?? end;
      const last = pieces.at(-1);
      if (last?.isOverride === isOverride) {
        last.to = to;
      } else {
        pieces.push({ from, to, people, isOverride });
      }
    }
    return pieces;
  });
}

/** A line of the timeline. */
export interface TimelineRow {
  /** Login; undefined: nobody is on call. */
  person: string | undefined;
  bars: Array<Pick<Piece, 'from' | 'to' | 'isOverride'>>;
}

/** A row for each person in the order of their shifts, and one for the gaps, if there are any. */
export function rowsOf(pieces: readonly Piece[]): TimelineRow[] {
  const rows = new Map<string | undefined, TimelineRow>();
  for (const { people, from, to, isOverride } of pieces) {
    for (const person of people.length === 0 ? [undefined] : people) {
      const row = rows.get(person) ?? { person, bars: [] };
      const last = row.bars.at(-1);
      if (last?.to === from && last.isOverride === isOverride) {
        last.to = to;
      } else {
        row.bars.push({ from, to, isOverride });
      }
      rows.set(person, row);
    }
  }
  const all = [...rows.values()];
  return [...all.filter(({ person }) => person !== undefined), ...all.filter(({ person }) => person === undefined)];
}

/** Who is on call at any time in a span, in the order of their shifts. */
export const peopleIn = ({ shifts }: Pick<Schedule, 'shifts'>, from: number, to: number): string[] => [
  ...new Set(shifts.flatMap((one) => (Date.parse(one.from) < to && Date.parse(one.to) > from ? one.people : []))),
];

/** Logins of schedules to which no notification can be sent. */
export function unreachableIn(
  { rotations, overrides, shifts }: Pick<Schedule, 'rotations' | 'overrides' | 'shifts'>,
  people: Schedules['people']
): string[] {
  const reachable = new Set(people.flatMap(({ login, reachable: is }) => (is ? login : [])));
  const named = [...[...rotations, ...shifts].flatMap((one) => one.people), ...overrides.map(({ person }) => person)];
  return [...new Set(named)].filter((login) => !reachable.has(login));
}
