import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { blocker, type Step } from './steps';
import type { Wizard } from './useWizard';

const FORWARD: Record<Step, [idle: string, busy: string]> = {
  manifest: ['Judge it', 'Judging…'],
  findings: ['Continue', 'Judging…'],
  warnings: ['Continue', ''],
  disclaimer: ['Approve and continue', ''],
  notifications: ['Continue', ''],
  register: ['Register', 'Registering…'],
};

/** Back and forward. What is in the way of going on stands beside the button. */
export function WizardFooter({ wizard }: { wizard: Wizard }) {
  const styles = useStyles2(getStyles);
  const { step, draft, busy, next, back } = wizard;
  const reason = blocker(step, draft);
  const [idle, working] = FORWARD[step];
  return (
    <div className={styles.footer}>
      {step !== 'manifest' && (
        <Button variant="secondary" icon="arrow-left" disabled={busy} onClick={back}>
          Back
        </Button>
      )}
      <span id="wizard-reason" className={styles.reason} role="status">
        {!busy && reason}
      </span>
      <Button disabled={busy || reason !== undefined} aria-describedby="wizard-reason" onClick={next}>
        {busy && working ? working : idle}
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
