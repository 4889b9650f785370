/**
 * Compares a manifest with the registered one: the kind of change, and the author's warnings to show before it (specification,
 * "warnings" and "updateAlerts"). Pure.
 */
import semver from 'semver';
import type { PackageChange, ShownWarning } from '../../contract/package.ts';
import { VERSION } from './manifest/schema.ts';

/** A registration: its version, and a string that is equal if all of its files are. */
export interface Registration {
  version: string;
  content: string;
}

/** The warnings of a manifest. */
export interface Warning {
  warnings: Partial<Record<'onInstall' | 'onUpdate' | 'onPatchUpdate' | 'onMinorUpdate' | 'onMajorUpdate', string>>;
  updateAlerts: readonly { from: string; to?: string; message: string }[];
}

type Level = NonNullable<PackageChange['level']>;
const LEVELS = { major: 'onMajorUpdate', minor: 'onMinorUpdate', patch: 'onPatchUpdate' } as const;

/**
 * @param registered undefined if the package is not registered
 * @param next its version must match the regular expression of the specification
 */
export function decideChange(registered: Registration | undefined, next: Registration): PackageChange {
  const to = next.version;
  if (registered === undefined) {
    return { kind: 'install', to };
  }
  const from = registered.version;
  const order = compare(to, from);
  if (order === 0) {
    return { kind: registered.content === next.content ? 'same' : 'changed', from, to };
  }
  if (order < 0) {
    return { kind: 'downgrade', from, to };
  }
  return { kind: 'update', level: levelOf(from, to), from, to };
}

/** Compares by precedence, then by build metadata, which SemVer 2.0.0 (rule 10) ignores. */
function compare(a: string, b: string): number {
  return semver.compareBuild(comparable(a), comparable(b));
}

/** A version that only matches the regular expression of the specification, as 01.2.3 and 1a2b3, by its three numbers. */
function comparable(version: string): string {
  const numbers = VERSION.exec(version)?.slice(3).map(Number).join('.');
  return semver.valid(version) ?? semver.valid(numbers) ?? '0.0.0';
}

/** The first number that differs; pre-releases and build metadata count as patch. */
function levelOf(from: string, to: string): Level {
  const [a, b] = [comparable(from), comparable(to)];
  if (semver.major(a) !== semver.major(b)) {
    return 'major';
  }
  return semver.minor(a) !== semver.minor(b) ? 'minor' : 'patch';
}

/**
 * The warnings to show before a change, in order. First installation: `onInstall`. Other version: matching update alerts in
 * manifest order, `onUpdate`, and the warning for the level of the change. Other content of the same version: `onUpdate`.
 */
export function warningsFor(change: PackageChange, { warnings, updateAlerts }: Warning): ShownWarning[] {
  const warning = (kind: Exclude<ShownWarning['kind'], 'updateAlert'>): ShownWarning[] => {
    const message = warnings[kind];
    return message === undefined || message === '' ? [] : [{ kind, message }];
  };
  const { kind, from, to } = change;
  if (kind === 'install') {
    return warning('onInstall');
  }
  if (kind === 'same' || from === undefined) {
    return [];
  }
  if (kind === 'changed') {
    return warning('onUpdate');
  }
  const alerts = updateAlerts
    .filter((alert) => matches(alert.from, from) && matches(alert.to ?? '*', to))
    .map((alert) => ({
      kind: 'updateAlert' as const,
      message: alert.message,
      from: alert.from,
      to: alert.to ?? '*',
    }));
  return [...alerts, ...warning('onUpdate'), ...warning(LEVELS[levelOf(from, to)])];
}

/**
 * Pre-releases are compared like any other version: `*` matches all of them, `>=2.0.0` does not match 2.0.0-rc.1, and `<2.0.0`
 * does. npm's rule, that a range matches a pre-release only if it names one of the same version, is meant for automatic
 * installation; here it would suppress warnings. An invalid range, which has a finding, matches nothing.
 */
function matches(range: string, version: string): boolean {
  return semver.satisfies(comparable(version), range, { includePrerelease: true });
}
