/** The words and signs that say what a package is. Pure. */
import type { IconName } from '@grafana/ui';
import type { BackupRestored } from '@nodebell/contract/backup.ts';
import type { DashboardFile } from '@nodebell/contract/dashboard.ts';
import type { Verdict } from '@nodebell/contract/finding.ts';
import type { Dependency, NodeRequirement, PackageEndpoint, PackageSummary } from '@nodebell/contract/package.ts';
import type { DashboardPresence } from '../api/grafana';
import { decimalSign } from '../i18n/locale';
import { t } from '../i18n/t';
import { hours, minutes, seconds } from '../components/time';
import type { Tone } from '../components/StateText';

export interface Sign {
  icon: IconName;
  tone: Tone;
  text: string;
}

/** "0.1.51, upstream v1.17.4". */
export const versionWords = ({ version, upstreamVersion }: Pick<PackageSummary, 'version' | 'upstreamVersion'>) =>
  upstreamVersion
    ? t('packages.card.version', '{{version}}, upstream {{upstream}}', { version, upstream: upstreamVersion })
    : version;

export const VERDICT_SIGNS: Record<Verdict, { icon: IconName; tone: Tone }> = {
  error: { icon: 'exclamation-circle', tone: 'error' },
  warning: { icon: 'exclamation-triangle', tone: 'warning' },
  note: { icon: 'info-circle', tone: 'info' },
};

/** "error": what a sign of one finding says. */
export function verdictWord(verdict: Verdict): string {
  switch (verdict) {
    case 'error':
      return t('packages.severity.error', 'error');
    case 'warning':
      return t('packages.severity.warning', 'warning');
    case 'note':
      return t('packages.severity.note', 'note');
  }
}

/** "2 errors". */
export function verdictCount(verdict: Verdict, count: number): string {
  switch (verdict) {
    case 'error':
      return t('packages.severity.errors', '', {
        count,
        defaultValue_one: '{{count, number}} error',
        defaultValue_other: '{{count, number}} errors',
      });
    case 'warning':
      return t('packages.severity.warnings', '', {
        count,
        defaultValue_one: '{{count, number}} warning',
        defaultValue_other: '{{count, number}} warnings',
      });
    case 'note':
      return t('packages.severity.notes', '', {
        count,
        defaultValue_one: '{{count, number}} note',
        defaultValue_other: '{{count, number}} notes',
      });
  }
}

/** "2 lines". */
export const lineCount = (count: number): string =>
  t('packages.review.lines', '', {
    count,
    defaultValue_one: '{{count, number}} line',
    defaultValue_other: '{{count, number}} lines',
  });

type Signed = Pick<PackageSummary, 'findings' | 'missingDependencies' | 'origin'>;

/** The signs of a card, the worst first. Notes ask for nothing, so a card does not count them. */
export function signsOf({ findings, missingDependencies, origin }: Signed): Sign[] {
  const signs: Sign[] = (['error', 'warning'] as const)
    .filter((verdict) => findings[verdict] > 0)
    .map((verdict) => ({ ...VERDICT_SIGNS[verdict], text: verdictCount(verdict, findings[verdict]) }));
  if (signs.length === 0) {
    signs.push({ icon: 'check-circle', tone: 'success', text: t('packages.card.no-findings', 'No findings') });
  }
  if (missingDependencies > 0) {
    const text = t('packages.card.missing', '', {
      count: missingDependencies,
      defaultValue_one: '{{count, number}} dependency missing',
      defaultValue_other: '{{count, number}} dependencies missing',
    });
    signs.push({ icon: 'link', tone: 'warning', text });
  }
  if (origin.kind === 'file') {
    signs.push({ icon: 'lock', tone: 'secondary', text: t('packages.card.provisioned', 'Provisioned') });
  }
  return signs;
}

/** What the specification says of a type, in a few words; an unknown type is only repeated. */
export function typeMeaning(type: string): string {
  switch (type) {
    case 'service':
      return t('packages.type.service', 'runs on the node; can have environment variables and depend on libraries');
    case 'library':
      return t(
        'packages.type.library',
        'used by other packages; should not have environment variables or depend on a service'
      );
    case 'dncore':
      return t('packages.type.dncore', 'core component with special permissions');
    default:
      return t('packages.type.unknown', 'unknown type');
  }
}

/** A duration of an operation: "10 s", "20 min", "1 h 30 min". */
export function secondsWords(length: number): string {
  if (length < 60) {
    return seconds(length);
  }
  const h = Math.floor(length / 3600);
  const min = Math.floor((length % 3600) / 60);
  const s = length % 60;
  return [h > 0 && hours(h), min > 0 && minutes(min), s > 0 && seconds(s)].filter(Boolean).join(' ');
}

/** The node version that is needed, and whether the node has it. */
export function nodeWords(minimum: string, requirement: NodeRequirement | undefined): string {
  switch (requirement?.state) {
    case 'met':
      return requirement.node === undefined
        ? t('packages.node.met', '{{minimum}} or later; satisfied', { minimum })
        : t('packages.node.met-with', '{{minimum}} or later; current version is {{node}}', {
            minimum,
            node: requirement.node,
          });
    case 'unmet':
      return requirement.node === undefined
        ? t('packages.node.unmet', '{{minimum}} or later; current version is too old', { minimum })
        : t('packages.node.unmet-with', '{{minimum}} or later; current version {{node}} is too old', {
            minimum,
            node: requirement.node,
          });
    default:
      return t('packages.node.needed', '{{minimum}} or later', { minimum });
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
export function dependencySign(dependency: Pick<Dependency, 'state' | 'registered'>): Sign {
  const text = dependencyWords(dependency);
  switch (dependency.state) {
    case 'satisfied':
      return { icon: 'check-circle', tone: 'success', text };
    case 'unsatisfied':
    case 'missing':
      return { icon: 'exclamation-triangle', tone: 'warning', text };
    case 'unknown':
      return { icon: 'question-circle', tone: 'secondary', text };
  }
}

function dependencyWords({ state, registered }: Pick<Dependency, 'state' | 'registered'>): string {
  switch (state) {
    case 'satisfied':
      return registered === undefined
        ? t('packages.dependency.registered', 'Registered')
        : t('packages.dependency.registered-version', '{{version}} registered', { version: registered });
    case 'unsatisfied':
      return registered === undefined
        ? t('packages.dependency.incompatible', 'Registered version is incompatible')
        : t('packages.dependency.incompatible-version', '{{version}} is incompatible', { version: registered });
    case 'missing':
      return t('packages.dependency.missing', 'Not registered');
    case 'unknown':
      return t('packages.dependency.unknown', 'Unknown');
  }
}

/** What else is to be said of an endpoint, each a few words. */
export function endpointFacts(endpoint: PackageEndpoint): string[] {
  const { kind, threshold, metric, priority, category, isBanner } = endpoint;
  const unit = metric?.unit ? ` ${metric.unit}` : '';
  const withUnit = (value: number) => `${value}${unit}`.replace('.', decimalSign());
  return [
    threshold !== undefined && t('packages.endpoint.threshold', 'threshold {{value}}', { value: withUnit(threshold) }),
    metric &&
      t('packages.endpoint.slider', 'range {{min}} to {{max}}', {
        min: String(metric.min).replace('.', decimalSign()),
        max: withUnit(metric.max),
      }),
    priority && t('packages.endpoint.priority', 'priority {{priority}}', { priority }),
    category && t('packages.endpoint.category', 'category {{category}}', { category }),
    isBanner && t('packages.endpoint.banner', 'shown as a banner'),
    kind === 'custom'
      ? t('packages.endpoint.custom', 'sent by the package')
      : t('packages.endpoint.monitored', 'monitored'),
  ].filter((fact) => typeof fact === 'string');
}

/** What a restore did, with what it left alone. */
export function restoredWords(result: BackupRestored): { title: string; lines: string[] } {
  const { restored, unknown, missing, backupVersion } = result;
  return {
    title: t('packages.restored.title', '', {
      count: restored.length,
      version: backupVersion,
      defaultValue_one: 'Restored {{count, number}} entry from the backup of {{version}}',
      defaultValue_other: 'Restored {{count, number}} entries from the backup of {{version}}',
    }),
    lines: [
      ...restored.map(({ name, path, from }) =>
        path === from
          ? `${name}: ${path}`
          : t('packages.restored.moved', '{{name}}: from {{from}} to {{path}}', { name, from, path })
      ),
      ...unknown.map((name) =>
        t('packages.restored.unknown', '{{name}}: skipped, no longer part of the package.', {
          name,
        })
      ),
      ...missing.map((name) => t('packages.restored.missing', '{{name}}: not in the backup, not changed.', { name })),
    ],
  };
}

/** What a dashboard is and where it stands, in a sentence or two. */
export function dashboardWords(
  { origin, problem, dashboard }: DashboardFile,
  presence: DashboardPresence | undefined
): string {
  const from =
    origin === 'generated'
      ? t('packages.dashboard.generated', 'Generated from the manifest.')
      : t('packages.dashboard.shipped', 'Included in the package.');
  if (problem !== undefined) {
    return `${from} ${problem}`;
  }
  if (presence !== 'none') {
    return from;
  }
  const absent = dashboard
    ? t('packages.dashboard.not-yet', 'Not in Grafana yet.')
    : t('packages.dashboard.absent', 'Listed in the manifest, but not found in Grafana.');
  return `${from} ${absent}`;
}
