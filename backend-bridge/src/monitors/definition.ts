/** What a definition of an endpoint means to any monitor. Pure. */
import { plain } from '../../contract/condition.ts';
import { durationSeconds } from '../../contract/text.ts';
import type { EndpointAlert } from '../validation/notifications/validateNotifications.ts';

/** Seconds between two checks: a number and one of s, m, h, d. @returns Gatus' own minute where none is given */
export function secondsOf(interval: string | undefined): number {
  return interval !== undefined && /^\d+[smhd]$/.test(interval) ? durationSeconds(interval) : 60;
}

/**
 * The text of an alert: `[CONDITION_VALUE]` stands for the threshold in effect, which no monitor knows of.
 * @param right of the first condition: for one that holds no number
 */
export function describeAlert(
  { description }: Pick<EndpointAlert, 'description'>,
  right: string | undefined,
  threshold: number | undefined
): string {
  const value = threshold === undefined ? (right ?? '') : plain(threshold);
  return description.replaceAll('[CONDITION_VALUE]', () => value);
}
