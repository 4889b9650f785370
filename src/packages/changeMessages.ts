/** Messages about a package change and the author's warnings. Pure. */
import type { PackageChange, PackageFacts, ShownWarning } from '@nodebell/contract/package.ts';
import { t } from '../i18n/t';

type Versions = Pick<PackageChange, 'from' | 'to'>;

const CHANGES: Record<Exclude<PackageChange['kind'], 'update'>, (versions: Versions) => string> = {
  install: (versions) => t('packages.change.install', 'New package, version {{to}}.', versions),
  downgrade: (versions) => t('packages.change.downgrade', 'Downgrade from {{from}} to {{to}}.', versions),
  same: (versions) =>
    t('packages.change.same', 'Version {{to}} is already registered with the same content.', versions),
  changed: (versions) =>
    t('packages.change.changed', 'Version {{to}} is already registered with different content.', versions),
};

const UPDATES: Record<NonNullable<PackageChange['level']> | 'any', (versions: Versions) => string> = {
  major: (versions) => t('packages.change.major', 'Major update from {{from}} to {{to}}.', versions),
  minor: (versions) => t('packages.change.minor', 'Minor update from {{from}} to {{to}}.', versions),
  patch: (versions) => t('packages.change.patch', 'Patch update from {{from}} to {{to}}.', versions),
  any: (versions) => t('packages.change.update', 'Update from {{from}} to {{to}}.', versions),
};

/** Describes the change that registering would make. */
export const changeMessage = ({ kind, from, to, level }: PackageChange): string =>
  (kind === 'update' ? UPDATES[level ?? 'any'] : CHANGES[kind])({ from, to });

type Warnings = PackageFacts['warnings'];

/** Display order. */
const OCCASIONS = [
  'onInstall',
  'onUpdate',
  'onPatchUpdate',
  'onMinorUpdate',
  'onMajorUpdate',
  'onReset',
  'onRemove',
] as const satisfies Array<keyof Warnings>;

const WARNING_LABELS: Record<keyof Warnings, () => string> = {
  onInstall: () => t('packages.warning.install', 'Before installation'),
  onUpdate: () => t('packages.warning.update', 'Before any update'),
  onPatchUpdate: () => t('packages.warning.patch', 'Before a patch update'),
  onMinorUpdate: () => t('packages.warning.minor', 'Before a minor update'),
  onMajorUpdate: () => t('packages.warning.major', 'Before a major update'),
  onReset: () => t('packages.warning.reset', 'Before reset'),
  onRemove: () => t('packages.warning.remove', 'Before removal'),
};

/** The author's warnings with their titles. */
export function warningsOf(warnings: Warnings): Array<{ kind: keyof Warnings; title: string; text: string }> {
  return OCCASIONS.flatMap((kind) => {
    const text = warnings[kind];
    return text ? [{ kind, title: WARNING_LABELS[kind](), text }] : [];
  });
}

/** Title of a warning shown before registration. */
export function warningTitle({ kind, from, to }: ShownWarning): string {
  if (kind !== 'updateAlert') {
    return WARNING_LABELS[kind]();
  }
  const any = t('packages.warning.any-version', 'any version');
  return t('packages.warning.range', 'Updates from {{from}} to {{to}}', { from: from ?? any, to: to ?? any });
}
