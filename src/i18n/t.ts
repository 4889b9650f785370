/**
 * Texts in the language of the person who looks. Everything that is shown comes through here: Grafana has loaded the file of
 * that language from `locales` before the plugin runs; where it lacks a text, the English one in the source is shown.
 */
import { t as translate, Trans } from '@grafana/i18n';

export { Trans };

/** React escapes what it shows. Escaped twice, a name such as "a/b" would be shown as "a&#x2F;b". */
const PLAIN = { interpolation: { escapeValue: false } };

/**
 * One text.
 * @param key `<room>.<part>.<what>`, a literal: texts are gathered from the source by `npm run i18n`
 * @param english what is shown in English. Empty where there is a `count`: then the two forms are among the values
 * @param values what stands in the text as `{{name}}`, or `{{name, number}}` for a number as the language writes it.
 *   `count` chooses between `defaultValue_one` and `defaultValue_other`
 */
export function t(key: string, english: string, values?: Record<string, unknown>): string {
  return values === undefined ? translate(key, english) : translate(key, english, { ...values, ...PLAIN });
}
