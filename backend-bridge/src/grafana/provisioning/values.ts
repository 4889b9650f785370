/**
 * Single values as Grafana reads them from its provisioning files: scalars are taken for text, and `$NAME` can stand for any of
 * them. Pure.
 */
import { z } from 'zod';

/** Whether an environment variable of Grafana may still change what it is. */
export const isVariable = (value: unknown): value is string => typeof value === 'string' && /\$(?!\$)/.test(value);

type Scalar = string | number | boolean;

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const isWhole = (value: unknown): boolean => Number.isInteger(value) || (isText(value) && /^\d+$/.test(value));
const isText = (value: unknown): value is string => typeof value === 'string';

/** @param allowed completes "must be …" */
const value = (allowed: string, fits: (value: unknown) => boolean): z.ZodType<Scalar> =>
  z.custom<Scalar>((given) => isVariable(given) || fits(given), { message: allowed });

export const text = value('text', isScalar);
export const name = value('text that is not empty', (given) => isScalar(given) && String(given).trim() !== '');
export const whole = value('a whole number', isWhole);
export const yesNo = value('true or false', (given) => typeof given === 'boolean');
export const texts = z.record(z.string(), text);
export const anything = z.record(z.string(), z.unknown());

/** At most 40 letters, digits, `-` and `_`: longer ones and others are refused by Grafana. */
export const uid = value(
  'a uid: at most 40 letters, digits, hyphens and underscores',
  (given) => isScalar(given) && /^[\w-]{1,40}$/.test(String(given))
);

const DURATION = /^(?=\d)(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$/;
/** Prometheus' durations. */
export const duration = value(
  'a duration such as 30s, 5m or 1h30m',
  (given) => given === 0 || (isText(given) && (given === '0' || DURATION.test(given)))
);

export const word = (...words: string[]) =>
  value(`one of ${words.map((one) => JSON.stringify(one)).join(', ')}`, (given) => words.includes(String(given)));

const UNITS: Record<string, number> = { y: 31_536_000, w: 604_800, d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001 };

/** @returns the seconds of a duration that was found to be one; undefined for a variable */
export function secondsOf(given: unknown): number | undefined {
  if (isVariable(given)) {
    return undefined;
  }
  const parts = String(given).matchAll(/(\d+)(ms|[ywdhms])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit!] ?? 0), 0);
}
