import { Box, Stack, Text } from '@grafana/ui';
import { forwardRef, type ReactNode } from 'react';
import { Sparkline } from '../components/Sparkline';
import type { Scale, SparkData } from '../components/sparkPath';
import { SecondaryText } from '../components/SecondaryText';
import { t } from '../i18n/t';
import { Sign } from './endpoint/Sign';
import { SmallButton } from '../components/SmallButton';

const HEIGHT = 44;

interface FrameProps {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** The error as a message. */
  explain: () => string;
  /** The loaded history. */
  children: ReactNode;
}

/** A history, or that it is being loaded, or why it could not be. Its height is reserved, so that loading does not shift the layout. */
export const HistoryFrame = forwardRef<HTMLDivElement, FrameProps>(function HistoryFrame(
  { query: { data, error, isFetching, refetch }, explain, children },
  ref
) {
  return (
    <Stack
      ref={ref}
      direction="column"
      gap={0.5}
      justifyContent="center"
      minWidth={0}
      minHeight="74px"
      aria-busy={data === undefined && error === null}
      data-history
    >
      {error ? (
        <Sign
          icon="exclamation-triangle"
          tone="warning"
          text={t('thresholds.history.failed', 'Could not load the history: {{why}}', { why: explain() })}
        >
          <SmallButton fill="text" disabled={isFetching} onClick={() => refetch()}>
            {t('thresholds.saving.retry', 'Retry')}
          </SmallButton>
        </Sign>
      ) : data === undefined ? (
        <SecondaryText>{t('thresholds.history.loading', 'Loading history…')}</SecondaryText>
      ) : (
        children
      )}
    </Stack>
  );
});

interface LineProps {
  data: SparkData;
  scale: Scale;
  threshold: number | readonly number[];
  /** How often it would have alerted. */
  fired: string;
  /** The count is of earlier values. */
  counting?: boolean;
  /** Lowest, highest and latest value. */
  range: string;
}

/** The line of the values with the threshold. */
export const HistoryLine = ({ fired, counting = false, range, ...spark }: LineProps) => (
  <>
    <Sparkline {...spark} height={HEIGHT} />
    <Stack wrap rowGap={0} columnGap={1.5} justifyContent="space-between">
      <Text tabular {...(counting && { color: 'secondary' })}>
        {fired}
      </Text>
      <Box>
        <SecondaryText tabular>{range}</SecondaryText>
      </Box>
    </Stack>
  </>
);
