import { expect, test } from 'vitest';
import { cutBytes, fitsBytes } from './text.ts';

test('bytes are counted as UTF-8, and no character is cut in two', () => {
  expect([fitsBytes('aaaa', 4), fitsBytes('aaaaa', 4), fitsBytes('🦊', 4), fitsBytes('é🦊', 5)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([cutBytes('é🦊x', 5), cutBytes('é🦊x', 6), cutBytes('abc', 10)]).toEqual(['é', 'é🦊', 'abc']);
});
