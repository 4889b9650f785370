/** The words and signs that say what a package is. Pure. */
import type { IconName } from '@grafana/ui';
import type { Verdict } from '@nodebell/contract/finding.ts';
import type { PackageChange, PackageSummary, ShownWarning } from '@nodebell/contract/package.ts';
import { plural, type Tone } from '../parts/words';

export interface Sign {
  icon: IconName;
  tone: Tone;
  text: string;
}

/** "0.1.51, upstream v1.17.4". */
export const versionWords = ({ version, upstreamVersion }: Pick<PackageSummary, 'version' | 'upstreamVersion'>) =>
  upstreamVersion ? `${version}, upstream ${upstreamVersion}` : version;

export const VERDICT_SIGNS: Record<Verdict, { icon: IconName; tone: Tone; one: string }> = {
  error: { icon: 'exclamation-circle', tone: 'error', one: 'error' },
  warning: { icon: 'exclamation-triangle', tone: 'warning', one: 'warning' },
  note: { icon: 'info-circle', tone: 'info', one: 'note' },
};

type Signed = Pick<PackageSummary, 'findings' | 'missingDependencies' | 'origin'>;

/** The signs of a card, the worst first. Notes ask for nothing, so a card does not count them. */
export function signsOf({ findings, missingDependencies, origin }: Signed): Sign[] {
  const signs: Sign[] = (['error', 'warning'] as const)
    .filter((verdict) => findings[verdict] > 0)
    .map((verdict) => {
      const { icon, tone, one } = VERDICT_SIGNS[verdict];
      return { icon, tone, text: plural(findings[verdict], one) };
    });
  if (signs.length === 0) {
    signs.push({ icon: 'check-circle', tone: 'success', text: 'No findings' });
  }
  if (missingDependencies > 0) {
    const text = `${plural(missingDependencies, 'dependency', 'dependencies')} missing`;
    signs.push({ icon: 'link', tone: 'warning', text });
  }
  if (origin.kind === 'file') {
    signs.push({ icon: 'lock', tone: 'secondary', text: 'Provisioned' });
  }
  return signs;
}

/** What a type means, in a few words; an unknown type is only repeated. */
export function typeMeaning(type: string): string {
  switch (type) {
    case 'service':
      return 'a service that runs on the node';
    case 'library':
      return 'a library for other packages, without variables and without services of its own to depend on';
    case 'dncore':
      return 'a part of the node itself';
    default:
      return 'a type that the specification does not list';
  }
}

/** A duration of an operation: "10 s", "20 min", "1 h 30 min". */
export function secondsWords(seconds: number): string {
  if (seconds < 60) {
    return `${seconds.toLocaleString()} s`;
  }
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = seconds % 60;
  return [hours > 0 && `${hours.toLocaleString()} h`, minutes > 0 && `${minutes} min`, rest > 0 && `${rest} s`]
    .filter(Boolean)
    .join(' ');
}

/** What registering would do, as a sentence. */
export function changeWords({ kind, from, to, level }: PackageChange): string {
  switch (kind) {
    case 'install':
      return `Version ${to} is registered for the first time.`;
    case 'update':
      return `Version ${from} becomes ${to}${level ? `, a ${level} update` : ''}.`;
    case 'downgrade':
      return `Version ${from} is registered; ${to} is older.`;
    case 'same':
      return `Version ${to} is registered already, with the same content.`;
    case 'changed':
      return `Version ${to} is registered already, with other content.`;
  }
}

/** When a warning of the author applies, as a title. */
export function warningTitle({ kind, from, to }: ShownWarning): string {
  switch (kind) {
    case 'onInstall':
      return 'Before it is installed';
    case 'onUpdate':
      return 'Any update';
    case 'onPatchUpdate':
      return 'Any patch update';
    case 'onMinorUpdate':
      return 'Any minor update';
    case 'onMajorUpdate':
      return 'Any major update';
    case 'updateAlert':
      return `Updates from ${from ?? 'any version'} to ${to ?? 'any version'}`;
  }
}
