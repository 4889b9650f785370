/** What registering would do, and what its author warns of before it. Pure. */
import type { PackageChange, PackageFacts, ShownWarning } from '@nodebell/contract/package.ts';
import { t } from '../i18n/t';

/** What registering would do, as a sentence. */
export function changeWords({ kind, from, to, level }: PackageChange): string {
  switch (kind) {
    case 'install':
      return t('packages.change.install', 'New package, version {{to}}.', { to });
    case 'update':
      return updateWords(from, to, level);
    case 'downgrade':
      return t('packages.change.downgrade', 'Downgrade from {{from}} to {{to}}.', { from, to });
    case 'same':
      return t('packages.change.same', 'Version {{to}} is already registered with the same content.', { to });
    case 'changed':
      return t('packages.change.changed', 'Version {{to}} is already registered with different content.', { to });
  }
}

function updateWords(from: string | undefined, to: string, level: PackageChange['level']): string {
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

/** In the order in which they are shown. */
const OCCASIONS = [
  'onInstall',
  'onUpdate',
  'onPatchUpdate',
  'onMinorUpdate',
  'onMajorUpdate',
  'onReset',
  'onRemove',
] as const satisfies Array<keyof Warnings>;

function occasionWords(kind: keyof Warnings): string {
  switch (kind) {
    case 'onInstall':
      return t('packages.warning.install', 'Before installation');
    case 'onUpdate':
      return t('packages.warning.update', 'Before any update');
    case 'onPatchUpdate':
      return t('packages.warning.patch', 'Before a patch update');
    case 'onMinorUpdate':
      return t('packages.warning.minor', 'Before a minor update');
    case 'onMajorUpdate':
      return t('packages.warning.major', 'Before a major update');
    case 'onReset':
      return t('packages.warning.reset', 'Before reset');
    case 'onRemove':
      return t('packages.warning.remove', 'Before removal');
  }
}

/** The author's warnings, each with the occasion that it is for. */
export function warningsOf(warnings: Warnings): Array<{ kind: keyof Warnings; title: string; text: string }> {
  return OCCASIONS.flatMap((kind) => {
    const text = warnings[kind];
    return text ? [{ kind, title: occasionWords(kind), text }] : [];
  });
}

/** When a warning that is shown before registering applies, as a title. */
export function warningTitle({ kind, from, to }: ShownWarning): string {
  if (kind !== 'updateAlert') {
    return occasionWords(kind);
  }
  const any = t('packages.warning.any-version', 'any version');
  return t('packages.warning.range', 'Updates from {{from}} to {{to}}', { from: from ?? any, to: to ?? any });
}
