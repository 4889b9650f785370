/** The way through the wizard: its steps, which of them have something to show, and what keeps a step from going on. Pure. */
import type { PackageSettings } from '@nodebell/contract/endpoint.ts';
import type { PackagePreview } from '@nodebell/contract/package.ts';
import { plural } from '../../parts/words';
import { countVerdicts } from '../review/findings';
import type { Files } from '../review/Review';

export const STEPS = ['manifest', 'findings', 'warnings', 'disclaimer', 'notifications', 'register'] as const;
export type Step = (typeof STEPS)[number];

export const STEP_NAMES: Record<Step, string> = {
  manifest: 'Manifest',
  findings: 'Findings',
  warnings: 'Warnings',
  disclaimer: 'Disclaimer',
  notifications: 'Notifications',
  register: 'Register',
};

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
  manifest: ({ files }) => (files.manifest?.trim() ? undefined : 'A manifest is needed to continue'),
  findings: findingsBlocker,
  disclaimer: ({ preview, disclaimerAccepted }) =>
    preview?.disclaimer?.approved || disclaimerAccepted ? undefined : 'Approve the disclaimer to continue',
  register: ({ preview, downgradeMeant }) => {
    if (preview?.change?.kind === 'same') {
      return 'There is nothing to change';
    }
    return needsMeaning(preview) && !downgradeMeant ? 'Confirm that this is meant' : undefined;
  },
};

function findingsBlocker({ preview, expected }: Draft): string | undefined {
  if (!preview) {
    return 'The files have not been judged yet';
  }
  const { error } = countVerdicts(preview.findings);
  if (error > 0) {
    return `Fix ${plural(error, 'error')} to continue`;
  }
  const name = preview.summary?.dnpName;
  if (!preview.acceptable || name === undefined) {
    return 'The manifest cannot be read';
  }
  return expected === undefined || expected === name
    ? undefined
    : `This is the manifest of ${name}; only one of ${expected} can update it`;
}
