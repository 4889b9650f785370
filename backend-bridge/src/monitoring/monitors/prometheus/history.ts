/** The history of endpoints and nodes: queries to Prometheus, cached for a short time. */
import { LRUCache } from 'lru-cache';
import type { Operator } from '../../../../contract/condition.ts';
import {
  type ChainHistory,
  COUNTED_SECONDS,
  DRAWN_SECONDS,
  type EndpointHistory,
} from '../../../../contract/history.ts';
import { isoTime } from '../../../../contract/text.ts';
import { HttpProblem } from '../../../platform/http/problem.ts';
import { alertRule, ruleSupport } from '../alertRule.ts';
import { secondsOf } from '../definition.ts';
import type { MonitoredEndpoint } from '../monitor.ts';
import { type PrometheusClient, PrometheusError } from './client.ts';
import { drawn, firstTime, type Series, timesFired } from './series.ts';

export type History = ReturnType<typeof createHistory>;

export interface HistoryDeps {
  /** Undefined: no Prometheus is configured. */
  prometheus: Pick<PrometheusClient, 'queryRange'> | undefined;
  /** UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock. */
  steady: () => number;
}

/** Moving a slider repeats the same query. */
const CACHED_MS = 60_000;
const FAILURE_CACHED_MS = 5000;
/** A series of a week has 80 kB. */
const MAX_CACHED = 100;
/** A week of minutes is below the 11,000 points that Prometheus returns at most. */
const SHORTEST_STEP = 60;
const LONGEST_STEP = 3600;
const CHAIN_STEP = 300;

export function createHistory({ prometheus, now, steady }: HistoryDeps) {
  const series = prometheus && createCache(prometheus, { now, steady });
  const get = async (query: string, seconds: number, step: number): Promise<Series> => {
    if (series === undefined) {
      throw new HttpProblem('not-found', 'There is no history: NODEBELL_PROMETHEUS_URL is not set.');
    }
    try {
      return await series(query, seconds, step);
    } catch (error) {
      if (error instanceof PrometheusError) {
        throw new HttpProblem('no-history', error.message, { headers: { 'Retry-After': '10' }, cause: error.cause });
      }
      throw error;
    }
  };
  return {
    /** Whether the endpoint can have a history. */
    has: (endpoint: MonitoredEndpoint): boolean =>
      prometheus !== undefined && ruleSupport(endpoint).kind === 'supported',
    /** Whether nodes can have a history. */
    hasChains: prometheus !== undefined,
    /**
     * @param wanted the threshold; default: the configured one
     * @throws HttpProblem 404 if there is none, 503 if the query fails
     */
    async ofEndpoint(endpoint: MonitoredEndpoint, wanted: number | undefined): Promise<EndpointHistory> {
      rejectUnsupported(endpoint);
      const { expr, operator, threshold, forSeconds } = alertRule(endpoint);
      const step = Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, secondsOf(endpoint.shipped.definition?.interval)));
      const week = await get(expr, COUNTED_SECONDS, step);
      const from = firstTime(week);
      const counted = wanted ?? threshold;
      return {
        ...historyOf(week, operator),
        threshold: counted,
        fired: timesFired(week, operator, counted, forSeconds),
        forSeconds,
        checkedSeconds: step,
        ...(from !== undefined && { countedFrom: iso(from) }),
      };
    },
    /** The blocks that a node was behind. @throws HttpProblem as above */
    async ofChain(dnpName: string): Promise<ChainHistory> {
      const figures = `nodebell_chain_blocks_behind{package=${JSON.stringify(dnpName)}}`;
      // `max` merges the series of a node that moved to another bridge, or that two bridges poll.
      return historyOf(await get(`max(max_over_time(${figures}[${CHAIN_STEP}s]))`, DRAWN_SECONDS, CHAIN_STEP), '>');
    },
  };
}

function rejectUnsupported(endpoint: MonitoredEndpoint): void {
  const support = ruleSupport(endpoint);
  if (support.kind !== 'supported') {
    const reason = support.kind === 'none' ? 'The URL of the endpoint is not a query of Prometheus.' : support.reason;
    throw new HttpProblem('not-found', `There is no history. ${reason}`);
  }
}

const iso = (seconds: number): string => isoTime(seconds * 1000);

function historyOf(series: Series, operator: Operator): ChainHistory {
  const end = series.start + (series.values.length - 1) * series.step;
  return {
    from: iso(end - DRAWN_SECONDS),
    to: iso(end),
    ...drawn(series, operator),
    ...(series.hasOthers && { note: 'The query returns more than one series; the first is shown.' }),
  };
}

/** One query at a time for the same range; its result is cached. */
function createCache(
  { queryRange }: Pick<PrometheusClient, 'queryRange'>,
  { now, steady }: Pick<HistoryDeps, 'now' | 'steady'>
) {
  const cache = new LRUCache<string, Promise<Series>>({
    max: MAX_CACHED,
    ttl: CACHED_MS,
    ttlResolution: 0,
    perf: { now: steady },
  });
  return (query: string, seconds: number, step: number): Promise<Series> => {
    const key = `${seconds} ${step} ${query}`;
    const cached = cache.get(key);
    if (cached !== undefined) {
      return cached;
    }
    const end = Math.floor(now() / 1000 / step) * step;
    const series = queryRange({ query, start: end - seconds, end, step });
    const keep = (ttl: number): void => void cache.set(key, series, { ttl });
    keep(CACHED_MS);
    series.catch(() => keep(FAILURE_CACHED_MS));
    return series;
  };
}
