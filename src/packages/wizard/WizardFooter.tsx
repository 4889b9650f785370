import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { t } from '../../i18n/t';
import { blocker, type Step } from './steps';
import type { Wizard } from './useWizard';

/** What the button forward says. */
function forwardWords(step: Step, busy: boolean): string {
  switch (step) {
    case 'manifest':
      return busy ? judging() : t('packages.forward.validate', 'Validate');
    case 'findings':
      return busy ? judging() : onward();
    case 'disclaimer':
      return t('packages.forward.approve', 'Accept and continue');
    case 'register':
      return busy ? t('packages.forward.registering', 'Registering…') : t('packages.forward.register', 'Register');
    case 'warnings':
    case 'notifications':
      return onward();
  }
}

const onward = (): string => t('packages.forward.continue', 'Continue');
const judging = (): string => t('packages.forward.validating', 'Validating…');

/** Back and forward. What is in the way of going on stands beside the button. */
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
        {forwardWords(step, busy)}
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
    // On a phone there is no room beside the buttons, so it stands above them.
    '@media (max-width: 600px)': { '&:not(:empty)': { order: -1, flexBasis: '100%' } },
  }),
});
