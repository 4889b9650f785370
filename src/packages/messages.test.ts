import { describe, expect, it } from 'vitest';
import { linkLabel, sortLinks } from '../components/packageLinks';
import { aSummary } from './packages.testing';
import { changeMessage } from './changeMessages';
import { formatSeconds, statusItems, typeDescription, versionLabel } from './messages';

describe('statusItems', () => {
  const texts = (change: Parameters<typeof aSummary>[0]) => statusItems(aSummary(change)).map(({ text }) => text);

  it('lists findings, most severe first', () => {
    expect(texts({ findings: { error: 1, warning: 2, note: 9 } })).toEqual(['1 error', '2 warnings']);
  });

  it('shows no findings, missing dependencies and provisioning', () => {
    const findings = { error: 0, warning: 0, note: 1 };
    const origin = { kind: 'file', file: 'a.yaml' } as const;
    expect(texts({ findings, missingDependencies: 1, origin })).toEqual([
      'No errors or warnings',
      '1 dependency missing',
      'Provisioned',
    ]);
  });
});

it('shows the version with the upstream version', () => {
  expect(versionLabel({ version: '1.0.0', upstreamVersion: 'v2' })).toBe('1.0.0, upstream v2');
  expect(versionLabel({ version: '1.0.0' })).toBe('1.0.0');
});

it.each([
  [10, '10 s'],
  [90, '1 min 30 s'],
  [1200, '20 min'],
  [3600, '1 h'],
  [5430, '1 h 30 min 30 s'],
])('formats %i seconds as %s', (seconds, expected) => expect(formatSeconds(seconds)).toBe(expected));

it.each([
  ['service', /can have environment variables and depend on libraries/],
  ['library', /by other packages.*not have environment variables or depend on a service/],
  ['dncore', /core component.*special permissions/],
  ['gadget', /unknown type/],
])('describes the type %s', (type, description) => expect(typeDescription(type)).toMatch(description));

it('describes each kind of change', () => {
  expect(changeMessage({ kind: 'update', from: '1.0.0', to: '2.0.0', level: 'major' })).toBe(
    'Major update from 1.0.0 to 2.0.0.'
  );
  expect(changeMessage({ kind: 'downgrade', from: '2.0.0', to: '1.0.0' })).toContain('Downgrade');
  expect(changeMessage({ kind: 'same', to: '1.0.0' })).not.toBe(changeMessage({ kind: 'changed', to: '1.0.0' }));
});

describe('links', () => {
  const link = (kind: Parameters<typeof linkLabel>[0]['kind'], key: string = kind) => ({ kind, key, url: '/' });

  it('sorts links by use, custom links in the author’s order', () => {
    const links = [link('report'), link('other', 'readme'), link('homepage'), link('other', 'docs'), link('ui')];
    expect(sortLinks(links).map(({ key }) => key)).toEqual(['ui', 'homepage', 'readme', 'docs', 'report']);
  });

  it('has an icon for predefined links and the key for custom ones', () => {
    expect(linkLabel(link('engine'))).toMatchObject({ icon: 'brackets-curly', long: 'Engine API' });
    expect(linkLabel(link('other', 'readme'))).toEqual({ icon: undefined, short: 'readme', long: 'readme' });
  });
});
