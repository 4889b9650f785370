/** Filters of Alertmanager's API v2: one matcher each, in the UTF-8 syntax or in the classic one (Alertmanager, `matcher/compat`). */
import { LIMITS } from '../../../contract/limits.ts';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { type Matcher, MatcherError, parseMatchers } from '../../../contract/matchers.ts';
import { fitsBytes, show } from '../../../contract/text.ts';

/**
 * Reads a filter; the classic syntax applies where the UTF-8 syntax rejects it.
 * @throws Error with what is wrong by the UTF-8 syntax
 */
export function parseFilter(text: string): Matcher {
  if (text.startsWith('{') || text.endsWith('}')) {
    throw new Error(`found ${show(text)}; a filter is a matcher without braces`);
  }
  try {
    return single(text, parseMatchers(text, compileRegex));
  } catch (error) {
    const classic = parseClassic(text);
    if (classic === undefined || (error instanceof MatcherError && error.expected === 'regex')) {
      throw error;
    }
    if (classic.isRegex) {
      compileRegex(classic.value);
    }
    return classic;
  }
}

function single(text: string, [matcher, ...more]: readonly Matcher[]): Matcher {
  if (matcher === undefined || more.length > 0) {
    throw new Error(`found ${more.length === 0 ? 'no matcher' : show(text)}; a filter is one matcher`);
  }
  return matcher;
}

/** Name, operator and value; spaces are those of RE2. */
const CLASSIC =
  /^[\t\n\f\r ]*([a-zA-Z_:][\w:]*)[\t\n\f\r ]*(=~|=|!=|!~)[\t\n\f\r ]*((?:[^]*[^\t\n\f\r ])?)[\t\n\f\r ]*$/;
/** In quotes or not, without quotes that are not escaped. The last character may be a backslash. */
const QUOTED = /^"((?:\\[^]|[^"\\])*)"$/;
const UNQUOTED = /^(?:\\[^]|[^"\\])*\\?$/;

/** The syntax before 0.27: values need no quotes, and unknown escapes are text (Alertmanager, `pkg/labels`). */
function parseClassic(text: string): Matcher | undefined {
  const [, name = '', operator = '', raw = ''] = CLASSIC.exec(text) ?? [];
  const value = raw.startsWith('"') ? QUOTED.exec(raw)?.[1] : UNQUOTED.exec(raw)?.[0];
  if (name === '' || value === undefined || !value.isWellFormed() || !fitsBytes(value, LIMITS.matcherBytes.value)) {
    return undefined;
  }
  const unescaped = value.replace(/\\([n"\\])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  return { name, value: unescaped, isRegex: operator.endsWith('~'), isEqual: operator.startsWith('=') };
}
