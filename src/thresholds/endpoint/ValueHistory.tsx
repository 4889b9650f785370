import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EndpointMetric } from '@nodebell/contract/endpoint.ts';
import type { EndpointHistory } from '@nodebell/contract/history.ts';
import type { BridgeError } from '../../api/errors';
import { explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { Sparkline } from '../../components/Sparkline';
import { scaleOf } from '../../components/sparkPath';
import { useInSight } from '../../components/layout';
import { useThrottled } from '../../components/timers';
import { firedMessage, rangeMessage } from '../historyMessages';
import { historyQuery } from '../queries';
import { Sign } from './Sign';
import { SecondaryText } from '../../components/SecondaryText';

/** Minimum time between counts by the bridge while the slider moves, in milliseconds. */
const COUNT_EVERY_MS = 200;
const HEIGHT = 40;

interface Props {
  dnpName: string;
  correlationId: string;
  metric: EndpointMetric;
  /** Position of the slider. */
  value: number;
}

/** The history of the value with the threshold, and how often it would have alerted. Loaded once it is scrolled into view. */
export function ValueHistory({ dnpName, correlationId, metric, value }: Props) {
  const styles = useStyles2(getStyles);
  const [ref, seen] = useInSight<HTMLDivElement>();
  const counted = useThrottled(value, COUNT_EVERY_MS);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...historyQuery(dnpName, correlationId, counted),
    placeholderData: keepPreviousData,
    enabled: seen,
  });
  const counting = isPlaceholderData || counted !== value;
  return (
    <div ref={ref} className={styles.history} data-history aria-busy={data === undefined && error === null}>
      {error ? (
        <Failed error={error} trying={isFetching} onRetry={() => void refetch()} />
      ) : data ? (
        <Loaded data={data} metric={metric} value={value} counting={counting} />
      ) : (
        <SecondaryText>{t('thresholds.history.loading', 'Loading history…')}</SecondaryText>
      )}
    </div>
  );
}

interface LoadedProps extends Pick<Props, 'metric' | 'value'> {
  data: EndpointHistory;
  /** The count still belongs to the previous position of the slider. */
  counting: boolean;
}

function Loaded({ data, metric, value, counting }: LoadedProps) {
  const styles = useStyles2(getStyles);
  const { min, max, unit } = metric;
  if (data.countedFrom === undefined) {
    return <SecondaryText>{t('thresholds.history.none', 'Prometheus has no data for the last 7 days.')}</SecondaryText>;
  }
  return (
    <>
      <Sparkline data={data} scale={scaleOf(data.samples, [min, max])} threshold={value} height={HEIGHT} />
      <div className={styles.text}>
        <span className={cx(counting && styles.counting)}>{firedMessage(data)}</span>
        <SecondaryText>{rangeMessage(data, unit)}</SecondaryText>
      </div>
      {data.note !== undefined && <Sign icon="info-circle" tone="info" text={data.note} />}
    </>
  );
}

function Failed({ error, trying, onRetry }: { error: BridgeError; trying: boolean; onRetry: () => void }) {
  return (
    <Sign
      icon="exclamation-triangle"
      tone="warning"
      text={t('thresholds.history.failed', 'Could not load the history: {{why}}', { why: explain(error) })}
    >
      <Button size="sm" variant="secondary" fill="text" disabled={trying} onClick={onRetry}>
        {t('thresholds.saving.retry', 'Retry')}
      </Button>
    </Sign>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  history: css({
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'center',
    gap: theme.spacing(0.75),
    minWidth: 0,
    // The height is reserved, so that loading does not shift the layout.
    minHeight: HEIGHT + 30,
    paddingTop: theme.spacing(0.5),
  }),
  text: css({
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 1.5),
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
  }),
  counting: css({ color: theme.colors.text.secondary }),
});
