import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { Sparkline } from '../../components/Sparkline';
import { scaleOf } from '../../components/sparkPath';
import { t } from '../../i18n/t';
import { Sign } from '../endpoint/Sign';
import { firedMessage, rounded } from '../historyMessages';
import { amount } from '../messages';
import { previewMessage, ruleError } from './messages';
import { sameValues, type Rule, type RuleThreshold, type RuleValues } from './rule';
import { drawnLine, firedInWeek, stepOfSamples, type Week } from './week';
import { SecondaryText } from '../../components/SecondaryText';

const HEIGHT = 48;

interface Props {
  week: Pick<UseQueryResult<Week>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  rule: Rule;
  threshold: RuleThreshold;
  /** Positions of the sliders. */
  values: RuleValues;
  saved: RuleValues;
}

/** The values of the last week with the threshold, and how often the rule would have fired. */
export function RuleWeek({ week: { data, error, isFetching, refetch }, ...props }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.week} aria-busy={!data && !error} data-week>
      {data ? (
        <Loaded data={data} {...props} />
      ) : error ? (
        <Sign
          icon="exclamation-triangle"
          tone="warning"
          text={t('thresholds.rules.week.failed', 'Could not load the values: {{why}}', { why: ruleError(error) })}
        >
          <Button size="sm" variant="secondary" fill="text" disabled={isFetching} onClick={() => void refetch()}>
            {t('thresholds.saving.retry', 'Retry')}
          </Button>
        </Sign>
      ) : (
        <SecondaryText>{t('thresholds.rules.week.loading', 'Loading values…')}</SecondaryText>
      )}
    </div>
  );
}

function Loaded({ data, rule, threshold, values, saved }: Omit<Props, 'week'> & { data: Week }) {
  const styles = useStyles2(getStyles);
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
  const scale = scaleOf(line, [...saved.params, ...(saved.recovery ?? []), ...shown]);
  return (
    <>
      <Sparkline
        data={{ from: iso(data.from), to: iso(data.to), stepSeconds, samples: line }}
        scale={scale}
        threshold={values.params}
        height={HEIGHT}
      />
      <div className={styles.text}>
        <span>
          {sameValues(counted, saved)
            ? firedMessage({ fired, countedFrom: iso(1000 * first[0]), to: iso(data.to) })
            : previewMessage(fired, before)}
        </span>
        <SecondaryText>{rangeText(line.map(([, value]) => value))}</SecondaryText>
      </div>
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

const getStyles = (theme: GrafanaTheme2) => ({
  week: css({
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'center',
    gap: theme.spacing(0.75),
    minWidth: 0,
    // The height is reserved, so that loading does not shift the layout.
    minHeight: HEIGHT + 30,
  }),
  text: css({
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 1.5),
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
  }),
});
