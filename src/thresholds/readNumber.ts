/** What somebody typed into the field of a threshold. Pure. */
import { plain } from '@nodebell/contract/condition.ts';
import { amount } from './words';

interface Range {
  min: number;
  max: number;
  unit?: string | undefined;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads a number as it is typed. The unit may stand behind it. A comma is refused rather than guessed at: it separates
 * thousands here and decimals there.
 * @returns the number, or why it is none that can be set: a sentence
 */
export function readNumber(typed: string, { min, max, unit }: Range): number | string {
  const text = typed.trim().replace('−', '-');
  const bare = unit && text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text;
  if (bare === '') {
    return 'A number is needed.';
  }
  if (!NUMBER.test(bare)) {
    return bare.includes(',') ? 'Write decimals with a point, and thousands without a comma.' : 'This is not a number.';
  }
  const value = Number(bare);
  return value >= min && value <= max ? value : `It must be between ${plain(min)} and ${amount(max, unit)}.`;
}
