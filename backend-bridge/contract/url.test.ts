import fc from 'fast-check';
import { expect, test } from 'vitest';
import { urlSegment, urlValue } from './url.ts';

const BASE = 'http://grafana/api/v2/silence/';

test('any text stays in its segment of a path', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('.', '..', '%2e%2e', '../..', '..\\..', '?x', '#x', '\ud800', '\udc00.', '\t..', '..\n', ' ..')
  );
  fc.assert(
    fc.property(text, (id) => {
      const { pathname, search, hash } = new URL(`${BASE}${urlSegment(id)}/end`);
      const segments = pathname.split('/');
      expect([segments.length, segments.at(-1), search, hash]).toEqual([6, 'end', '', '']);
    })
  );
});

test('a segment decodes to the text', () => {
  for (const id of ['a/b', 'Ä %41?', '...', 'dnp.dappnode.eth', '..a']) {
    expect(decodeURIComponent(urlSegment(id))).toBe(id);
  }
});

test('any text stays in its value of a query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect([...new URLSearchParams(`a=${urlValue(text)}&b=1`)]).toEqual([
        ['a', text.toWellFormed()],
        ['b', '1'],
      ]);
    })
  );
});
