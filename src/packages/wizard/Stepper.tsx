import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, Text, useStyles2 } from '@grafana/ui';
import type { PackagePreview } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Hidden } from '../../components/Hidden';
import { hasContent, stepName, STEPS, type Step } from './steps';

/** Progress through the wizard. On narrow screens only the current step shows its name. */
export function Stepper({ step, preview }: { step: Step; preview: PackagePreview | undefined }) {
  const styles = useStyles2(getStyles);
  const at = STEPS.indexOf(step);
  return (
    <ol className={styles.steps} aria-label={t('packages.steps.label', 'Steps')}>
      {STEPS.map((one, index) => {
        const done = index < at;
        const empty = step !== 'manifest' && !hasContent(one, preview);
        return (
          <li
            key={one}
            className={cx(styles.step, index === at && styles.current)}
            aria-current={index === at ? 'step' : undefined}
          >
            {done ? (
              <Icon name="check-circle" size="lg" />
            ) : (
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
            )}
            <span>{stepName(one)}</span>
            {empty && <Text variant="bodySmall">{t('packages.steps.none', 'none')}</Text>}
            {done && <Hidden>{t('packages.steps.done', 'done')}</Hidden>}
          </li>
        );
      })}
    </ol>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  steps: css({
    listStyle: 'none',
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    containerType: 'inline-size',
  }),
  step: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    color: theme.colors.text.secondary,
    whiteSpace: 'nowrap',
    '&:not(:first-child)': { flex: 1 },
    '&:not(:first-child)::before': {
      content: '""',
      flex: 1,
      minWidth: 4,
      height: 1,
      background: theme.colors.border.medium,
    },
    '@container (max-width: 700px)': {
      '&:not([aria-current]) > span:not([aria-hidden])': { display: 'none' },
      // The width that the numbers, the lines and their gaps leave.
      '&[aria-current] > span:not([aria-hidden])': {
        maxWidth: 'calc(100cqi - 240px)',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
      },
    },
  }),
  current: css({ color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
  number: css({
    display: 'flex',
    flex: 'none',
    alignItems: 'center',
    justifyContent: 'center',
    width: 22,
    height: 22,
    border: `1px solid ${theme.colors.border.strong}`,
    borderRadius: theme.shape.radius.circle,
    fontSize: theme.typography.bodySmall.fontSize,
    '[aria-current] > &': {
      border: 'none',
      background: theme.colors.primary.main,
      color: theme.colors.primary.contrastText,
    },
  }),
});
