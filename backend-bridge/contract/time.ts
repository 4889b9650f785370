/** Lengths of time in milliseconds, and as text, such as 30m or 2d. */
import { z } from 'zod';
import { durationSeconds } from './text.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A duration as text. @param units of time @param days the longest */
export const duration = (units: string, days: number, example: string) =>
  z
    .string({ error: `a duration such as ${example}` })
    .regex(new RegExp(`^[1-9]\\d{0,4}[${units}]$`), { error: `a duration such as ${example}` })
    .refine((given) => !(durationSeconds(given) * 1000 > days * DAY_MS), {
      error: `a duration of at most ${units.includes('d') ? `${days}d` : `${days * 24}h`}`,
    });
