import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SourceAlert } from '@nodebell/contract/notification.ts';
import { urlSegment } from '@nodebell/contract/url.ts';
import { requestGrafana } from '../../api/grafana';
import { runQueries } from '../../api/queries';
import { readRule, type RuleQuery, rulerRuleSchema } from '../../thresholds/rules/rule';
import { queriesAround, type QuerySeries, rangeAround, type Range, seriesOf, thresholdFor } from './ruleGraph';

interface RuleAround {
  data: RuleQuery[];
  range: Range;
  /** Undefined: the data source has no values for this alert, or the user may not query it. */
  series: QuerySeries | undefined;
  /** Threshold of the series. */
  threshold: readonly number[] | undefined;
}

/** With the permissions of the user. Null: there is no such rule here, or the user may not see it. */
async function loadRule(uid: string, labels: SourceAlert['labels'], startsAt: number): Promise<RuleAround | null> {
  try {
    const url = `/api/ruler/grafana/api/v1/rule/${urlSegment(uid)}`;
    const rule = rulerRuleSchema.parse((await requestGrafana(url, 'GET')).data);
    const { data } = rule.grafana_alert;
    const range = rangeAround(startsAt, Date.now());
    const series = await loadSeries(data, labels, range);
    return { data, range, series, threshold: series && thresholdFor(series.refId, readRule(rule, '', '')) };
  } catch {
    return null;
  }
}

async function loadSeries(data: RuleQuery[], labels: SourceAlert['labels'], range: Range) {
  const request = queriesAround(data, range);
  if (request.targets.length === 0) {
    return undefined;
  }
  try {
    return seriesOf(await runQueries(request), labels, range);
  } catch {
    return undefined;
  }
}

const ruleQuery = (uid: string, alert: Pick<SourceAlert, 'labels'>, startsAt: number) =>
  queryOptions({
    queryKey: ['rule', uid, startsAt, JSON.stringify(alert.labels)],
    queryFn: () => loadRule(uid, alert.labels, startsAt),
    staleTime: 60_000,
  });

/**
 * The rule of an alert of this Grafana, with its values around the alert.
 * @param isOwn the alert is of this Grafana: another one may have a rule with the same uid
 */
export function useRule(alert: SourceAlert, startsAt: number, isOwn: boolean): RuleAround | undefined {
  const { ruleUid = '' } = alert;
  return useQuery({ ...ruleQuery(ruleUid, alert, startsAt), enabled: ruleUid !== '' && isOwn }).data ?? undefined;
}
