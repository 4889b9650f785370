/**
 * What registering a manifest means beside what is registered, and what the author wants to be read before it
 * (specification, "warnings" and "updateAlerts"). Pure.
 */
import semver from 'semver';
import type { PackageChange, ShownWarning } from '../../contract/package.ts';

/** One registration: its version, and a text that is equal when all of its files are. */
export interface Registration {
  version: string;
  content: string;
}

/** As much of a manifest as warns. */
export interface Warning {
  warnings: Partial<Record<'onInstall' | 'onUpdate' | 'onPatchUpdate' | 'onMinorUpdate' | 'onMajorUpdate', string>>;
  updateAlerts: readonly { from: string; to?: string; message: string }[];
}

type Level = NonNullable<PackageChange['level']>;
const LEVELS = { major: 'onMajorUpdate', minor: 'onMinorUpdate', patch: 'onPatchUpdate' } as const;

/**
 * @param registered undefined: the package is not registered
 * @param next its version must be a semantic version
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

/** By precedence; what differs in build metadata alone (SemVer 2.0.0, rule 10) is told apart all the same. */
function compare(a: string, b: string): number {
  return semver.compareBuild(a, b);
}

/** The first number that differs; a pre-release becoming its release, and build metadata, are like a patch. */
function levelOf(a: string, b: string): Level {
  if (semver.major(a) !== semver.major(b)) {
    return 'major';
  }
  return semver.minor(a) !== semver.minor(b) ? 'minor' : 'patch';
}

/**
 * What to show before a change, in order: at a first installation `onInstall` alone; at a change of version the update alerts
 * in the order of the manifest, `onUpdate`, and the other dialect's warning for the number that changes. Other content under
 * the same version is an update without a jump: `onUpdate` alone. Nothing when nothing changes.
 */
export function warningsFor(change: PackageChange, { warnings, updateAlerts }: Warning): ShownWarning[] {
  const say = (kind: Exclude<ShownWarning['kind'], 'updateAlert'>): ShownWarning[] => {
    const message = warnings[kind];
    return message === undefined || message === '' ? [] : [{ kind, message }];
  };
  const { kind, from, to } = change;
  if (kind === 'install') {
    return say('onInstall');
  }
  if (kind === 'same' || from === undefined) {
    return [];
  }
  if (kind === 'changed') {
    return say('onUpdate');
  }
  const alerts = updateAlerts
    .filter((alert) => takes(alert.from, from) && takes(alert.to ?? '*', to))
    .map((alert) => ({
      kind: 'updateAlert' as const,
      message: alert.message,
      from: alert.from,
      to: alert.to ?? '*',
    }));
  return [...alerts, ...say('onUpdate'), ...say(LEVELS[levelOf(from, to)])];
}

/**
 * Pre-releases are compared like any other version: `*` takes each of them, `>=2.0.0` not 2.0.0-rc.1, and `<2.0.0` does.
 * npm's rule, by which a range takes a pre-release only when it names one of the same three numbers, is about what to install
 * by itself; here an admin would go unwarned. A range that cannot be read takes nothing; the validate has said so.
 */
function takes(range: string, version: string): boolean {
  return semver.satisfies(version, range, { includePrerelease: true });
}
