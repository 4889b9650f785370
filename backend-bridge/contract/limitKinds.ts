/** The form of a limit, and its units. */

/** A bound. */
export interface Limit {
  value: number;
  unit: 'bytes' | 'characters' | 'pixels' | 'items' | 'levels' | 'ms' | 'days';
  /** The object of the limit. */
  of: string;
  /** The consequence of exceeding it. */
  beyond: string;
}

const limit =
  (unit: Limit['unit']) =>
  (value: number, of: string, beyond: string): Limit => ({ value, unit, of, beyond });
export const bytes = limit('bytes');
export const characters = limit('characters');
export const pixels = limit('pixels');
export const items = limit('items');
export const levels = limit('levels');
export const ms = limit('ms');
export const days = limit('days');

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const BUSY = '503 with `Retry-After`';
export const OLDEST = 'the oldest are removed';
export const REJECTED = 'the file is rejected';
export const INVALID = '400, or an error in the file';
