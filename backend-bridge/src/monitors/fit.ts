/** What is handed on to no monitor: it would refuse the endpoints of all packages because of the one. Pure. */
import type { EndpointDefinition } from '../validation/notifications/validateNotifications.ts';
import { secondsOf } from './definition.ts';

/** Far below what a duration of Go holds (292 years), and longer than any check of a node waits. */
const LONGEST_SECONDS = 7 * 86_400;
const MOST_CHECKS = 1000;

/** @returns why its interval or its numbers of checks are handed on to no monitor */
export function unfitTimes({ interval, alerts }: Pick<EndpointDefinition, 'interval' | 'alerts'>): string | undefined {
  if (secondsOf(interval) > LONGEST_SECONDS) {
    return `its interval (${interval?.slice(0, 40)}) is longer than 7 days.`;
  }
  const counts = alerts.flatMap(({ failureThreshold, successThreshold }) => [failureThreshold, successThreshold]);
  const unfit = counts.find((count) => !Number.isInteger(count) || count < 1 || count > MOST_CHECKS);
  return unfit === undefined
    ? undefined
    : `an alert of it counts ${unfit} checks, and 1 to ${MOST_CHECKS} are allowed.`;
}

/** How long the condition must fail before the first alert: from the first failing check to the one that Gatus would alert at. */
export function pendingSeconds({ interval, alerts }: Pick<EndpointDefinition, 'interval' | 'alerts'>): number {
  return (Math.max(1, alerts[0]?.failureThreshold ?? 1) - 1) * secondsOf(interval);
}

/** @returns why no rule can wait as long as it wants */
export function unfitWait(watch: Pick<EndpointDefinition, 'interval' | 'alerts'>): string | undefined {
  return pendingSeconds(watch) > LONGEST_SECONDS
    ? 'it alerts only after more than 7 days of failing checks.'
    : undefined;
}

/**
 * Whether Go builds a request for it (net/http NewRequest, net/url Parse), which is stricter than the URL of browsers: those
 * encode or drop what Go refuses.
 */
export function isGoUrl(url: string): boolean {
  if (!URL.canParse(url) || /[\0-\x1f\x7f]/.test(url)) {
    return false;
  }
  const [, authority = '', path = '', fragment = ''] = /^[a-z]+:\/\/([^/?#]*)([^?#]*)(?:\?[^#]*)?(.*)$/.exec(url) ?? [];
  return AUTHORITY.test(authority) && !STRAY_PERCENT.test(path) && !STRAY_PERCENT.test(fragment);
}

const AUTHORITY = /^(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:(?:[\w.-]|[^\0-\x7f])+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const STRAY_PERCENT = /%(?![\da-f]{2})/i;
