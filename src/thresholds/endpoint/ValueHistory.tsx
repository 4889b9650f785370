import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EndpointMetric } from '@nodebell/contract/endpoint.ts';
import { explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { scaleOf } from '../../components/sparkPath';
import { useInSight } from '../../components/layout';
import { useThrottled } from '../../components/timers';
import { HistoryFrame, HistoryLine } from '../History';
import { firedMessage, rangeMessage } from '../historyMessages';
import { historyQuery } from '../queries';
import { Sign } from './Sign';
import { SecondaryText } from '../../components/SecondaryText';

/** Minimum time between counts by the bridge while the slider moves, in milliseconds. */
const COUNT_EVERY_MS = 200;

interface Props {
  dnpName: string;
  correlationId: string;
  metric: EndpointMetric;
  /** Position of the slider. */
  value: number;
}

/** The history of the value with the threshold, and how often it would have alerted. Loaded once it is scrolled into view. */
export function ValueHistory({ dnpName, correlationId, metric, value }: Props) {
  const [ref, seen] = useInSight<HTMLDivElement>();
  const counted = useThrottled(value, COUNT_EVERY_MS);
  const query = useQuery({
    ...historyQuery(dnpName, correlationId, counted),
    placeholderData: keepPreviousData,
    enabled: seen,
  });
  const { data, error, isPlaceholderData } = query;
  const { min, max, unit } = metric;
  return (
    <HistoryFrame ref={ref} query={query} explain={() => (error ? explain(error) : '')}>
      {data?.countedFrom === undefined ? (
        <SecondaryText>{t('thresholds.history.none', 'Prometheus has no data for the last 7 days.')}</SecondaryText>
      ) : (
        <>
          <HistoryLine
            data={data}
            scale={scaleOf(data.samples, [min, max])}
            threshold={value}
            fired={firedMessage(data)}
            // The count still belongs to the previous position of the slider.
            counting={isPlaceholderData || counted !== value}
            range={rangeMessage(data, unit)}
          />
          {data.note !== undefined && <Sign icon="info-circle" tone="info" text={data.note} />}
        </>
      )}
    </HistoryFrame>
  );
}
