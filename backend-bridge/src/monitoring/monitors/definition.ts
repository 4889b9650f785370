/** Checks and values of an endpoint's definition that all monitors share. Pure. */
import { plain } from '../../../contract/condition.ts';
import { durationSeconds } from '../../../contract/text.ts';
import type { EndpointAlert, EndpointDefinition } from '../../validation/notifications/validateNotifications.ts';

/** Far below the limit of a Go duration (292 years). */
const MAX_SECONDS = 7 * 86_400;
const MAX_CHECKS = 1000;

type Times = Pick<EndpointDefinition, 'interval' | 'alerts'>;

/** @param interval a number and one of s, m, h, d @returns seconds; 60, the default of Gatus, if it is missing */
export function secondsOf(interval: string | undefined): number {
  return interval !== undefined && /^\d+[smhd]$/.test(interval) ? durationSeconds(interval) : 60;
}

/**
 * The description of an alert, with `[CONDITION_VALUE]` replaced by the threshold.
 * @param right operand of the first condition, used if that is not a number
 */
export function describeAlert(
  { description }: Pick<EndpointAlert, 'description'>,
  right: string | undefined,
  threshold: number | undefined
): string {
  const value = threshold === undefined ? (right ?? '') : plain(threshold);
  return description.replaceAll('[CONDITION_VALUE]', () => value);
}

/** @returns why its interval or the number of checks of an alert is not supported: monitors would reject the whole file */
export function unsupportedTimes({ interval, alerts }: Times): string | undefined {
  if (secondsOf(interval) > MAX_SECONDS) {
    return `its interval (${interval?.slice(0, 40)}) is longer than 7 days.`;
  }
  const counts = alerts.flatMap(({ failureThreshold, successThreshold }) => [failureThreshold, successThreshold]);
  const invalid = counts.find((count) => !Number.isInteger(count) || count < 1 || count > MAX_CHECKS);
  return invalid === undefined
    ? undefined
    : `one of its alerts counts ${invalid} checks; 1 to ${MAX_CHECKS} are allowed.`;
}

/** Seconds that the condition must fail before the first alert: from the first failed check to the one at which Gatus alerts. */
export function pendingSeconds({ interval, alerts }: Times): number {
  return (Math.max(1, alerts[0]?.failureThreshold ?? 1) - 1) * secondsOf(interval);
}

/** @returns why a rule cannot wait that long */
export function unsupportedWait(times: Times): string | undefined {
  return pendingSeconds(times) > MAX_SECONDS ? 'it alerts after more than 7 days of failed checks.' : undefined;
}

/** Whether Go accepts the URL in a request (net/http NewRequest, net/url Parse): it rejects what browsers encode or drop. */
export function isGoUrl(url: string): boolean {
  if (!URL.canParse(url) || /[\0-\x1f\x7f]/.test(url)) {
    return false;
  }
  const [, authority = '', path = '', fragment = ''] = /^[a-z]+:\/\/([^/?#]*)([^?#]*)(?:\?[^#]*)?(.*)$/.exec(url) ?? [];
  return AUTHORITY.test(authority) && !STRAY_PERCENT.test(path) && !STRAY_PERCENT.test(fragment);
}

const AUTHORITY = /^(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:(?:[\w.-]|[^\0-\x7f])+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const STRAY_PERCENT = /%(?![\da-f]{2})/i;
