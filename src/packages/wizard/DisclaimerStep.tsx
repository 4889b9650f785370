import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { config } from '@grafana/runtime';
import { Alert, Checkbox, Stack, Text, useStyles2 } from '@grafana/ui';
import { t } from '../../i18n/t';
import { dateAndTime } from '../../components/moments';
import { useNow } from '../../components/timers';
import { AuthorMarkdown } from '../../components/AuthorMarkdown';
import type { Wizard } from './useWizard';
import { changeMessage, warningTitle } from '../changeMessages';

/** The author's disclaimer and its acceptance. */
export function DisclaimerStep({ wizard }: { wizard: Wizard }) {
  const styles = useStyles2(getStyles);
  const now = useNow();
  const { preview, disclaimerAccepted } = wizard.draft;
  const { message, approved } = preview?.disclaimer ?? { message: '', approved: true };
  return (
    <Stack direction="column" gap={2} maxWidth="760px">
      <Text element="p" color="secondary">
        {approved
          ? t('packages.disclaimer.accepted', 'This disclaimer has already been accepted for this package.')
          : t(
              'packages.disclaimer.required',
              'The package author requires acceptance before registration. Your name, the time, and this text are recorded.'
            )}
      </Text>
      <div className={styles.text} tabIndex={0} role="region" aria-label={t('packages.disclaimer.label', 'Disclaimer')}>
        <AuthorMarkdown text={message} />
      </div>
      {!approved && (
        <div>
          <Checkbox
            label={t('packages.disclaimer.approve', 'I have read and accept this disclaimer')}
            description={t('packages.disclaimer.recorded', 'Accepted by {{name}}, {{time}}', {
              name: config.bootData.user.login,
              time: dateAndTime(now),
            })}
            value={disclaimerAccepted}
            onChange={({ currentTarget }) => wizard.acceptDisclaimer(currentTarget.checked)}
          />
        </div>
      )}
    </Stack>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({
    maxHeight: 420,
    overflowY: 'auto',
    padding: theme.spacing(2, 3),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
});

/** The author's warnings for this change, verbatim. */
export function WarningsStep({ wizard }: { wizard: Wizard }) {
  const { preview } = wizard.draft;
  return (
    <Stack direction="column" gap={1} maxWidth={95}>
      {preview?.change && <p>{changeMessage(preview.change)}</p>}
      {preview?.warnings.map((warning, index) => (
        <Alert key={index} severity="warning" role="note" title={warningTitle(warning)} bottomSpacing={0}>
          <AuthorMarkdown text={warning.message} />
        </Alert>
      ))}
    </Stack>
  );
}
