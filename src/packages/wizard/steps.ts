/** The way through the wizard: its steps, which of them have something to show, and what keeps a step from going on. Pure. */
import type { PackageSettings } from '@nodebell/contract/endpoint.ts';
import type { PackagePreview } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { countVerdicts } from '../review/findings';
import type { Files } from '../review/Review';

export const STEPS = ['manifest', 'findings', 'warnings', 'disclaimer', 'notifications', 'register'] as const;
export type Step = (typeof STEPS)[number];

export function stepName(step: Step): string {
  switch (step) {
    case 'manifest':
      return t('packages.steps.manifest', 'Manifest');
    case 'findings':
      return t('packages.steps.findings', 'Findings');
    case 'warnings':
      return t('packages.steps.warnings', 'Warnings');
    case 'disclaimer':
      return t('packages.steps.disclaimer', 'Disclaimer');
    case 'notifications':
      return t('packages.steps.notifications', 'Notifications');
    case 'register':
      return t('packages.steps.register', 'Register');
  }
}

export interface Draft {
  files: Files;
  /** What the judge says of these very files; undefined until it has been asked. */
  preview: PackagePreview | undefined;
  /** The package that is to be updated; undefined where any may come. */
  expected: string | undefined;
  disclaimerAccepted: boolean;
  /** That an older version, or other content under the same version, is meant. */
  downgradeMeant: boolean;
  /** What is to be set at the same time. */
  settings: PackageSettings;
}

/** Whether a step has something to show. One that has nothing is passed over, and said to be empty. */
export function hasContent(step: Step, preview: PackagePreview | undefined): boolean {
  switch (step) {
    case 'warnings':
      return preview === undefined || preview.warnings.length > 0;
    case 'disclaimer':
      return preview === undefined || preview.disclaimer !== undefined;
    case 'notifications':
      return preview === undefined || preview.endpoints.length > 0;
    case 'manifest':
    case 'findings':
    case 'register':
      return true;
  }
}

/** The nearest step in a direction that has something to show; the same when there is none. */
export function stepFrom(step: Step, direction: 1 | -1, preview: PackagePreview | undefined): Step {
  const way = direction === 1 ? STEPS.slice(STEPS.indexOf(step) + 1) : STEPS.slice(0, STEPS.indexOf(step)).toReversed();
  return way.find((one) => hasContent(one, preview)) ?? step;
}

/** Whether registering would put something else in the place of what is there, without being newer. */
export const needsMeaning = (preview: PackagePreview | undefined): boolean =>
  preview?.change?.kind === 'downgrade' || preview?.change?.kind === 'changed';

/**
 * Why a step cannot be left forwards.
 * @returns a sentence to stand beside the button; undefined when nothing is in the way
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
  register: ({ preview, downgradeMeant }) => {
    if (preview?.change?.kind === 'same') {
      return t('packages.blocker.same', 'No changes to register');
    }
    return needsMeaning(preview) && !downgradeMeant
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
