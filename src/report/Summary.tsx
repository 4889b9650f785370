import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, useStyles2 } from '@grafana/ui';
import type { Report } from '@nodebell/contract/report.ts';
import { duration } from '../components/time';
import { t } from '../i18n/t';
import { Bars } from './Bars';
import { figure } from './ReportTable';
import { columns } from './texts';

/** The figures of all rows, and of the weeks before. */
export function Summary({ total, weeks }: { total: Report['total']; weeks: number }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.summary}>
      <Box flex="1 1 200px" maxWidth="320px">
        <Bars values={total.trend} current={weeks} height={56} />
      </Box>
      <dl className={styles.figures}>
        {columns().map(({ sort, label, help }) => (
          <div key={sort} title={help}>
            <dt className={styles.label}>{label}</dt>
            <dd className={styles.value}>{figure(total, sort)}</dd>
          </div>
        ))}
        {total.resolved > 0 && (
          <div>
            <dt className={styles.label}>{t('report.column.longest', 'Longest open')}</dt>
            <dd className={styles.value}>{duration(total.longestOpenSeconds * 1000)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  summary: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(3),
    alignItems: 'flex-end',
    padding: theme.spacing(2),
    background: theme.colors.background.secondary,
    borderRadius: theme.shape.radius.default,
  }),
  figures: css({
    flex: '3 1 320px',
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(110px, 1fr))',
    gap: theme.spacing(1, 2),
    margin: 0,
  }),
  label: css({
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontWeight: theme.typography.fontWeightRegular,
  }),
  value: css({ margin: 0, fontSize: theme.typography.h4.fontSize, fontVariantNumeric: 'tabular-nums' }),
});
