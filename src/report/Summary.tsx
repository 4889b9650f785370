import { css } from '@emotion/css';
import { Box, Stack, Text } from '@grafana/ui';
import type { Report } from '@nodebell/contract/report.ts';
import { duration } from '../components/time';
import { t } from '../i18n/t';
import { Bars } from './Bars';
import { figure } from './ReportTable';
import { columns } from './texts';
import { SecondaryText } from '../components/SecondaryText';

/** The figures of all rows, and of the weeks before. */
export function Summary({ total, weeks }: { total: Report['total']; weeks: number }) {
  return (
    <Box backgroundColor="secondary" borderRadius="default" padding={2}>
      <Stack wrap gap={3} alignItems="flex-end">
        <Box flex="1 1 200px" maxWidth="320px">
          <Bars values={total.trend} current={weeks} height={56} />
        </Box>
        <dl className={figures}>
          {columns().map(({ sort, label, help }) => (
            <Figure key={sort} label={label} value={figure(total, sort)} help={help} />
          ))}
          {total.resolved > 0 && (
            <Figure
              label={t('report.column.longest', 'Longest open')}
              value={duration(total.longestOpenSeconds * 1000)}
            />
          )}
        </dl>
      </Stack>
    </Box>
  );
}

const Figure = ({ label, value, help }: { label: string; value: string; help?: string }) => (
  <div title={help}>
    <dt>
      <SecondaryText>{label}</SecondaryText>
    </dt>
    <dd>
      <Text variant="h4" tabular>
        {value}
      </Text>
    </dd>
  </div>
);

const figures = css({
  flex: '3 1 320px',
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(110px, 1fr))',
  gap: '8px 16px',
  margin: 0,
  dd: { margin: 0 },
});
