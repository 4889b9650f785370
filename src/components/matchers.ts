/** Matchers as they are typed: what can be completed at the caret, and whether an arrival matches. Pure. */
import {
  compileMatchers,
  formatMatcher,
  type Labels,
  type Matcher,
  MatcherError,
  OPERATORS,
  parseMatchers,
} from '@nodebell/contract/matchers.ts';

/** Why the text is invalid, as a sentence. Regular expressions are compiled by the bridge. */
export function mistakeOf(text: string): string | undefined {
  try {
    parseMatchers(text);
    return undefined;
  } catch (error) {
    return error instanceof MatcherError ? error.message : undefined;
  }
}

const read = (text: string): Matcher[] | undefined => (mistakeOf(text) === undefined ? parseMatchers(text) : undefined);

/** Regular expressions need an engine that only the bridge has. */
export const needsBridge = (text: string): boolean => read(text)?.some(({ isRegex }) => isRegex) !== false;

/** False if only the bridge knows. */
export const fitsLabels = (labels: Labels, text: string): boolean =>
  text === '' || (!needsBridge(text) && compileMatchers(read(text)!, () => () => false)(labels));

/** The text with one more label, unless it is there. */
export function addLabel(text: string, name: string, value: string): string {
  const matcher = formatMatcher({ name, value, isRegex: false, isEqual: true });
  const matchers = (read(text) ?? []).map(formatMatcher);
  return [...matchers.filter((one) => one !== matcher), matcher].join(', ');
}

/** A part of the text that can be completed. */
export interface Completable {
  kind: 'name' | 'operator' | 'value';
  /** Name of the label. Of a name: as typed. */
  name: string;
  operator: string;
  /** The beginning, as typed. */
  prefix: string;
  /** Where the matcher begins, and the caret. */
  from: number;
  to: number;
}

const QUOTED = '"(?:[^"\\\\]|\\\\[^])*(?:"|$)';
/** The text before the last matcher. Commas and braces within quotes do not separate matchers. */
const BEFORE = new RegExp(`^(?:${QUOTED}|[^"])*?(?=(?:${QUOTED}|[^",{])*$)`);
const MATCHER = new RegExp(`^(\\s*)(${QUOTED}|[^\\s{}!=~,"]*)(\\s*)(=~|!=|!~|=|!)?\\s*([^]*)$`);

const plain = (text: string): string => text.replace(/^"|"$/g, '').replace(/\\(["\\])/g, '$1');

/** The name or value that is typed at the caret. Undefined: a matcher is complete there. */
export function completableAt(text: string, caret: number): Completable | undefined {
  const before = text.slice(0, caret);
  const start = BEFORE.exec(before)![0].length;
  const [, space = '', name = '', gap = '', operator = '', value = ''] = MATCHER.exec(before.slice(start)) ?? [];
  const found = { name: plain(name), operator, from: start + space.length, to: caret };
  if (operator === '' || operator === '!') {
    const kind = gap === '' && operator === '' ? 'name' : 'operator';
    return value !== '' ? undefined : { kind, ...found, prefix: kind === 'name' ? plain(name) : operator };
  }
  const isComplete = /^"(?:[^"\\]|\\[^])*"/.test(value) || value.includes('}');
  return isComplete ? undefined : { kind: 'value', ...found, prefix: plain(value) };
}

export const operatorsWith = (prefix: string): string[] => OPERATORS.filter((one) => one.startsWith(prefix));

/** Replaces what was typed. @returns the text, and where the caret is then */
export function complete(text: string, at: Completable, chosen: string): { text: string; caret: number } {
  const named = formatMatcher({
    name: at.kind === 'name' ? chosen : at.name,
    value: '',
    isRegex: false,
    isEqual: true,
  });
  const name = named.slice(0, -'=""'.length);
  const { isRegex, isEqual } = { isRegex: at.operator.endsWith('~'), isEqual: at.operator.startsWith('=') };
  const written =
    at.kind === 'name'
      ? `${name}=`
      : at.kind === 'operator'
        ? `${name}${chosen}`
        : formatMatcher({ name: at.name, value: isRegex ? escaped(chosen) : chosen, isRegex, isEqual });
  const head = `${text.slice(0, at.from)}${written}`;
  return { text: `${head}${text.slice(at.to)}`, caret: head.length };
}

/** A value that is completed in a regular expression stands for itself. */
const escaped = (value: string): string => value.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
