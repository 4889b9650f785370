import { AppEvents } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PackageSettings } from '@nodebell/contract/endpoint.ts';
import type { FileKind } from '@nodebell/contract/finding.ts';
import type { PackageBody, RegisterBody } from '@nodebell/contract/package.ts';
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { call } from '../../api/client';
import { packagesKey } from '../../api/packages';
import { t } from '../../i18n/t';
import { pathTo } from '../../routes';
import { pruneDraft } from '../../thresholds/draft';
import type { Files } from '../review/Review';
import { needsConfirmation, stepFrom, type Draft, type Step } from './steps';
import { toast } from '../../api/toast';

export type Wizard = ReturnType<typeof useWizard>;

/** State and actions of the wizard. */
export function useWizard(expected: string | undefined) {
  const [step, setStep] = useState<Step>('manifest');
  const [files, setFiles] = useState<Files>({});
  const [disclaimerAccepted, acceptDisclaimer] = useState(false);
  const [downgradeConfirmed, confirmDowngrade] = useState(false);
  const [settings, setSettings] = useState<PackageSettings>({});

  const validating = useMutation({
    mutationFn: (given: Files) => call(PACKAGES.previewPackage, { body: bodyOf(given) }),
    meta: { failure: t('packages.wizard.validation-failed', 'Could not validate the files') },
    onSuccess: ({ endpoints }) => {
      setSettings((now) => pruneDraft(now, endpoints));
      // The new files can have a different disclaimer and version.
      acceptDisclaimer(false);
      confirmDowngrade(false);
      setStep('findings');
    },
  });
  // After the first step, the draft has the files that were validated: later edits were not.
  const shown = step === 'manifest' ? files : (validating.variables ?? files);
  const draft: Draft = {
    ...{ files: shown, preview: validating.data },
    ...{ expected, disclaimerAccepted, downgradeConfirmed, settings },
  };
  const registering = useMutation({
    mutationFn: () => register(draft),
    meta: { quiet: true, rereads: [packagesKey] },
    onSuccess: ({ dnpName, version }) => {
      toast(
        AppEvents.alertSuccess,
        t('packages.wizard.done', 'Registered {{name}} {{version}}', { name: dnpName, version })
      );
      locationService.push(pathTo.package(dnpName));
    },
  });

  const validate = (given: Files) => {
    setFiles(given);
    validating.mutate(given);
  };
  return {
    step,
    draft,
    setFile: (kind: FileKind, text: string | undefined) => setFiles((now) => ({ ...now, [kind]: text })),
    validate,
    acceptDisclaimer,
    confirmDowngrade,
    /** Notification settings to apply on registration. */
    setSettings,
    busy: validating.isPending || registering.isPending,
    failure: registering.error,
    next: () => {
      if (step === 'manifest') {
        validate(files);
      } else if (step === 'register') {
        registering.mutate();
      } else {
        setStep(stepFrom(step, 1, draft.preview));
      }
    },
    back: () => setStep(stepFrom(step, -1, draft.preview)),
  };
}

function bodyOf({ manifest = '', notifications, compose }: Files): PackageBody {
  return {
    manifest,
    ...(notifications?.trim() && { notifications }),
    ...(compose?.trim() && { compose }),
  };
}

function register({ files, preview, disclaimerAccepted, settings }: Draft) {
  const body: RegisterBody = {
    ...bodyOf(files),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(disclaimerAccepted && { disclaimerAccepted }),
    ...(needsConfirmation(preview) && { allowDowngrade: true }),
  };
  return preview?.change?.kind === 'install'
    ? call(PACKAGES.registerPackage, { body })
    : call(PACKAGES.updatePackage, { params: { dnpName: preview?.summary?.dnpName ?? '' }, body });
}
