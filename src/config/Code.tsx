import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, ClipboardButton, useStyles2 } from '@grafana/ui';
import { t } from '../i18n/t';

/** Code block with a copy button. */
export function Code({ label, text }: { label: string; text: string }) {
  const styles = useStyles2(getStyles);
  return (
    <Box position="relative">
      <pre className={styles.code} aria-label={label} tabIndex={0} role="region">
        {text}
      </pre>
      <div className={styles.button}>
        <ClipboardButton
          size="sm"
          variant="secondary"
          icon="copy"
          getText={() => text}
          aria-label={t('config.code.copy-what', 'Copy {{what}}', { what: label })}
        >
          {t('config.code.copy', 'Copy')}
        </ClipboardButton>
      </div>
    </Box>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  code: css({
    margin: 0,
    padding: theme.spacing(1.5, 12, 1.5, 1.5),
    overflowX: 'auto',
    whiteSpace: 'pre',
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: 1.6,
    background: theme.colors.background.canvas,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
  button: css({ position: 'absolute', top: theme.spacing(0.75), right: theme.spacing(0.75) }),
});
