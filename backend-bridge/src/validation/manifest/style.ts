/** Values of CSS that a card may take from a manifest. */
import { type CssNode, lexer, parse, walk } from 'css-tree';
import { type PackageStyle } from '../../../contract/package.ts';

/**
 * By member of `style`: the property that takes the value, what it takes, and its name on the card. The syntax of `filter`
 * is that of the standard: the library's own takes old forms of one browser as well, and with them any word.
 */
export const STYLES = {
  featuredBackground: { property: 'background', syntax: "<'background'>", to: 'background' },
  featuredColor: { property: 'color', syntax: '<color>', to: 'color' },
  featuredAvatarFilter: { property: 'filter', syntax: 'none | <filter-function>+', to: 'avatarFilter' },
} as const satisfies Record<string, { property: string; syntax: string; to: keyof PackageStyle }>;

const MAX_LENGTH = 300;
/** What fetches, refers to something else, or draws what is not in the value. */
const REFUSED_FUNCTIONS = new Set(
  [
    'url',
    'src',
    'image',
    'image-set',
    '-webkit-image-set',
    'cross-fade',
    '-webkit-cross-fade',
    'element',
    '-moz-element',
  ].concat(['paint', 'expression', 'var', 'env', 'attr', 'if', 'inherit', 'random'])
);

export type StyleVerdict = { ok: true } | { ok: false; rule: 'style-value' | 'style-left-out'; why: string };

/** Whether a value can be put on a page: it is one of the property, and neither fetches nor refers to anything. */
export function checkStyle(member: keyof typeof STYLES, value: string): StyleVerdict {
  if (value.length > MAX_LENGTH) {
    return {
      ok: false,
      rule: 'style-left-out',
      why: `It has ${value.length} characters; up to ${MAX_LENGTH} are used.`,
    };
  }
  const tree = parseValue(value);
  const refused = tree && refusedFunction(tree);
  if (refused !== undefined) {
    return {
      ok: false,
      rule: 'style-left-out',
      why: `${refused}() is not used: a card fetches nothing and refers to nothing.`,
    };
  }
  return tree && !/[;{}\\<>]/.test(value) && lexer.match(STYLES[member].syntax, tree).error === null
    ? { ok: true }
    : { ok: false, rule: 'style-value', why: `It is no value of the CSS property ${STYLES[member].property}.` };
}

function parseValue(value: string): CssNode | undefined {
  let broken = value.trim() === '';
  try {
    const tree = parse(value, { context: 'value', onParseError: () => (broken = true) });
    return broken ? undefined : tree;
  } catch {
    return undefined;
  }
}

function refusedFunction(tree: CssNode): string | undefined {
  let refused: string | undefined;
  walk(tree, (node) => {
    if (node.type === 'Url') {
      refused ??= 'url';
    } else if (node.type === 'Function' && REFUSED_FUNCTIONS.has(node.name.toLowerCase())) {
      refused ??= node.name.toLowerCase();
    }
  });
  return refused;
}
