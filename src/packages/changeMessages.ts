/** Messages about a package change and the author's warnings. Pure. */
import type { PackageChange, PackageFacts, ShownWarning } from '@nodebell/contract/package.ts';
import { t } from '../i18n/t';

/** Describes the change that registering would make. */
export function changeMessage({ kind, from, to, level }: PackageChange): string {
  switch (kind) {
    case 'install':
      return t('packages.change.install', 'New package, version {{to}}.', { to });
    case 'update':
      return updateMessage(from, to, level);
    case 'downgrade':
      return t('packages.change.downgrade', 'Downgrade from {{from}} to {{to}}.', { from, to });
    case 'same':
      return t('packages.change.same', 'Version {{to}} is already registered with the same content.', { to });
    case 'changed':
      return t('packages.change.changed', 'Version {{to}} is already registered with different content.', { to });
  }
}

function updateMessage(from: string | undefined, to: string, level: PackageChange['level']): string {
  switch (level) {
    case 'major':
      return t('packages.change.major', 'Major update from {{from}} to {{to}}.', { from, to });
    case 'minor':
      return t('packages.change.minor', 'Minor update from {{from}} to {{to}}.', { from, to });
    case 'patch':
      return t('packages.change.patch', 'Patch update from {{from}} to {{to}}.', { from, to });
    default:
      return t('packages.change.update', 'Update from {{from}} to {{to}}.', { from, to });
  }
}

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
