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
import { firedWords, rangeWords } from '../historyWords';
import { historyQuery } from '../queries';
import { Sign } from './Sign';

/** While the slider moves, the bridge counts anew this often. */
const COUNT_EVERY_MS = 200;
const HEIGHT = 40;

interface Props {
  dnpName: string;
  correlationId: string;
  metric: EndpointMetric;
  /** Where the slider stands. */
  value: number;
}

/** What the value has been, with the threshold across it, and how often it would have alerted. Asked for when it is seen. */
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
        <Known data={data} metric={metric} value={value} counting={counting} />
      ) : (
        <span className={styles.small}>{t('thresholds.history.loading', 'Loading the history…')}</span>
      )}
    </div>
  );
}

interface KnownProps extends Pick<Props, 'metric' | 'value'> {
  data: EndpointHistory;
  /** The count is still that of where the slider stood before. */
  counting: boolean;
}

function Known({ data, metric, value, counting }: KnownProps) {
  const styles = useStyles2(getStyles);
  const { min, max, unit } = metric;
  if (data.countedFrom === undefined) {
    return (
      <span className={styles.small}>
        {t('thresholds.history.none', 'Prometheus has no values of it from the last 7 days.')}
      </span>
    );
  }
  return (
    <>
      <Sparkline data={data} scale={scaleOf(data.samples, [min, max])} threshold={value} height={HEIGHT} />
      <div className={styles.words}>
        <span className={cx(counting && styles.counting)}>{firedWords(data)}</span>
        <span className={styles.small}>{rangeWords(data, unit)}</span>
      </div>
      {data.note !== undefined && <Sign icon="info-circle" tone="info" text={data.note} />}
    </>
  );
}

function Failed({ error, trying, onRetry }: { error: BridgeError; trying: boolean; onRetry: () => void }) {
  const why =
    error.kind === 'unreachable' ? t('thresholds.history.unreachable', 'The bridge does not answer.') : explain(error);
  return (
    <Sign
      icon="exclamation-triangle"
      tone="warning"
      text={t('thresholds.history.failed', 'No history: {{why}}', { why })}
    >
      <Button size="sm" variant="secondary" fill="text" disabled={trying} onClick={onRetry}>
        {t('thresholds.saving.retry', 'Try again')}
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
    // What comes later does not push what is below it.
    minHeight: HEIGHT + 30,
    paddingTop: theme.spacing(0.5),
  }),
  words: css({
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 1.5),
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
  }),
  small: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  counting: css({ color: theme.colors.text.secondary }),
});
