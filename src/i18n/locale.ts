/** The language in use, and numbers and dates as that language writes them. The only place that asks for it. Pure. */

/**
 * Grafana's English is "en-US" for everybody who has chosen nothing, the world over. In it dates are written with the month as
 * a word and the clock of 24 hours, which nobody reads wrongly; every other language is taken as it is.
 */
const ENGLISH = 'en-GB';

let language = ENGLISH;

/** @param chosen the language of Grafana's user, such as "de-DE" */
export function setLanguage(chosen: string): void {
  language = chosen === 'en-US' ? ENGLISH : chosen;
}

export const locale = (): string => language;

/** Whether texts are shown in English, so that the words of the bridge, which are English, are the best ones. */
export const isEnglish = (): boolean => language.startsWith('en');

/** Making one is slow, using it is not. */
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
 * A moment; "" where it is none.
 * @param moment ISO 8601, or UTC milliseconds
 * @param zone as Grafana names the user's: "browser", "utc" or one of the IANA
 */
export function formatMoment(moment: string | number, options: Intl.DateTimeFormatOptions, zone = 'browser'): string {
  const key = `${language} ${zone} ${JSON.stringify(options)}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(language, { ...options, ...timeZone(zone) });
  dates.set(key, format);
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : format.format(date);
}

/** Grafana says "browser" for that of the browser, and "utc" in small letters. */
function timeZone(zone: string): { timeZone?: string } {
  if (zone === 'browser' || zone === '') {
    return {};
  }
  return { timeZone: zone === 'utc' ? 'UTC' : zone };
}

/** For what stands within a sentence; nouns of German and names of months keep their capitals. */
export const uncapitalised = (text: string): string => text.charAt(0).toLocaleLowerCase(language) + text.slice(1);

/** A sentence begins with a capital, whatever it begins with. */
export const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
