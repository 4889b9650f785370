import { describe, expect, test } from 'vitest';
import { decideChange, warningsFor } from './updateDecision.ts';

const at = (version: string, content = 'a') => ({ version, content });

describe('kind of change', () => {
  test.each<[string | undefined, string, object]>([
    [undefined, '1.0.0', { kind: 'install', to: '1.0.0' }],
    ['1.0.0', '1.0.1', { kind: 'update', level: 'patch', from: '1.0.0', to: '1.0.1' }],
    ['1.0.9', '1.1.0', { kind: 'update', level: 'minor', from: '1.0.9', to: '1.1.0' }],
    ['1.9.9', '2.0.0', { kind: 'update', level: 'major', from: '1.9.9', to: '2.0.0' }],
    ['0.9.0', '0.10.0', { kind: 'update', level: 'minor', from: '0.9.0', to: '0.10.0' }],
    ['1.0.0', '0.9.9', { kind: 'downgrade', from: '1.0.0', to: '0.9.9' }],
    ['1.10.0', '1.9.0', { kind: 'downgrade', from: '1.10.0', to: '1.9.0' }],
    ['1.0.0-rc.1', '1.0.0', { kind: 'update', level: 'patch', from: '1.0.0-rc.1', to: '1.0.0' }],
    ['1.0.0', '1.0.0-rc.1', { kind: 'downgrade', from: '1.0.0', to: '1.0.0-rc.1' }],
    ['1.0.0-rc.2', '1.0.0-rc.10', { kind: 'update', level: 'patch', from: '1.0.0-rc.2', to: '1.0.0-rc.10' }],
    ['1.0.0', '2.0.0-rc.1', { kind: 'update', level: 'major', from: '1.0.0', to: '2.0.0-rc.1' }],
    ['1.0.0', '1.0.0', { kind: 'same', from: '1.0.0', to: '1.0.0' }],
    // Match the regular expression of the specification only.
    ['01.2.3', '1.2.4', { kind: 'update', level: 'patch', from: '01.2.3', to: '1.2.4' }],
    ['1.2.3', '1a3b0', { kind: 'update', level: 'minor', from: '1.2.3', to: '1a3b0' }],
    ['2.0.0', '12345', { kind: 'downgrade', from: '2.0.0', to: '12345' }],
    ['2.0.0', `${'9'.repeat(30)}.0.0`, { kind: 'downgrade', from: '2.0.0', to: `${'9'.repeat(30)}.0.0` }],
  ])('%s → %s', (from, to, change) => {
    expect(decideChange(from === undefined ? undefined : at(from), at(to))).toEqual(change);
  });

  test('the same version with other content is a change', () => {
    expect(decideChange(at('1.0.0', 'a'), at('1.0.0', 'b'))).toEqual({ kind: 'changed', from: '1.0.0', to: '1.0.0' });
  });
});

/** Whether an alert for `range` is shown for the change. */
function shown(from: string | undefined, to: string, range: { from: string; to?: string }): boolean {
  const change = decideChange(from === undefined ? undefined : at(from), at(to));
  const alert = { ...range, message: 'Careful' };
  const warnings = warningsFor(change, { warnings: {}, updateAlerts: [alert] });
  expect(warnings).toEqual(
    warnings.length === 0 ? [] : [{ kind: 'updateAlert', message: 'Careful', from: range.from, to: range.to ?? '*' }]
  );
  return warnings.length > 0;
}

describe('update alerts', () => {
  test.each<[string | undefined, string, string, string | undefined, boolean]>([
    // from, to, alert.from, alert.to, shown
    ['1.0.0', '2.0.0', '1.x', '2.x', true],
    ['1.0.0', '2.0.0', '^1.0.0', '^2.0.0', true],
    ['1.0.0', '1.5.0', '1.x', '2.x', false],
    ['0.9.0', '2.0.0', '1.x', '2.x', false],
    ['1.0.0', '3.0.0', '1.x', '2.x', false],
    ['1.0.0', '3.0.0', '1.x', '>=2', true],
    ['1.9.9', '2.0.0', '<2.0.0', '>=2.0.0', true],
    ['2.0.0', '2.0.1', '<2.0.0', '>=2.0.0', false],
    ['0.1.0', '0.2.0', '0.1.x', '0.2.x', true],
    ['0.1.0', '0.2.0', '^0.1.0', '^0.2.0', true],
    ['0.1.0', '0.3.0', '^0.1.0', '^0.2.0', false],
    ['0.2.33', '0.2.34', '<=0.2.33', '>0.2.33', true],
    ['0.2.34', '0.2.35', '<=0.2.33', '>0.2.33', false],
    ['1.2.3', '1.2.4', '1.2.3', '1.2.4', true],
    ['1.2.2', '1.2.4', '1.2.3', '1.2.4', false],
    ['1.2.3', '1.2.5', '1.2.3', '1.2.4', false],
    ['1.2.3', '1.3.0', '~1.2.0', '1.3.0', true],
    ['1.1.9', '1.3.0', '~1.2.0', '1.3.0', false],
    ['1.0.0', '2.0.0', '1.0.0 || 1.1.0', '2.0.0', true],
    ['1.1.0', '2.0.0', '1.0.0 || 1.1.0', '2.0.0', true],
    ['1.2.0', '2.0.0', '1.0.0 || 1.1.0', '2.0.0', false],
    ['1.5.0', '2.0.0', '1.2.0 - 1.8.0', '*', true],
    ['1.9.0', '2.0.0', '1.2.0 - 1.8.0', '*', false],
    // without `to` every version matches
    ['1.0.0', '1.0.1', '1.x', undefined, true],
    ['1.0.0', '9.0.0', '1.x', undefined, true],
    ['2.0.0', '9.0.0', '1.x', undefined, false],
    ['1.0.0', '2.0.0-rc.1', '1.x', undefined, true],
    ['1.0.0', '1.0.1', '*', undefined, true],
    // pre-releases are compared like any other version
    ['2.0.0-rc.1', '2.0.0', '<2.0.0', '>=2.0.0', true],
    ['1.0.0', '2.0.0-rc.1', '<2.0.0', '>=2.0.0', false],
    ['1.0.0', '2.0.0-rc.1', '1.x', '>=2.0.0-0', true],
    ['2.0.0-rc.1', '2.0.0-rc.2', '2.0.0-rc.1', '2.0.0-rc.2', true],
    ['1.5.0-beta', '1.6.0', '^1.0.0', '*', true],
    // downgrades show alerts, too
    ['2.0.0', '1.0.0', '>=2', '<2', true],
    ['2.0.0', '1.0.0', '<2', '>=2', false],
    // never for a first installation or the same version
    [undefined, '2.0.0', '*', '*', false],
    [undefined, '2.0.0', '*', undefined, false],
    ['2.0.0', '2.0.0', '*', '*', false],
    // invalid ranges match nothing
    ['1.0.0', '2.0.0', 'from one', '*', false],
    ['1.0.0', '2.0.0', '1.x', 'two', false],
    ['1.0.0', '2.0.0', '>=1.0.0 <', '*', false],
    // an empty range matches any version (semver)
    ['1.0.0', '2.0.0', '', '', true],
  ])('%s → %s, from %s to %s: %s', (from, to, rangeFrom, rangeTo, expected) => {
    expect(shown(from, to, { from: rangeFrom, ...(rangeTo !== undefined && { to: rangeTo }) })).toBe(expected);
  });
});

describe('warnings', () => {
  const manifest = {
    warnings: {
      onInstall: 'install',
      onUpdate: 'update',
      onPatchUpdate: 'patch',
      onMinorUpdate: 'minor',
      onMajorUpdate: 'major',
      onReset: 'reset',
      onRemove: 'remove',
    },
    updateAlerts: [
      { from: '*', to: '*', message: 'second' },
      { from: '1.x', to: '2.x', message: 'first' },
    ],
  };
  const kinds = (from: string | undefined, to: string, content = 'a') =>
    warningsFor(decideChange(from === undefined ? undefined : at(from), at(to, content)), manifest).map(
      ({ message }) => message
    );

  test('first installation: onInstall only', () => expect(kinds(undefined, '1.0.0')).toEqual(['install']));
  test('update: alerts in manifest order, then onUpdate and the level', () => {
    expect(kinds('1.0.0', '2.0.0')).toEqual(['second', 'first', 'update', 'major']);
    expect(kinds('1.0.0', '1.1.0')).toEqual(['second', 'update', 'minor']);
    expect(kinds('1.0.0', '1.0.1')).toEqual(['second', 'update', 'patch']);
  });
  test('downgrade: as for an update', () => expect(kinds('2.0.0', '1.0.0')).toEqual(['second', 'update', 'major']));
  test('other content of the same version: onUpdate only', () =>
    expect(kinds('1.0.0', '1.0.0', 'b')).toEqual(['update']));
  test('no change: no warnings', () => expect(kinds('1.0.0', '1.0.0')).toEqual([]));
  test('empty warnings are omitted', () =>
    expect(warningsFor({ kind: 'install', to: '1.0.0' }, { warnings: { onInstall: '' }, updateAlerts: [] })).toEqual(
      []
    ));
});
