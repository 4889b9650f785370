import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { t } from '../../i18n/t';
import { blocker, type Step } from './steps';
import type { Wizard } from './useWizard';

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
  const styles = useStyles2(getStyles);
  const { step, draft, busy, next, back } = wizard;
  const reason = blocker(step, draft);
  return (
    <div className={styles.footer}>
      {step !== 'manifest' && (
        <Button variant="secondary" icon="arrow-left" disabled={busy} onClick={back}>
          {t('packages.forward.back', 'Back')}
        </Button>
      )}
      <span id="wizard-reason" className={styles.reason} role="status">
        {!busy && reason}
      </span>
      <Button disabled={busy || reason !== undefined} aria-describedby="wizard-reason" onClick={next}>
        {NEXT_LABELS[step](busy)}
      </Button>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  footer: css({
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    alignItems: 'center',
    gap: theme.spacing(2),
    paddingTop: theme.spacing(2),
    borderTop: `1px solid ${theme.colors.border.weak}`,
  }),
  reason: css({
    flex: 1,
    textAlign: 'right',
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    minWidth: 0,
    // On narrow screens, show the reason above the buttons.
    '@media (max-width: 600px)': { '&:not(:empty)': { order: -1, flexBasis: '100%' } },
  }),
});
