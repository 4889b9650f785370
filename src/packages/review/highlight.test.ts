import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutLine, jsonPieces, LINE_LIMIT, yamlPieces, type Piece } from './highlight';

const whole = (pieces: Piece[]) => pieces.map(({ text }) => text).join('');
const of = (pieces: Piece[], kind: string) => pieces.filter((piece) => piece.kind === kind).map(({ text }) => text);

describe('jsonPieces', () => {
  it('splits keys, strings and other values', () => {
    const pieces = jsonPieces('  "version": "0.1.0", "n": -1.5e3, "b": true, "a\\"b" : [null, "x: y"]');
    expect(of(pieces, 'key')).toEqual(['"version"', '"n"', '"b"', '"a\\"b"']);
    expect(of(pieces, 'string')).toEqual(['"0.1.0"', '"x: y"']);
    expect(of(pieces, 'value')).toEqual(['-1.5e3', 'true', 'null']);
  });

  it('preserves every line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', ':', ' ', '1', 't', '-', '{') }),
        (line) => whole(jsonPieces(line)) === line
      )
    );
  });
});

describe('yamlPieces', () => {
  it('splits keys, values and comments', () => {
    expect(yamlPieces('  - name: "a # b" # why')).toEqual([
      { kind: 'plain', text: '  - ' },
      { kind: 'key', text: 'name' },
      { kind: 'plain', text: ':' },
      { kind: 'string', text: ' "a' },
      { kind: 'comment', text: ' # b" # why' },
    ]);
    expect(of(yamlPieces('port: 8545'), 'value')).toEqual([' 8545']);
    expect(of(yamlPieces('url: http://x:1'), 'key')).toEqual(['url']);
    expect(of(yamlPieces('# all of it'), 'comment')).toEqual(['# all of it']);
  });

  it('preserves every line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '#', ':', ' ', '1', 'a', '-', "'") }),
        (line) => whole(yamlPieces(line)) === line
      )
    );
  });
});

describe('cutLine', () => {
  const line = 'x'.repeat(5000);
  it('truncates a very long line', () => {
    expect(cutLine('short')).toBe('short');
    expect(cutLine(line)).toBe(`${'x'.repeat(LINE_LIMIT)}…`);
  });
  it('truncates around a column', () => {
    const marked = `${'x'.repeat(3000)}HERE${'x'.repeat(3000)}`;
    expect(cutLine(marked, 3001)).toMatch(/^…x{100}HEREx+…$/);
    expect(cutLine(marked, 3001).length).toBe(LINE_LIMIT + 2);
  });
});
