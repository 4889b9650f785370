import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { formatNumber } from '../i18n/locale';
import { t } from '../i18n/t';

interface Props {
  /** Oldest first. */
  values: readonly number[];
  /** Weeks of the report, at the end. */
  current: number;
  /** Pixels. */
  height: number;
}

/** Notifications by week; those of the report are highlighted. */
export function Bars({ values, current, height }: Props) {
  const styles = useStyles2(getStyles);
  const highest = Math.max(1, ...values);
  const list = values.map((value) => formatNumber(value)).join(', ');
  return (
    <div
      className={styles.bars}
      style={{ height }}
      role="img"
      aria-label={t('report.trend.label', 'Notifications per week, up to the last one shown: {{list}}', { list })}
    >
      {values.map((value, index) => (
        <span
          // The place is the week.
          key={index}
          className={index >= values.length - current ? styles.current : styles.bar}
          style={{ height: value === 0 ? 1 : `${Math.max(4, (100 * value) / highest)}%` }}
          title={formatNumber(value)}
        />
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => {
  const bar = css({ flex: '1 1 0', minWidth: 2, borderRadius: 1, background: theme.colors.text.disabled });
  return {
    bars: css({ display: 'flex', alignItems: 'flex-end', gap: 2, minWidth: 72 }),
    bar,
    current: css(bar, { background: theme.colors.info.main }),
  };
};
