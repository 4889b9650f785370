import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBadText, MAX_DEPTH } from '../../../contract/text.ts';
import { addNote, cleanJson, MAX_NOTES } from './text.ts';

describe('cleaning', () => {
  it('leaves what is well as it is', () => {
    const value = { a: ['x', 1, null, true, { 'b ': 'é😀' }] };
    expect(cleanJson(value)).toEqual({ value, notes: [] });
  });

  it('removes NUL, replaces half a surrogate pair, in values and in names, and says where', () => {
    const { value, notes } = cleanJson({ labels: { 'a\0b': 'x\0y', c: 'z\ud800' } });
    expect(value).toEqual({ labels: { ab: 'xy', c: 'z\ufffd' } });
    expect(notes).toHaveLength(3);
    expect(notes[1]).toContain('/labels/ab');
  });

  it.each([
    ['before it', { 'ti\0tle': 'other', title: 'own' }],
    ['after it', { title: 'own', 'ti\0tle': 'other' }],
    ['twice', { 'ti\0tle': 'own', '\0title': 'other' }],
  ])('a name with NUL does not replace the member of that name: %s', (_case, members) => {
    const { value, notes } = cleanJson({ labels: members });
    expect(value).toEqual({ labels: { title: 'own' } });
    expect(notes).toContainEqual(expect.stringMatching(/^\/labels\/title: .*left out$/));
  });

  it('cuts off what is nested too deep', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    const { value, notes } = cleanJson(deep);
    expect(JSON.stringify(value)).toBe(`${'['.repeat(MAX_DEPTH)}null${']'.repeat(MAX_DEPTH)}`);
    expect(notes).toHaveLength(1);
  });

  it('keeps a member named __proto__ a member', () => {
    const { value } = cleanJson(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('says so much and no more', () => {
    expect(cleanJson(Array.from({ length: 1000 }, () => '\0')).notes).toHaveLength(MAX_NOTES);
    const notes: string[] = [];
    addNote(notes, 'a');
    addNote(notes, 'a');
    expect(notes).toEqual(['a']);
  });

  it('leaves nothing behind that cannot be stored, whatever came', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), (value) => {
        expect(findBadText(cleanJson(value).value)).toEqual([]);
      })
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\0', '\ud83d', '\ude00', 'a') }), (text) => {
        expect(findBadText(cleanJson({ [text]: text }).value)).toEqual([]);
      })
    );
  });
});
