/** The language in use, for what Intl writes: numbers, dates, durations. The only place that asks for it. */

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
