/** Messages about the history of a value. */
import type { EndpointHistory } from '@nodebell/contract/history.ts';
import { DAY_MS } from '@nodebell/contract/time.ts';
import { t } from '../i18n/t';
import { duration } from '../components/time';
import { amount } from './messages';
const COUNTED_DAYS = 7;

/** Tolerance for a full week: the first sample can be slightly younger than seven days. */
const ALMOST_MS = 3_600_000;

/** "Would have alerted 3 times in the last 7 days." */
export function firedMessage({
  fired,
  countedFrom,
  to,
}: Pick<EndpointHistory, 'fired' | 'countedFrom' | 'to'>): string {
  const length = countedFrom === undefined ? 0 : Date.parse(to) - Date.parse(countedFrom);
  if (length >= COUNTED_DAYS * DAY_MS - ALMOST_MS) {
    return fired === 0
      ? t('thresholds.fired.never', 'Would not have alerted in the last 7 days.')
      : t('thresholds.fired.times', '', {
          count: fired,
          defaultValue_one: 'Would have alerted once in the last 7 days.',
          defaultValue_other: 'Would have alerted {{count, number}} times in the last 7 days.',
        });
  }
  const time = duration(length);
  return fired === 0
    ? t('thresholds.fired.never-since', 'Would not have alerted in the last {{time}} (no older data).', {
        time,
      })
    : t('thresholds.fired.times-since', '', {
        count: fired,
        time,
        defaultValue_one: 'Would have alerted once in the last {{time}} (no older data).',
        defaultValue_other: 'Would have alerted {{count, number}} times in the last {{time}} (no older data).',
      });
}

/** "Last 24 hours: 12 % to 91 %, latest 34 %." */
export function rangeMessage({ samples }: Pick<EndpointHistory, 'samples'>, unit: string | undefined): string {
  const values = samples.map(([, value]) => value);
  const last = values.at(-1);
  if (last === undefined) {
    return t('thresholds.range.none', 'No data in the last 24 hours.');
  }
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => amount(rounded(value), unit));
  return least === most
    ? t('thresholds.range.always', 'Last 24 hours: always {{value}}.', { value: least })
    : t('thresholds.range.range', 'Last 24 hours: {{least}} to {{most}}, latest {{last}}.', {
        least,
        most,
        last: amount(rounded(last), unit),
      });
}

/** Rounds to four significant digits, as averages have many decimals. */
export function rounded(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
}
