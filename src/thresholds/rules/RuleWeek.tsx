import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { scaleOf } from '../../components/sparkPath';
import { t } from '../../i18n/t';
import { Sign } from '../endpoint/Sign';
import { HistoryFrame, HistoryLine } from '../History';
import { firedMessage, rounded } from '../historyMessages';
import { amount } from '../messages';
import { previewMessage, ruleError } from './messages';
import { sameValues, type Rule, type RuleThreshold, type RuleValues } from './rule';
import { drawnLine, firedInWeek, stepOfSamples, type Week } from './week';
import { SecondaryText } from '../../components/SecondaryText';

interface Props {
  week: Pick<UseQueryResult<Week>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  rule: Rule;
  threshold: RuleThreshold;
  /** Positions of the sliders. */
  values: RuleValues;
  saved: RuleValues;
}

/** The values of the last week with the threshold, and how often the rule would have fired. */
export function RuleWeek({ week, ...props }: Props) {
  return (
    <HistoryFrame query={week} explain={() => ruleError(week.error)}>
      {week.data && <Loaded data={week.data} {...props} />}
    </HistoryFrame>
  );
}

function Loaded({ data, rule, threshold, values, saved }: Omit<Props, 'week'> & { data: Week }) {
  const line = useMemo(() => drawnLine(data, threshold), [data, threshold]);
  // Counting a week of fifty series takes longer than a step of the slider.
  const counted = useDeferredValue(values);
  const fired = useMemo(() => firedInWeek(data, rule, threshold, counted), [data, rule, threshold, counted]);
  const before = useMemo(() => firedInWeek(data, rule, threshold, saved), [data, rule, threshold, saved]);
  const [first] = line;
  if (first === undefined) {
    return (
      <SecondaryText>{t('thresholds.rules.week.none', 'The query has no values in the last 7 days.')}</SecondaryText>
    );
  }
  const iso = (ms: number) => new Date(ms).toISOString();
  const stepSeconds = stepOfSamples(data.series, data.stepSeconds);
  const shown = [...values.params, ...(values.recovery ?? [])];
  return (
    <>
      <HistoryLine
        data={{ from: iso(data.from), to: iso(data.to), stepSeconds, samples: line }}
        scale={scaleOf(line, [...saved.params, ...(saved.recovery ?? []), ...shown])}
        threshold={values.params}
        fired={
          sameValues(counted, saved)
            ? firedMessage({ fired, countedFrom: iso(1000 * first[0]), to: iso(data.to) })
            : previewMessage(fired, before)
        }
        range={rangeText(line.map(([, value]) => value))}
      />
      {data.series.length > 1 && (
        <SecondaryText>
          {t('thresholds.rules.week.series', '', {
            count: data.series.length,
            defaultValue_one:
              '{{count, number}} series, counted together. The line shows the value closest to an alert.',
            defaultValue_other:
              '{{count, number}} series, counted together. The line shows the value closest to an alert.',
          })}
        </SecondaryText>
      )}
      {data.omitted > 0 && (
        <Sign
          icon="info-circle"
          tone="info"
          text={t('thresholds.rules.week.omitted', '{{n, number}} more series are not counted.', { n: data.omitted })}
        />
      )}
    </>
  );
}

function rangeText(values: readonly number[]): string {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return t('thresholds.rules.week.range', 'Last 7 days: {{least}} to {{most}}, latest {{last}}.', {
    least: amount(rounded(least)),
    most: amount(rounded(most)),
    last: amount(rounded(values.at(-1) ?? 0)),
  });
}
