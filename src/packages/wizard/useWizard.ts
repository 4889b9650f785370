import { AppEvents } from '@grafana/data';
import { getAppEvents, locationService } from '@grafana/runtime';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PackageSettings } from '@nodebell/contract/endpoint.ts';
import type { FileKind } from '@nodebell/contract/finding.ts';
import type { PackageBody, RegisterBody } from '@nodebell/contract/package.ts';
import { previewPackage, registerPackage, updatePackage } from '../../api/packages';
import { t } from '../../i18n/t';
import { pathTo } from '../../routes';
import { pruneDraft } from '../../thresholds/draft';
import { packagesKey } from '../queries';
import type { Files } from '../review/Review';
import { needsMeaning, stepFrom, type Draft, type Step } from './steps';

export type Wizard = ReturnType<typeof useWizard>;

/** All that the wizard knows and does. */
export function useWizard(expected: string | undefined) {
  const client = useQueryClient();
  const [step, setStep] = useState<Step>('manifest');
  const [files, setFiles] = useState<Files>({});
  const [disclaimerAccepted, acceptDisclaimer] = useState(false);
  const [downgradeMeant, meanDowngrade] = useState(false);
  const [settings, setSettings] = useState<PackageSettings>({});

  const judging = useMutation({
    mutationFn: (given: Files) => previewPackage(bodyOf(given)),
    meta: { failure: t('packages.wizard.validation-failed', 'Could not validate the files') },
    onSuccess: ({ endpoints }) => {
      setSettings((now) => pruneDraft(now, endpoints));
      // A new text may hold another disclaimer and another version.
      acceptDisclaimer(false);
      meanDowngrade(false);
      setStep('findings');
    },
  });
  const draft: Draft = { files, preview: judging.data, expected, disclaimerAccepted, downgradeMeant, settings };
  const registering = useMutation({
    mutationFn: () => register(draft),
    meta: { quiet: true },
    onSuccess: ({ dnpName, version }) => {
      getAppEvents().publish({
        type: AppEvents.alertSuccess.name,
        payload: [t('packages.wizard.done', 'Registered {{name}} {{version}}', { name: dnpName, version })],
      });
      locationService.push(pathTo.package(dnpName));
    },
    onSettled: () => client.invalidateQueries({ queryKey: packagesKey }),
  });

  const judge = (given: Files) => {
    setFiles(given);
    judging.mutate(given);
  };
  return {
    step,
    draft,
    setFile: (kind: FileKind, text: string | undefined) => setFiles((now) => ({ ...now, [kind]: text })),
    judge,
    acceptDisclaimer,
    meanDowngrade,
    /** What is to be set while it is registered. */
    setSettings,
    busy: judging.isPending || registering.isPending,
    failure: registering.error,
    next: () => {
      if (step === 'manifest') {
        judge(files);
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
    ...(needsMeaning(preview) && { allowDowngrade: true }),
  };
  return preview?.change?.kind === 'install'
    ? registerPackage(body)
    : updatePackage(preview?.summary?.dnpName ?? '', body);
}
