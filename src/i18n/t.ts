/**
 * Translated texts. Every text shown goes through here: Grafana loads the file of the user's language from `locales` before
 * the plugin runs; missing texts fall back to the English in the source.
 */
import { t as translate, Trans } from '@grafana/i18n';

export { Trans };

/** React already escapes: escaped twice, a name such as "a/b" would be shown as "a&#x2F;b". */
const PLAIN = { interpolation: { escapeValue: false } };

/**
 * Translates a text.
 * @param key `<area>.<part>.<what>`, a literal: `npm run i18n` extracts texts from the source
 * @param english the English text. Empty if there is a `count`: then both forms are among the values
 * @param values interpolated as `{{name}}`, or as `{{name, number}}` in the number format of the language.
 *   `count` selects between `defaultValue_one` and `defaultValue_other`
 */
export function t(key: string, english: string, values?: Record<string, unknown>): string {
  return values === undefined ? translate(key, english) : translate(key, english, { ...values, ...PLAIN });
}
