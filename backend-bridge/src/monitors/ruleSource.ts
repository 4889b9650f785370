/** Which endpoints a monitor has rules for, and what they are. Pure. */
import type { Concern } from './reconciler.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';
import { type AlertRule, alertRule, ruleConcern } from './alertRule.ts';
import { chainConcern, chainRule } from './chainRule.ts';

export interface RuleSource {
  concern(endpoint: WatchedEndpoint): Concern;
  /** @param endpoint that is `watched` */
  rule(endpoint: WatchedEndpoint): AlertRule;
}

/** Endpoints whose address is a query of Prometheus. */
export const QUERIES: RuleSource = { concern: ruleConcern, rule: alertRule };

/** Those, and what there is to tell of nodes. */
export const QUERIES_AND_NODES: RuleSource = {
  concern: (endpoint) => (endpoint.shipped.kind === 'chain' ? chainConcern(endpoint) : ruleConcern(endpoint)),
  rule: (endpoint) => (endpoint.shipped.kind === 'chain' ? chainRule(endpoint) : alertRule(endpoint)),
};
