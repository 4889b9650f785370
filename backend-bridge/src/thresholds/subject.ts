/** What a threshold is a threshold of, so that a number is never put in the place of another. Pure. */
import type { Condition } from '../../contract/condition.ts';

const DIRECTIONS: Readonly<Record<string, string>> = { '<': 'most', '<=': 'most', '>': 'least', '>=': 'least' };

/**
 * Two conditions with the same subject mean the same by a number: the same quantity, in the same unit, limited from the same
 * side. A package that puts its conditions in another order, or turns one round, has another subject.
 * @returns one text; of an endpoint that the package checks itself, the empty one
 */
export function subjectOf(condition: Condition | undefined): string {
  if (condition === undefined) {
    return '';
  }
  const { left, operator = '', number } = condition;
  return [left.replace(/\s+/g, ' '), DIRECTIONS[operator] ?? operator, number?.unit ?? ''].join('\n');
}

const SIGNS: Readonly<Record<string, string>> = { most: '<=', least: '>=' };

/** A subject as people write it: its condition, without the number. `[BODY].cpu <=`, `[RESPONSE_TIME] <= ms` */
export function writtenSubject(subject: string): string {
  const [left = '', limit = '', unit = ''] = subject.split('\n');
  return [left, SIGNS[limit] ?? limit, unit].filter((part) => part !== '').join(' ');
}

/** @returns undefined for what {@link writtenSubject} does not write */
export function readSubject(text: string): string | undefined {
  const [, left = '', sign = '', unit = ''] = /^(\S.*) ([<>]=?|[=!]=)(?: (\S+))?$/.exec(text.trim()) ?? [];
  return left === '' ? undefined : [left.replace(/\s+/g, ' ').trim(), DIRECTIONS[sign] ?? sign, unit].join('\n');
}
