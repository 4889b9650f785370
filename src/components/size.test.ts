import { expect, it } from 'vitest';
import { sizeText } from './size';

it.each([
  [0, '0 kB'],
  [4640, '4.6 kB'],
  [999_999, '1,000 kB'],
  [1_200_000, '1.2 MB'],
  [5_400_000_000, '5.4 GB'],
  [7e12, '7 TB'],
  [7e15, '7,000 TB'],
])('%d bytes', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
