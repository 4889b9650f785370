import { describe, expect, it } from 'vitest';
import { linkSign, sortLinks } from './links';
import { aSummary } from './testData';
import { changeWords } from './changeWords';
import { secondsWords, signsOf, typeMeaning, versionWords } from './words';

describe('signsOf', () => {
  const texts = (change: Parameters<typeof aSummary>[0]) => signsOf(aSummary(change)).map(({ text }) => text);

  it('names what was found, the worst first', () => {
    expect(texts({ findings: { error: 1, warning: 2, note: 9 } })).toEqual(['1 error', '2 warnings']);
  });

  it('says that nothing was found, what is missing, and that a file provisions it', () => {
    const findings = { error: 0, warning: 0, note: 1 };
    const origin = { kind: 'file', file: 'a.yaml' } as const;
    expect(texts({ findings, missingDependencies: 1, origin })).toEqual([
      'No findings',
      '1 dependency missing',
      'Provisioned',
    ]);
  });
});

it('puts the version beside what it wraps', () => {
  expect(versionWords({ version: '1.0.0', upstreamVersion: 'v2' })).toBe('1.0.0, upstream v2');
  expect(versionWords({ version: '1.0.0' })).toBe('1.0.0');
});

it.each([
  [10, '10 s'],
  [90, '1 min 30 s'],
  [1200, '20 min'],
  [3600, '1 h'],
  [5430, '1 h 30 min 30 s'],
])('says %i seconds as %s', (seconds, words) => expect(secondsWords(seconds)).toBe(words));

it.each([
  ['service', /can have environment variables and depend on libraries/],
  ['library', /by other packages.*not have environment variables or depend on a service/],
  ['dncore', /core component.*special permissions/],
  ['gadget', /unknown type/],
])('says what the specification says of the type %s', (type, meaning) => expect(typeMeaning(type)).toMatch(meaning));

it('tells the changes apart', () => {
  expect(changeWords({ kind: 'update', from: '1.0.0', to: '2.0.0', level: 'major' })).toBe(
    'Major update from 1.0.0 to 2.0.0.'
  );
  expect(changeWords({ kind: 'downgrade', from: '2.0.0', to: '1.0.0' })).toContain('Downgrade');
  expect(changeWords({ kind: 'same', to: '1.0.0' })).not.toBe(changeWords({ kind: 'changed', to: '1.0.0' }));
});

describe('links', () => {
  const link = (kind: Parameters<typeof linkSign>[0]['kind'], key: string = kind) => ({ kind, key, url: '/' });

  it('come with what is used most first, and the author’s own in their order', () => {
    const links = [link('report'), link('other', 'readme'), link('homepage'), link('other', 'docs'), link('ui')];
    expect(sortLinks(links).map(({ key }) => key)).toEqual(['ui', 'homepage', 'readme', 'docs', 'report']);
  });

  it('have an icon when they are predefined, and their own key when not', () => {
    expect(linkSign(link('engine'))).toMatchObject({ icon: 'brackets-curly', long: 'Engine API' });
    expect(linkSign(link('other', 'readme'))).toEqual({ icon: undefined, short: 'readme', long: 'readme' });
  });
});
