import { describe, expect, test } from 'vitest';
import { GOOD } from './manifest.testing.ts';
import { validateManifest } from './validateManifest.ts';

const validate = (text: string) => validateManifest(text, { dialect: 'dappnode' });
const titles = (text: string): string[] =>
  validate(text).findings.map(
    ({ verdict, rule, line, column, title }) => `${verdict} ${rule} ${line}:${column} ${title}`
  );
const GOOD_TEXT = JSON.stringify(GOOD, null, 2);

describe('syntax errors', () => {
  test.each([
    ['', 'error syntax 1:1 The file is empty'],
    [' \n', 'error syntax 1:1 The file is empty'],
    ['{\n  "a": tru\n}', 'error syntax 2:8 Unquoted string'],
    ['{\n  "author": "" Chuy,\n}', 'error syntax 2:16 Unquoted string'],
    ['{\n  "author": "" "Chuy"\n', 'error syntax 2:16 Missing comma'],
    ['{ "a" 1 }', 'error syntax 1:7 Missing colon'],
    ['{ "a": }', 'error syntax 1:8 Missing value'],
    ['{ "a": "b\n" }', 'error syntax 1:8 Unterminated string'],
    ['{ "a": "\\x" }', 'error syntax 1:8 Invalid escape sequence'],
    ['{ "a": "\\u12" }', 'error syntax 1:8 Invalid Unicode escape'],
    ['{ "a": 1. }', 'error syntax 1:8 Incomplete number'],
    ['{ "a": 1 } {}', 'error syntax 1:12 Content after the manifest'],
    ['{ "a": [1 }', 'error syntax 1:11 Array not closed'],
    ['{ "a": 1', 'error syntax 1:9 Object not closed'],
    ['{ /* open', 'error syntax 1:3 Comment'],
    ["{ 'a': 1 }", 'error syntax 1:3 Single quotes'],
    ['{ 5: 1 }', 'error syntax 1:3 Missing member name'],
    ['{ "a": 1 ]', 'error syntax 1:10 Object not closed'],
    ['{ "a": 01 }', 'error syntax 1:9 Missing comma'],
  ])('%j', (text, first) => {
    const { manifest, facts } = validate(text);
    expect(titles(text)[0]).toBe(first);
    expect(manifest).toBeUndefined();
    expect(facts).toBeUndefined();
  });
  test('an escaped Windows line break ends a string at the end of its line', () => {
    expect(validate('"\\\r\n').findings).toMatchObject([{ title: 'Unterminated string', endLine: 1, endColumn: 3 }]);
  });
  test('a missing comma is reported with the line before it', () => {
    const text = GOOD_TEXT.replace('"1.2.3",', '"1.2.3"');
    const { findings, manifest } = validate(text);
    expect(findings).toMatchObject([
      { line: 4, column: 3, detail: 'Expected a comma after line 3, before “shortDescription”.' },
    ]);
    expect(manifest?.version).toBe('1.2.3');
  });
  test('validation continues after unambiguous syntax errors', () => {
    const text = GOOD_TEXT.replace('"1.2.3",', '"1.2"').replace('"GPL-3.0"', '"", // none');
    expect(titles(text)).toEqual([
      'error version-format 3:14 version is not a version',
      'error syntax 4:3 Missing comma',
      'error empty 10:14 license is empty',
      'error syntax 10:18 Comment',
      'error syntax 11:1 Trailing comma',
    ]);
  });
  test('an unterminated comment is reported', () => {
    expect(titles('{}/*')).toContain('error syntax 1:3 Comment');
  });
  test('one syntax error is reported per line, up to a limit', () => {
    expect(titles('[ 1 1 1 1 1 ]').filter((one) => one.includes('syntax'))).toEqual(['error syntax 1:5 Missing comma']);
    expect(titles('x\n'.repeat(1_000))).toHaveLength(20);
  });
});

describe('text', () => {
  test('a byte order mark is ignored in columns', () => {
    expect(titles(`\uFEFF${JSON.stringify(GOOD).replace('1.2.3', '1.2')}`)).toEqual([
      'note byte-order-mark 1:1 Byte order mark',
      'error version-format 1:49 version is not a version',
    ]);
  });
  test.each(['\n', '\r\n', '\r'])('lines may end with %j', (end) => {
    const text = GOOD_TEXT.replace('1.2.3', '1.2').replaceAll('\n', end);
    expect(validate(text).findings).toMatchObject([{ line: 3, column: 14, endLine: 3, endColumn: 19 }]);
  });
  test('a duplicate member is reported with both lines; the last one applies', () => {
    const text = GOOD_TEXT.replace('"type"', '"version": "2.0.0",\n  "type"');
    const { findings, manifest } = validate(text);
    expect(findings).toMatchObject([{ verdict: 'warning', rule: 'duplicate-member', pointer: '/version', line: 6 }]);
    expect(findings[0]?.detail).toContain('line 3 and again in line 6');
    expect(manifest?.version).toBe('2.0.0');
  });
  test.each(['1', 'null', '"a"', '[{}]'])('%s is not a manifest', (text) => {
    expect(titles(text)).toEqual(['error not-an-object 1:1 Not an object']);
  });
  test('name and version suffice for facts, whatever else is invalid', () => {
    const { facts } = validate('{ "name": "a", "version": "b", "backup": 1, "links": [], "exposable": [1, null] }');
    expect(facts?.summary).toMatchObject({ dnpName: 'a', version: 'b', type: 'service', backups: 0 });
    expect(validate('{ "name": "", "version": "b" }').facts).toBeUndefined();
  });
});

describe('hostile input', () => {
  const errors = (text: string): string[] =>
    validate(text)
      .findings.filter(({ verdict }) => verdict === 'error')
      .map(({ rule, pointer }) => `${rule} ${pointer}`);
  const withMembers = (members: object): string => JSON.stringify({ ...GOOD, ...members });
  test('50 MB are rejected', () => expect(errors('\n'.repeat(50_000_000))).toEqual(['too-large ']));
  test.each(['[', '{"a":', '/* " */ [', '// "\n['])('unlimited nesting of %j is not parsed', (open) => {
    expect(errors(open.repeat(100_000))).toEqual(['too-deep ']);
  });
  test('33 levels of nesting are rejected, 32 are not', () => {
    const nested = (depth: number): string =>
      withMembers({ x: 0 }).replace('"x":0', `"x":${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(errors(nested(31))).toEqual([]);
    expect(errors(nested(32))).toEqual(['too-deep ']);
  });
  test('10,000 dependencies are rejected with the limit', () => {
    const dependencies = Object.fromEntries(Array.from({ length: 10_000 }, (_, one) => [`p${one}.eth`, '1.0.0']));
    expect(validate(withMembers({ dependencies })).findings).toMatchObject([
      { rule: 'too-many', pointer: '/dependencies', detail: 'dependencies has 10000 members; the limit is 1000.' },
    ]);
  });
  test('reserved names do not pollute prototypes', () => {
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
  test('strings that cannot be stored are rejected', () => {
    expect(errors(withMembers({ description: 'a\u0000', keywords: ['\ud800'] }))).toEqual([
      'bad-text /description',
      'bad-text /keywords/0',
    ]);
  });
  test('unsafe links and CSS are ignored', () => {
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
  test('links of other schemes are kept to copy, and an image by its CID is shown', () => {
    const hash = '/ipfs/QmYCvbfNbCwFR45HiNP45rwJgvatpiW38D961L5qAhUM5Y';
    const links = { ws: 'ws://geth.dappnode:8546', mail: 'mailto:a@b.example', bad: 'tel:123', empty: 'mailto:' };
    const { summary } = validate(withMembers({ links, image: { hash } })).facts!;
    expect(summary.links).toEqual([
      { key: 'ws', kind: 'other', url: links.ws, copyOnly: true },
      { key: 'mail', kind: 'other', url: links.mail, copyOnly: true },
    ]);
    expect(summary.icon).toBe(`https://ipfs-gateway.dappnode.net${hash}`);
  });
  test('control characters and long values are not repeated in messages', () => {
    const [finding] = validate(withMembers({ version: `\u001b[31m\u202e${'1'.repeat(5_000)}` })).findings;
    expect(finding?.detail).not.toMatch(/[\u001b\u202e]/);
    expect(finding?.detail.length).toBeLessThan(200);
  });
  test('at most 1,000 findings are reported, errors first', () => {
    const entries = Array.from({ length: 900 }, () => ({ nam: 1 }));
    const { findings } = validate(withMembers({ exposable: entries }));
    expect(findings).toHaveLength(1_000);
    expect(findings.filter(({ rule }) => rule === 'more-findings')).toMatchObject([{ title: '1701 more findings' }]);
    expect(findings.filter(({ verdict }) => verdict === 'error')).toHaveLength(999);
  });
});
