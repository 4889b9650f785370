import { describe, expect, test } from 'vitest';
import { GOOD } from './manifest.testing.ts';
import { validateManifest } from './validateManifest.ts';

const validate = (text: string) => validateManifest(text, { dialect: 'dappnode' });
const said = (text: string): string[] =>
  validate(text).findings.map(
    ({ verdict, rule, line, column, title }) => `${verdict} ${rule} ${line}:${column} ${title}`
  );
const GOOD_TEXT = JSON.stringify(GOOD, null, 2);

describe('what breaks JSON', () => {
  test.each([
    ['', 'error syntax 1:1 The file is empty'],
    [' \n', 'error syntax 1:1 The file is empty'],
    ['{\n  "a": tru\n}', 'error syntax 2:8 A word without quotes'],
    ['{\n  "author": "" Chuy,\n}', 'error syntax 2:16 A word without quotes'],
    ['{\n  "author": "" "Chuy"\n', 'error syntax 2:16 A comma is missing'],
    ['{ "a" 1 }', 'error syntax 1:7 A colon is missing'],
    ['{ "a": }', 'error syntax 1:8 A value is missing'],
    ['{ "a": "b\n" }', 'error syntax 1:8 Text without its closing quote'],
    ['{ "a": "\\x" }', 'error syntax 1:8 A backslash that escapes nothing'],
    ['{ "a": "\\u12" }', 'error syntax 1:8 A broken \\u'],
    ['{ "a": 1. }', 'error syntax 1:8 A number that stops'],
    ['{ "a": 1 } {}', 'error syntax 1:12 Something follows the manifest'],
    ['{ "a": [1 }', 'error syntax 1:11 A list is not closed'],
    ['{ "a": 1', 'error syntax 1:9 An object is not closed'],
    ['{ /* open', 'error syntax 1:3 A comment'],
    ["{ 'a': 1 }", 'error syntax 1:3 Single quotes'],
    ['{ 5: 1 }', 'error syntax 1:3 The name of a member is missing'],
    ['{ "a": 1 ]', 'error syntax 1:10 An object is not closed'],
    ['{ "a": 01 }', 'error syntax 1:9 A comma is missing'],
  ])('%j', (text, first) => {
    const { manifest, facts } = validate(text);
    expect(said(text)[0]).toBe(first);
    expect(manifest).toBeUndefined();
    expect(facts).toBeUndefined();
  });
  test('a comma that is missing is told with the line that lacks it', () => {
    const text = GOOD_TEXT.replace('"1.2.3",', '"1.2.3"');
    const { findings, manifest } = validate(text);
    expect(findings).toMatchObject([
      { line: 4, column: 3, detail: 'A comma is missing after line 3, before “shortDescription”.' },
    ]);
    expect(manifest?.version).toBe('1.2.3');
  });
  test('what is clear nevertheless is validated further: all mistakes at once', () => {
    const text = GOOD_TEXT.replace('"1.2.3",', '"1.2"').replace('"GPL-3.0"', '"", // none');
    expect(said(text)).toEqual([
      'error version-format 3:14 version is not three numbers',
      'error syntax 4:3 A comma is missing',
      'error empty 10:14 license is empty',
      'error syntax 10:18 A comment',
      'error syntax 11:1 A comma too many',
    ]);
  });
  test('a comment that does not end has an end for the validate', () => {
    expect(said('{}/*')).toContain('error syntax 1:3 A comment');
  });
  test('a line is told of once, and not without end', () => {
    expect(said('[ 1 1 1 1 1 ]').filter((one) => one.includes('syntax'))).toEqual([
      'error syntax 1:5 A comma is missing',
    ]);
    expect(said('x\n'.repeat(1_000))).toHaveLength(20);
  });
});

describe('the text', () => {
  test('may have a byte order mark, which does not count in columns', () => {
    expect(said(`\uFEFF${JSON.stringify(GOOD).replace('1.2.3', '1.2')}`)).toEqual([
      'note byte-order-mark 1:1 The file begins with a byte order mark',
      'error version-format 1:49 version is not three numbers',
    ]);
  });
  test.each(['\n', '\r\n', '\r'])('has lines that end with %j', (end) => {
    const text = GOOD_TEXT.replace('1.2.3', '1.2').replaceAll('\n', end);
    expect(validate(text).findings).toMatchObject([{ line: 3, column: 14, endLine: 3, endColumn: 19 }]);
  });
  test('tells of a member that is there twice, with both lines; the last counts', () => {
    const text = GOOD_TEXT.replace('"type"', '"version": "2.0.0",\n  "type"');
    const { findings, manifest } = validate(text);
    expect(findings).toMatchObject([{ verdict: 'warning', rule: 'duplicate-member', pointer: '/version', line: 6 }]);
    expect(findings[0]?.detail).toContain('line 3 and again in line 6');
    expect(manifest?.version).toBe('2.0.0');
  });
  test.each(['1', 'null', '"a"', '[{}]'])('%s is no manifest', (text) => {
    expect(said(text)).toEqual(['error not-an-object 1:1 Not an object']);
  });
  test('with a name and a version has facts, whatever else is wrong', () => {
    const { facts } = validate('{ "name": "a", "version": "b", "backup": 1, "links": [], "exposable": [1, null] }');
    expect(facts?.summary).toMatchObject({ dnpName: 'a', version: 'b', type: 'service', backups: 0 });
    expect(validate('{ "name": "", "version": "b" }').facts).toBeUndefined();
  });
});

describe('a hostile text', () => {
  const errors = (text: string): string[] =>
    validate(text)
      .findings.filter(({ verdict }) => verdict === 'error')
      .map(({ rule, pointer }) => `${rule} ${pointer}`);
  const withMembers = (members: object): string => JSON.stringify({ ...GOOD, ...members });
  test('of 50 MB is not read', () => expect(errors('\n'.repeat(50_000_000))).toEqual(['too-large ']));
  test.each(['[', '{"a":', '/* " */ [', '// "\n['])('nested without end by %j is not parsed', (open) => {
    expect(errors(open.repeat(100_000))).toEqual(['too-deep ']);
  });
  test('nested 33 deep is refused, 32 is not', () => {
    const nested = (depth: number): string =>
      withMembers({ x: 0 }).replace('"x":0', `"x":${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(errors(nested(31))).toEqual([]);
    expect(errors(nested(32))).toEqual(['too-deep ']);
  });
  test('with 10,000 dependencies says why it is refused', () => {
    const dependencies = Object.fromEntries(Array.from({ length: 10_000 }, (_, one) => [`p${one}.eth`, '1.0.0']));
    expect(validate(withMembers({ dependencies })).findings).toMatchObject([
      { rule: 'too-many', pointer: '/dependencies', detail: 'dependencies has 10000 members; up to 1000 are allowed.' },
    ]);
  });
  test('with members of prototypes changes nothing', () => {
    const text = `{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": 1 }, "dependencies": { "__proto__": "1.0.0" }, ${JSON.stringify(GOOD).slice(1)}`;
    const { manifest, facts } = validate(text);
    expect(errors(text)).toEqual([
      'reserved-member /__proto__',
      'reserved-member /constructor',
      'reserved-member /dependencies/__proto__',
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(manifest)).toBe(Object.prototype);
    expect(facts?.facts.dependencies).toEqual([]);
  });
  test('with text that cannot be stored is refused', () => {
    expect(errors(withMembers({ description: 'a\u0000', keywords: ['\ud800'] }))).toEqual([
      'bad-text /description',
      'bad-text /keywords/0',
    ]);
  });
  test('with links that run code, or CSS that breaks out, has them left out', () => {
    const { facts } = validate(
      withMembers({
        links: {
          homepage: 'javascript:alert(1)',
          ui: 'java\nscript:alert(1)',
          api: '//evil.example',
          ok: 'https://a.example',
        },
        bugs: { url: 'data:text/html,x' },
        icon: '/ipfs/x',
        avatar: 'javascript:alert(1)',
        author: 'A <a@b.example> (javascript:alert(1))',
        repository: { type: 'git', url: 'javascript:alert(1)' },
        style: { featuredBackground: 'url(//evil.example)', featuredColor: 'red;}*{x:y', featuredAvatarFilter: 'none' },
      })
    );
    expect(facts?.summary.links).toEqual([{ key: 'ok', kind: 'other', url: 'https://a.example' }]);
    expect(facts?.summary.icon).toBeUndefined();
    expect(facts?.summary.style).toEqual({ avatarFilter: 'none' });
    expect(facts?.facts.bugs).toBeUndefined();
    expect(facts?.facts.author?.url).toBeUndefined();
    expect(facts?.facts.repository?.web).toBeUndefined();
  });
  test('does not steer a terminal, and is not repeated at length', () => {
    const [finding] = validate(withMembers({ version: `\u001b[31m\u202e${'1'.repeat(5_000)}` })).findings;
    expect(finding?.detail).not.toMatch(/[\u001b\u202e]/);
    expect(finding?.detail.length).toBeLessThan(200);
  });
  test('with thousands of mistakes has a thousand findings, errors first', () => {
    const entries = Array.from({ length: 900 }, () => ({ nam: 1 }));
    const { findings } = validate(withMembers({ exposable: entries }));
    expect(findings).toHaveLength(1_000);
    expect(findings.filter(({ rule }) => rule === 'more-findings')).toMatchObject([{ title: '1701 more findings' }]);
    expect(findings.filter(({ verdict }) => verdict === 'error')).toHaveLength(999);
  });
});
