import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonScan } from './collectBody.ts';

/** Counts of the parsed value, for comparison. */
function counted(value: unknown): { elements: number; levels: number } {
  if (typeof value !== 'object' || value === null) {
    return { elements: 0, levels: 0 };
  }
  const members = Object.values(value).map(counted);
  return {
    elements: 1 + Math.max(0, members.length - 1) + members.reduce((sum, { elements }) => sum + elements, 0),
    levels: 1 + Math.max(0, ...members.map(({ levels }) => levels)),
  };
}

test('counts elements and levels of any JSON, in whatever pieces it arrives', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: fc.constantFrom(...'"\\[]{},:a€😀') }), fc.array(fc.nat(200)), (text, cuts) => {
      const bytes = Buffer.from(text);
      const scan = new JsonScan();
      for (const end of cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)) {
        scan.advance(bytes, end);
      }
      scan.advance(bytes, bytes.length);
      const { elements, levels } = scan;
      expect({ elements, levels }).toEqual(counted(JSON.parse(text)));
    }),
    { numRuns: 500 }
  );
});

test('text in strings counts for nothing', () => {
  const scan = new JsonScan();
  const text = JSON.stringify('[[[{"a": 1, 2}\\');
  scan.advance(Buffer.from(text), text.length);
  expect([scan.elements, scan.levels]).toEqual([0, 0]);
});
