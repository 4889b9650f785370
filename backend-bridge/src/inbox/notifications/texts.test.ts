import { expect, it } from 'vitest';
import { EVENT, textsOf } from './texts.ts';

const MAX = EVENT.body;
const row = (title: string, body: string, errors: string | null) => ({
  ...{ title, body, errors },
  title_bytes: Buffer.byteLength(title),
  body_bytes: Buffer.byteLength(body),
  errors_bytes: errors === null ? null : Buffer.byteLength(errors),
});

it('leaves texts of the longest length as they are', () => {
  const texts = { title: 't'.repeat(MAX), body: 'ä'.repeat(MAX / 2), errors: 'e'.repeat(MAX) };
  expect(textsOf(row(texts.title, texts.body, texts.errors), EVENT)).toEqual(texts);
});

it.each(['a', 'ä', 'aä', '€', '😀', 'a😀'])('cuts title, body and errors of many %s between code points', (unit) => {
  const text = unit.repeat(MAX + 7);
  const { title, body, errors, ...marks } = textsOf(row(text, text, text), EVENT);
  expect(marks).toEqual({
    ...{ titleTruncated: true, bodyTruncated: true, errorsTruncated: true },
    bodyBytes: Buffer.byteLength(text),
  });
  expect(title.endsWith('…')).toBe(true);
  for (const shown of [title, body, errors!]) {
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX);
    expect(Buffer.byteLength(shown)).toBeGreaterThan(MAX - 4);
    expect([shown.isWellFormed(), text.startsWith(shown.replace('…', ''))]).toEqual([true, true]);
  }
});

it('marks only the text that was cut', () => {
  expect(textsOf(row('A title', 'b'.repeat(MAX + 1), null), EVENT)).toEqual({
    ...{ title: 'A title', body: 'b'.repeat(MAX) },
    ...{ bodyTruncated: true, bodyBytes: MAX + 1 },
  });
});
