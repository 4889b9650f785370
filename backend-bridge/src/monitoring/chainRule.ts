/** The alerts of nodes as rules on the bridge's metrics. Pure. */
import type { ChainLimits } from '../../contract/chain.ts';
import { CHAIN_ENDPOINT_IDS } from '../../contract/chainEndpoints.ts';
import type { Operator } from '../../contract/condition.ts';
import { PENDING_MS, ruleMessage } from './chains/alerts.ts';
import { shortName } from './chains/sources.ts';
import { type AlertRule, labelsOf, QUERIES, type RuleSource } from './monitors/alertRule.ts';
import type { MonitoredEndpoint } from './monitors/monitor.ts';

interface Kind {
  /** PromQL. @param selector of the node */
  expr: (selector: string) => string;
  operator: Operator;
  forSeconds: number;
}

/**
 * The last value survives an hour without data. A current value takes precedence: `last_over_time` ignores staleness (Prometheus
 * documentation, "Staleness"), so that an ended series would outlive its end. `max` merges series that differ in scrape labels: a moved
 * bridge, or two bridges that poll the same node, do not cause two alerts.
 */
const lasting = (metric: string) => (selector: string) =>
  `(max(${metric}${selector}) or max(last_over_time(${metric}${selector}[1h])))`;
const minutes = (metric: string) => (selector: string) => `${lasting(metric)(selector)} / 60`;

const KINDS: Readonly<Record<keyof ChainLimits, Kind>> = {
  behind: { expr: lasting('nodebell_chain_fallen_behind_blocks'), operator: '>', forSeconds: 0 },
  stalledMinutes: { expr: minutes('nodebell_chain_no_progress_seconds'), operator: '>=', forSeconds: 0 },
  unreachableMinutes: { expr: minutes('nodebell_chain_unanswered_seconds'), operator: '>=', forSeconds: 0 },
  peers: {
    expr: (selector) => `min(nodebell_chain_peers${selector})`,
    operator: '<',
    forSeconds: PENDING_MS / 1000,
  },
};
const LIMITS = Object.keys(KINDS) as (keyof ChainLimits)[];

/** @param endpoint of kind `chain` */
export function chainRule({ dnpName, shipped, threshold, on }: MonitoredEndpoint): AlertRule {
  const { correlationId, title } = shipped;
  const limit = LIMITS.find((one) => CHAIN_ENDPOINT_IDS[one] === correlationId) ?? 'behind';
  const { expr, operator, forSeconds } = KINDS[limit];
  const value = threshold ?? shipped.threshold ?? 0;
  const { title: summary, body: description } = ruleMessage(limit, shortName(dnpName), value);
  return {
    dnpName,
    correlationId,
    title,
    expr: expr(`{package=${JSON.stringify(dnpName)}}`),
    operator,
    threshold: value,
    forSeconds,
    labels: labelsOf(dnpName, shipped),
    annotations: { summary, description },
    on,
    // A restart of Prometheus or of the bridge does not resolve an alert.
    keepsLast: true,
  };
}

/** {@link QUERIES} and the endpoints of nodes. */
export const QUERIES_AND_NODES: RuleSource = {
  support: (endpoint) => (endpoint.shipped.kind === 'chain' ? { kind: 'supported' } : QUERIES.support(endpoint)),
  rule: (endpoint) => (endpoint.shipped.kind === 'chain' ? chainRule(endpoint) : QUERIES.rule(endpoint)),
};
