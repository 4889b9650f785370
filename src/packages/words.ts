/** The words and signs that say what a package is. Pure. */
import type { IconName } from '@grafana/ui';
import type { BackupRestored } from '@nodebell/contract/backup.ts';
import type { DashboardFile } from '@nodebell/contract/dashboard.ts';
import type { Verdict } from '@nodebell/contract/finding.ts';
import type {
  Dependency,
  NodeRequirement,
  PackageChange,
  PackageEndpoint,
  PackageFacts,
  PackageSummary,
  ShownWarning,
} from '@nodebell/contract/package.ts';
import type { DashboardPresence } from '../bridge/grafana';
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

/** What the specification says of a type, in a few words; an unknown type is only repeated. */
export function typeMeaning(type: string): string {
  switch (type) {
    case 'service':
      return 'runs on the node, may have environment variables and may depend on libraries';
    case 'library':
      return 'made for other packages; should have no environment variables, and no dependency on a service';
    case 'dncore':
      return 'a part of the node itself, with special permissions';
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

type Warnings = PackageFacts['warnings'];

const WARNING_TITLES: Record<keyof Warnings, string> = {
  onInstall: 'Before it is installed',
  onUpdate: 'Before any update',
  onPatchUpdate: 'Before a patch update',
  onMinorUpdate: 'Before a minor update',
  onMajorUpdate: 'Before a major update',
  onReset: 'Before it is reset',
  onRemove: 'Before it is removed',
};

/** The author's warnings, each with the occasion that it is for. */
export function warningsOf(warnings: Warnings): Array<{ kind: keyof Warnings; title: string; text: string }> {
  return (Object.keys(WARNING_TITLES) as Array<keyof Warnings>).flatMap((kind) => {
    const text = warnings[kind];
    return text ? [{ kind, title: WARNING_TITLES[kind], text }] : [];
  });
}

/** When a warning that is shown before registering applies, as a title. */
export function warningTitle({ kind, from, to }: ShownWarning): string {
  return kind === 'updateAlert'
    ? `Updates from ${from ?? 'any version'} to ${to ?? 'any version'}`
    : WARNING_TITLES[kind];
}

/** The node version that is needed, and whether the node has it. */
export function nodeWords(minimum: string, requirement: NodeRequirement | undefined): string {
  switch (requirement?.state) {
    case 'met':
      return `${minimum} or newer; this one has ${requirement.node ?? 'it'}`;
    case 'unmet':
      return `${minimum} or newer; this one has only ${requirement.node ?? 'an older one'}`;
    default:
      return `${minimum} or newer`;
  }
}

/** A repository by its last part: addresses are long, and begin alike. */
export function repositoryName({ url, directory }: { url: string; directory?: string | undefined }): string {
  const last = url
    .replace(/(\.git)?[/#]*$/, '')
    .split(/[/:]/)
    .at(-1);
  return [last || url, directory].filter(Boolean).join('/');
}

/** Whether a dependency is there. */
export function dependencySign({ state, registered }: Pick<Dependency, 'state' | 'registered'>): Sign {
  switch (state) {
    case 'satisfied':
      return { icon: 'check-circle', tone: 'success', text: `${registered ?? 'It'} is registered` };
    case 'unsatisfied':
      return { icon: 'exclamation-triangle', tone: 'warning', text: `${registered ?? 'Another'} does not fit` };
    case 'missing':
      return { icon: 'exclamation-triangle', tone: 'warning', text: 'Not registered' };
    case 'unknown':
      return { icon: 'question-circle', tone: 'secondary', text: 'Cannot be told' };
  }
}

/** What else is to be said of an endpoint, each a few words. */
export function endpointFacts(endpoint: PackageEndpoint): string[] {
  const { kind, threshold, metric, priority, category, isBanner } = endpoint;
  const unit = metric?.unit ? ` ${metric.unit}` : '';
  const range = metric && `slider from ${metric.min} to ${metric.max}${unit}`;
  return [
    threshold !== undefined && `threshold ${threshold}${unit}`,
    range,
    priority && `priority ${priority}`,
    category && `category ${category}`,
    isBanner && 'asks for a banner',
    kind === 'custom' ? 'checked by the package itself' : 'checked by a monitor',
  ].filter((fact) => typeof fact === 'string');
}

/** What a restore did, with what it left alone. */
export function restoredWords(result: BackupRestored): { title: string; lines: string[] } {
  const { restored, unknown, missing, backupVersion } = result;
  return {
    title: `Restored ${plural(restored.length, 'entry', 'entries')} from the backup of ${backupVersion}`,
    lines: [
      ...restored.map(({ name, path, from }) =>
        path === from ? `${name}: ${path}` : `${name}: from ${from} to ${path}`
      ),
      ...unknown.map((name) => `${name} is in the backup, but the package no longer has it; left alone.`),
      ...missing.map((name) => `${name} is not in the backup; left as it was.`),
    ],
  };
}

/** What a dashboard is and where it stands, in a sentence or two. */
export function dashboardWords(
  { origin, problem, dashboard }: DashboardFile,
  presence: DashboardPresence | undefined
): string {
  const from = origin === 'generated' ? 'Made from the manifest.' : 'Comes with the package.';
  if (problem !== undefined) {
    return `${from} ${problem}`;
  }
  if (presence !== 'none') {
    return from;
  }
  return dashboard ? `${from} Not in Grafana yet.` : `${from} The manifest names it, but it is not in this Grafana.`;
}
