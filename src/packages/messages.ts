/** Labels, messages and status icons for packages. Pure. */
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

export interface StatusItem {
  icon: IconName;
  tone: Tone;
  text: string;
}

/** "0.1.51, upstream v1.17.4". */
export const versionLabel = ({ version, upstreamVersion }: Pick<PackageSummary, 'version' | 'upstreamVersion'>) =>
  upstreamVersion
    ? t('packages.card.version', '{{version}}, upstream {{upstream}}', { version, upstream: upstreamVersion })
    : version;

export const VERDICT_ICONS: Record<Verdict, { icon: IconName; tone: Tone }> = {
  error: { icon: 'exclamation-circle', tone: 'error' },
  warning: { icon: 'exclamation-triangle', tone: 'warning' },
  note: { icon: 'info-circle', tone: 'info' },
};

const VERDICT_LABELS: Record<Verdict, () => string> = {
  error: () => t('packages.severity.error', 'error'),
  warning: () => t('packages.severity.warning', 'warning'),
  note: () => t('packages.severity.note', 'note'),
};

/** Label of a finding's severity, such as "error". */
export const verdictLabel = (verdict: Verdict): string => VERDICT_LABELS[verdict]();

const VERDICT_COUNTS: Record<Verdict, (count: number) => string> = {
  error: (count) =>
    t('packages.severity.errors', '', {
      count,
      defaultValue_one: '{{count, number}} error',
      defaultValue_other: '{{count, number}} errors',
    }),
  warning: (count) =>
    t('packages.severity.warnings', '', {
      count,
      defaultValue_one: '{{count, number}} warning',
      defaultValue_other: '{{count, number}} warnings',
    }),
  note: (count) =>
    t('packages.severity.notes', '', {
      count,
      defaultValue_one: '{{count, number}} note',
      defaultValue_other: '{{count, number}} notes',
    }),
};

/** "2 errors". */
export const verdictCount = (verdict: Verdict, count: number): string => VERDICT_COUNTS[verdict](count);

/** "2 lines". */
export const lineCount = (count: number): string =>
  t('packages.review.lines', '', {
    count,
    defaultValue_one: '{{count, number}} line',
    defaultValue_other: '{{count, number}} lines',
  });

type Signed = Pick<PackageSummary, 'findings' | 'missingDependencies' | 'origin'>;

/** Status items of a card, most severe first. Notes require no action and are not counted. */
export function statusItems({ findings, missingDependencies, origin }: Signed): StatusItem[] {
  const signs: StatusItem[] = (['error', 'warning'] as const)
    .filter((verdict) => findings[verdict] > 0)
    .map((verdict) => ({ ...VERDICT_ICONS[verdict], text: verdictCount(verdict, findings[verdict]) }));
  if (signs.length === 0) {
    signs.push({
      icon: 'check-circle',
      tone: 'success',
      text: t('packages.card.no-findings', 'No errors or warnings'),
    });
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

/** Short description of a package type, from the DAppNode manifest specification. */
export function typeDescription(type: string): string {
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

/** Formats a duration in seconds as "10 s", "20 min" or "1 h 30 min". */
export function formatSeconds(length: number): string {
  if (length < 60) {
    return seconds(length);
  }
  const h = Math.floor(length / 3600);
  const min = Math.floor((length % 3600) / 60);
  const s = length % 60;
  return [h > 0 && hours(h), min > 0 && minutes(min), s > 0 && seconds(s)].filter(Boolean).join(' ');
}

/** The minimum node version, and whether it is satisfied. */
export function nodeRequirementMessage(minimum: string, requirement: NodeRequirement | undefined): string {
  const values = { minimum, node: requirement?.node };
  if (requirement === undefined || requirement.state === 'unknown') {
    return t('packages.node.needed', '{{minimum}} or later', values);
  }
  if (requirement.state === 'met') {
    return requirement.node === undefined
      ? t('packages.node.met', '{{minimum}} or later; satisfied', values)
      : t('packages.node.met-with', '{{minimum}} or later; current version is {{node}}', values);
  }
  return requirement.node === undefined
    ? t('packages.node.unmet', '{{minimum}} or later; current version is too old', values)
    : t('packages.node.unmet-with', '{{minimum}} or later; current version {{node}} is too old', values);
}

/** Short repository name: the last path segment of the URL, plus the directory. */
export function repositoryName({ url, directory }: { url: string; directory?: string | undefined }): string {
  const last = url
    .replace(/(\.git)?[/#]*$/, '')
    .split(/[/:]/)
    .at(-1);
  return [last || url, directory].filter(Boolean).join('/');
}

type KnownDependency = Pick<Dependency, 'state' | 'registered'>;

const DEPENDENCIES: Record<
  Dependency['state'],
  Omit<StatusItem, 'text'> & { text: (version: string | undefined) => string }
> = {
  satisfied: {
    icon: 'check-circle',
    tone: 'success',
    text: (version) =>
      version === undefined
        ? t('packages.dependency.registered', 'Registered')
        : t('packages.dependency.registered-version', '{{version}} registered', { version }),
  },
  unsatisfied: {
    icon: 'exclamation-triangle',
    tone: 'warning',
    text: (version) =>
      version === undefined
        ? t('packages.dependency.incompatible', 'Registered version is incompatible')
        : t('packages.dependency.incompatible-version', '{{version}} is incompatible', { version }),
  },
  missing: {
    icon: 'exclamation-triangle',
    tone: 'warning',
    text: () => t('packages.dependency.missing', 'Not registered'),
  },
  unknown: { icon: 'question-circle', tone: 'secondary', text: () => t('packages.dependency.unknown', 'Unknown') },
};

/** Status of a dependency. */
export const dependencyStatus = ({ state, registered }: KnownDependency): StatusItem => ({
  ...DEPENDENCIES[state],
  text: DEPENDENCIES[state].text(registered),
});

/** Short facts about an endpoint. */
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

/** Result of a restore, including skipped entries. */
export function restoreMessages(result: BackupRestored): { title: string; lines: string[] } {
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

/** Origin of a dashboard and whether it exists in Grafana. */
export function dashboardMessage(
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
