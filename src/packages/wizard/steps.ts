/** Wizard steps: their order, which of them have content, and what blocks continuing. Pure. */
import type { PackageSettings } from '@nodebell/contract/endpoint.ts';
import type { PackagePreview } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { countVerdicts } from '../review/findings';
import type { Files } from '../review/Review';

export const STEPS = ['manifest', 'findings', 'warnings', 'disclaimer', 'notifications', 'register'] as const;
export type Step = (typeof STEPS)[number];

const STEP_NAMES: Record<Step, () => string> = {
  manifest: () => t('packages.steps.manifest', 'Manifest'),
  findings: () => t('packages.steps.findings', 'Findings'),
  warnings: () => t('packages.steps.warnings', 'Warnings'),
  disclaimer: () => t('packages.steps.disclaimer', 'Disclaimer'),
  notifications: () => t('packages.steps.notifications', 'Notifications'),
  register: () => t('packages.steps.register', 'Register'),
};

export const stepName = (step: Step): string => STEP_NAMES[step]();

export interface Draft {
  files: Files;
  /** Validation result of these files; undefined until they are validated. */
  preview: PackagePreview | undefined;
  /** Name of the package to update; undefined when adding a package. */
  expected: string | undefined;
  disclaimerAccepted: boolean;
  /** The user confirmed registering an older version, or different content under the same version. */
  downgradeConfirmed: boolean;
  /** Notification settings to apply on registration. */
  settings: PackageSettings;
}

const HAS_CONTENTS: Record<Step, (preview: PackagePreview | undefined) => boolean> = {
  warnings: (preview) => preview === undefined || preview.warnings.length > 0,
  disclaimer: (preview) => preview === undefined || preview.disclaimer !== undefined,
  notifications: (preview) => preview === undefined || preview.endpoints.length > 0,
  manifest: () => true,
  findings: () => true,
  register: () => true,
};

/** Whether a step has content. Steps without content are skipped. */
export const hasContent = (step: Step, preview: PackagePreview | undefined): boolean => HAS_CONTENTS[step](preview);

/** The next step with content in the given direction; the current step if there is none. */
export function stepFrom(step: Step, direction: 1 | -1, preview: PackagePreview | undefined): Step {
  const way = direction === 1 ? STEPS.slice(STEPS.indexOf(step) + 1) : STEPS.slice(0, STEPS.indexOf(step)).toReversed();
  return way.find((one) => hasContent(one, preview)) ?? step;
}

/** Whether registering would replace the registered package without being a newer version. */
export const needsConfirmation = (preview: PackagePreview | undefined): boolean =>
  preview?.change?.kind === 'downgrade' || preview?.change?.kind === 'changed';

/**
 * Why the user cannot continue from a step.
 * @returns message shown next to the button; undefined if nothing blocks the step
 */
export const blocker = (step: Step, draft: Draft): string | undefined => BLOCKERS[step]?.(draft);

const BLOCKERS: Partial<Record<Step, (draft: Draft) => string | undefined>> = {
  manifest: ({ files }) =>
    files.manifest?.trim() ? undefined : t('packages.blocker.manifest', 'Add a manifest to continue'),
  findings: findingsBlocker,
  disclaimer: ({ preview, disclaimerAccepted }) =>
    preview?.disclaimer?.approved || disclaimerAccepted
      ? undefined
      : t('packages.blocker.disclaimer', 'Accept the disclaimer to continue'),
  register: ({ preview, downgradeConfirmed }) => {
    if (preview?.change?.kind === 'same') {
      return t('packages.blocker.same', 'No changes to register');
    }
    return needsConfirmation(preview) && !downgradeConfirmed
      ? t('packages.blocker.unconfirmed', 'Confirm to continue')
      : undefined;
  },
};

function findingsBlocker({ preview, expected }: Draft): string | undefined {
  if (!preview) {
    return t('packages.blocker.not-validated', 'Validate the files to continue');
  }
  const { error } = countVerdicts(preview.findings);
  if (error > 0) {
    return t('packages.blocker.errors', '', {
      count: error,
      defaultValue_one: 'Fix {{count, number}} error to continue',
      defaultValue_other: 'Fix {{count, number}} errors to continue',
    });
  }
  const name = preview.summary?.dnpName;
  if (!preview.acceptable || name === undefined) {
    return t('packages.blocker.unreadable', 'Could not read the manifest');
  }
  return expected === undefined || expected === name
    ? undefined
    : t(
        'packages.blocker.wrong-package',
        'Wrong package: the manifest is for {{name}}, but {{expected}} is being updated',
        {
          name,
          expected,
        }
      );
}
