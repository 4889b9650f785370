import { expect, it } from 'vitest';
import { cut } from './cut';

it.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['one two three', 9, 'one two…'],
  ['oneverylongword', 9, 'oneveryl…'],
  ['a oneverylongword', 9, 'a onever…'],
  ['onevery🎉longword', 9, 'onevery…'],
])('cuts %j to %i letters', (text, most, expected) => expect(cut(text, most)).toBe(expected));
