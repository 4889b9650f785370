import { Button, Divider, Stack, Text } from '@grafana/ui';
import { t } from '../../i18n/t';
import { blocker, type Step } from './steps';
import type { Wizard } from './useWizard';
import { PendingButton } from '../../components/PendingButton';

/** Label of the primary button. */
const NEXT_LABELS: Record<Step, (busy: boolean) => string> = {
  manifest: (busy) => (busy ? validatingLabel() : t('packages.forward.validate', 'Validate')),
  findings: (busy) => (busy ? validatingLabel() : continueLabel()),
  disclaimer: () => t('packages.forward.approve', 'Accept and continue'),
  register: (busy) =>
    busy ? t('packages.forward.registering', 'Registering…') : t('packages.forward.register', 'Register'),
  warnings: () => continueLabel(),
  notifications: () => continueLabel(),
};

const continueLabel = (): string => t('packages.forward.continue', 'Continue');
const validatingLabel = (): string => t('packages.forward.validating', 'Validating…');

/** Back and continue buttons, with the reason why the step cannot be completed. */
export function WizardFooter({ wizard }: { wizard: Wizard }) {
  const { step, draft, busy, next, back } = wizard;
  const reason = blocker(step, draft);
  return (
    <Stack direction="column" gap={2}>
      <Divider spacing={0} />
      <Stack wrap gap={2} justifyContent="space-between">
        {step !== 'manifest' && (
          <Button variant="secondary" icon="arrow-left" disabled={busy} onClick={back}>
            {t('packages.forward.back', 'Back')}
          </Button>
        )}
        <Stack wrap grow={1} gap={2} alignItems="center" justifyContent="flex-end">
          <Text id="wizard-reason" color="secondary" role="status">
            {(!busy && reason) || ''}
          </Text>
          <PendingButton pending={busy} disabled={reason !== undefined} aria-describedby="wizard-reason" onClick={next}>
            {NEXT_LABELS[step](busy)}
          </PendingButton>
        </Stack>
      </Stack>
    </Stack>
  );
}
