/** The language in use, and its number and date formats. */

/**
 * Grafana defaults to "en-US" worldwide. British formats write the month as a word and use the 24-hour clock, which is
 * unambiguous everywhere. Every other language is used as is.
 */
const ENGLISH = 'en-GB';

let language = ENGLISH;

/** @param chosen language of the Grafana user, such as "de-DE" */
export function setLanguage(chosen: string): void {
  language = chosen === 'en-US' ? ENGLISH : chosen;
}

export const locale = (): string => language;

/** Whether texts are shown in English, so that messages of the bridge, which are in English, can be shown as they are. */
export const isEnglish = (): boolean => language.startsWith('en');

/** Cached: creating a format is slow, using it is not. */
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

/** "1,200.5", "1.200,5". */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = numbers.get(key) ?? new Intl.NumberFormat(language, options);
  numbers.set(key, format);
  return format.format(value);
}

/** "." or ",". */
export const decimalSign = (): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/**
 * Formats a point in time; "" if it is invalid.
 * @param moment ISO 8601, or UTC milliseconds
 * @param zone as in Grafana's preferences: "browser", "utc" or an IANA name
 */
export function formatMoment(moment: string | number, options: Intl.DateTimeFormatOptions, zone = 'browser'): string {
  const key = `${language} ${zone} ${JSON.stringify(options)}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(language, { ...options, ...timeZone(zone) });
  dates.set(key, format);
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : format.format(date);
}

/** Maps Grafana's time zone names to those of Intl. */
function timeZone(zone: string): { timeZone?: string } {
  if (zone === 'browser' || zone === '') {
    return {};
  }
  return { timeZone: zone === 'utc' ? 'UTC' : zone };
}

/** For use within a sentence. Only the first letter changes. */
export const uncapitalised = (text: string): string => text.charAt(0).toLocaleLowerCase(language) + text.slice(1);

/** For use at the start of a sentence. */
export const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
