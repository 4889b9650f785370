/** What the bridge tells of a node, as a rule on the bridge's own metrics, for those who want to be told by a monitor. Pure. */
import type { ChainLimits } from '../../contract/chain.ts';
import { CHAIN_ENDPOINT_IDS } from '../../contract/chainEndpoints.ts';
import type { Operator } from '../../contract/condition.ts';
import { PENDING_MS, ruleMessage } from '../chains/alerts.ts';
import { shortName } from '../chains/sources.ts';
import type { Concern } from './reconciler.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';
import { type AlertRule, labelsOf } from './alertRule.ts';

interface Kind {
  /** PromQL. @param selector of the one node */
  expr: (selector: string) => string;
  operator: Operator;
  forSeconds: number;
}

/**
 * What nobody can say now stands as it was said last, for an hour. What somebody says now goes before it: `last_over_time` knows of
 * no series that has ended (Prometheus documentation, "Staleness"), so an old one would outlive the end of what it told. One value,
 * whatever the labels that come with reading the metrics: a bridge that moves, or two that watch the same node, do not make two alerts.
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

/** Whether a rule can stand for it: every endpoint of a node can. */
export const chainConcern = ({ shipped }: WatchedEndpoint): Concern =>
  shipped.kind === 'chain' ? { kind: 'watched' } : { kind: 'none' };

/** @param endpoint of a node ({@link chainConcern}) */
export function chainRule({ dnpName, shipped, threshold, on }: WatchedEndpoint): AlertRule {
  const { correlationId, title } = shipped;
  const limit = LIMITS.find((one) => CHAIN_ENDPOINT_IDS[one] === correlationId) ?? 'behind';
  const { expr, operator, forSeconds } = KINDS[limit];
  const value = threshold ?? shipped.threshold ?? 0;
  const words = ruleMessage(limit, shortName(dnpName), value);
  return {
    dnpName,
    correlationId,
    title,
    expr: expr(`{package=${JSON.stringify(dnpName)}}`),
    operator,
    threshold: value,
    forSeconds,
    labels: labelsOf(dnpName, shipped),
    annotations: { summary: words.title, description: words.body },
    on,
    // Prometheus that is away for a moment, or a bridge that is started anew, is no end of what was told.
    keepsLast: true,
  };
}
