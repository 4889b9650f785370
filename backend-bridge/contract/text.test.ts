import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBadText, grouped, MAX_DEPTH, pointerToken, safeLink, show, toPointer } from './text.ts';

describe('what was found, for a person to read', () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    ['a "b"', '"a \\"b\\""'],
    [1.5, '1.5'],
    [true, 'true'],
    [[1], 'a list'],
    [{ a: 1 }, 'an object'],
  ])('%j: %s', (value, expected) => {
    expect(show(value)).toBe(expected);
  });
  it('is never longer than 120 characters', () => {
    expect(show('x'.repeat(118))).toHaveLength(120);
    expect(show('x'.repeat(119))).toBe(`"${'x'.repeat(118)}…`);
  });
});

describe('JSON Pointers (RFC 6901)', () => {
  it.each([
    [[], '#'],
    [['a', 0, 'b'], '/a/0/b'],
    [['a/b', 'm~n', ''], '/a~1b/m~0n/'],
    [['~1'], '/~01'],
  ])('%j: %s', (path, expected) => {
    expect(toPointer(path)).toBe(expected);
  });
  it('can be read back', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        expect(pointerToken(key).replaceAll('~1', '/').replaceAll('~0', '~')).toBe(key);
      })
    );
  });
});

describe('text that cannot be stored', () => {
  const NUL = String.fromCharCode(0);
  it.each([
    ['NUL', `a${NUL}`, '#', 'a NUL character (U+0000)'],
    ['half of a pair', 'a\ud83d', '#', 'half of a surrogate pair'],
    ['the other half', '\udd25', '#', 'half of a surrogate pair'],
    ['in a member', { a: { b: ['x', '\ud83d'] } }, '/a/b/1', 'half of a surrogate pair'],
    ['in a name', { a: { ['b\ud83d']: 1 } }, '/a/b\ufffd', 'half of a surrogate pair'],
    ['in a name', { [`a${NUL}b`]: 1 }, '/ab', 'a NUL character (U+0000)'],
  ])('%s is found', (_what, value, pointer, found) => {
    expect(findBadText(value)).toMatchObject([{ pointer, found }]);
  });
  it('every place is named', () => {
    expect(findBadText({ a: NUL, b: ['\ud83d', 'fine', NUL] }).map(({ pointer }) => pointer)).toEqual([
      '/a',
      '/b/0',
      '/b/2',
    ]);
  });
  it('all else is well', () => {
    expect(findBadText({ emoji: '🔥👩‍👩‍👧', text: 'a\n\t\u0001', list: [null, 1, true, {}] })).toEqual([]);
    fc.assert(
      fc.property(
        fc.jsonValue({ depthSize: 'small' }),
        (value) => findBadText(JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''))).length === 0
      )
    );
  });
  it('nesting goes so deep and no deeper', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(findBadText(nested(MAX_DEPTH))).toEqual([]);
    expect(findBadText(nested(MAX_DEPTH + 1))).toMatchObject([
      { pointer: '/0'.repeat(MAX_DEPTH), found: `nesting deeper than ${MAX_DEPTH} levels` },
    ]);
    expect(findBadText(nested(10_000))).toHaveLength(1);
  });
  it('names no more than a thousand places', () => {
    const bad = Array<string>(5000).fill(NUL);
    expect(findBadText(bad)).toHaveLength(1000);
    expect(findBadText(bad).at(-1)?.pointer).toBe('/999');
    expect(findBadText(Object.fromEntries(bad.map((text, index) => [index + text, 1])))).toHaveLength(1000);
  });
});

describe('links', () => {
  it.each([
    'http://a',
    'https://a.example/b?c#d',
    'HTTPS://A',
    'http://[::1]:3000/',
    'http://user@host/',
    '/',
    '/a',
    '/a?b=//c',
    'http://dappmanager.dappnode',
    'https://ü.example/ß',
  ])('%s may be offered', (link) => {
    expect(safeLink(link)).toBe(link);
  });
  it('without the white space around', () => {
    expect(safeLink(' \n/a\t')).toBe('/a');
    expect(safeLink('  https://a ')).toBe('https://a');
  });
  it.each([
    '',
    ' ',
    'a',
    'a.example',
    './a',
    '../a',
    '?a',
    '#a',
    '//a',
    '/\\a',
    '\\\\a',
    '/a b',
    '/a\\b',
    '/a\nb',
    'http:',
    'http://',
    'http:///',
    'https://a b',
    'http://a\u0000',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:http://a/b',
    'file:///a',
    'ftp://a',
    'mailto:a@b',
    'ws://a',
    'view-source:http://a',
    'feed:https://a',
  ])('%j may not', (link) => {
    expect(safeLink(link)).toBeUndefined();
  });
  it('what may be offered leads to http, https or the same host, as a browser reads it', () => {
    const piece = fc.constantFrom(
      'http',
      'https',
      'javascript',
      ':',
      '/',
      '//',
      '\\',
      '@',
      'a',
      '.',
      ' ',
      '\t',
      '\n',
      '\u0001',
      '#',
      '?',
      '%2f',
      'HTTP'
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        (text) => {
          const link = safeLink(text);
          if (link !== undefined) {
            const page = new URL('https://grafana.example/a/app/inbox');
            const { protocol, host } = new URL(link, page);
            expect(['http:', 'https:']).toContain(protocol);
            expect(link.startsWith('/') ? host : '').toBe(link.startsWith('/') ? page.host : '');
          }
        }
      ),
      { numRuns: 3000 }
    );
  });
});

describe('numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [65_536, '65,536'],
    [1_234_567, '1,234,567'],
  ])('%d: %s', (count, expected) => {
    expect(grouped(count)).toBe(expected);
    expect(count.toLocaleString('en')).toBe(expected);
  });
});
