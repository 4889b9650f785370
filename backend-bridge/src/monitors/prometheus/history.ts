/** The history of endpoints and nodes: what is asked of Prometheus, kept for a short time. */
import type { Operator } from '../../../contract/condition.ts';
import { type ChainHistory, COUNTED_SECONDS, DRAWN_SECONDS, type EndpointHistory } from '../../../contract/history.ts';
import { HttpProblem } from '../../http/problem.ts';
import { alertRule, ruleConcern } from '../alertRule.ts';
import { secondsOf } from '../definition.ts';
import type { WatchedEndpoint } from '../../thresholds/types.ts';
import { type AskRange, PrometheusError } from './client.ts';
import { drawn, firstTime, type Series, timesFired } from './series.ts';

export interface History {
  /** Whether there is one of this endpoint that could be asked for. */
  has(endpoint: WatchedEndpoint): boolean;
  /** Whether there is one of nodes. */
  hasChains: boolean;
  /**
   * @param threshold default: the one in effect
   * @throws HttpProblem 404 where there is none, 503 where Prometheus does not give it
   */
  ofEndpoint(endpoint: WatchedEndpoint, threshold: number | undefined): Promise<EndpointHistory>;
  /**
   * How many blocks a node has been behind.
   * @throws HttpProblem as above
   */
  ofChain(dnpName: string): Promise<ChainHistory>;
}

export interface HistoryDeps {
  /** Undefined: no Prometheus is set up. */
  ask: AskRange | undefined;
  /** UTC milliseconds. */
  now: () => number;
}

/** A slider that is moved asks again and again for the same values. */
const KEPT_MS = 60_000;
/** What failed is tried again sooner, and not at once. */
const FAILURE_KEPT_MS = 5000;
/** A series of a week has 80 kB. */
const MOST_KEPT = 100;
/** With a week of minutes, Prometheus is below the 11,000 points that it gives at most. */
const SHORTEST_STEP = 60;
const LONGEST_STEP = 3600;
const CHAIN_STEP = 300;

const NOT_SET_UP = 'There is no history: NODEBELL_PROMETHEUS_URL does not say where Prometheus answers.';

export function createHistory({ ask, now }: HistoryDeps): History {
  const series = ask && createKeeper(ask, now);
  const get = async (query: string, seconds: number, step: number): Promise<Series> => {
    if (series === undefined) {
      throw new HttpProblem('not-found', NOT_SET_UP);
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
    has: (endpoint) => ask !== undefined && ruleConcern(endpoint).kind === 'watched',
    hasChains: ask !== undefined,
    async ofEndpoint(endpoint, wanted) {
      refuseOther(endpoint);
      const { expr, operator, threshold, forSeconds } = alertRule(endpoint);
      const step = Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, secondsOf(endpoint.shipped.watch?.interval)));
      const week = await get(expr, COUNTED_SECONDS, step);
      const from = firstTime(week);
      const counted = wanted ?? threshold;
      return {
        ...told(week, operator),
        threshold: counted,
        fired: timesFired(week, operator, counted, forSeconds),
        forSeconds,
        checkedSeconds: step,
        ...(from !== undefined && { countedFrom: iso(from) }),
      };
    },
    async ofChain(dnpName) {
      const figures = `nodebell_chain_blocks_behind{package=${JSON.stringify(dnpName)}}`;
      // One that is moved to another bridge, or watched by two, is still one node.
      return told(await get(`max(max_over_time(${figures}[${CHAIN_STEP}s]))`, DRAWN_SECONDS, CHAIN_STEP), '>');
    },
  };
}

function refuseOther(endpoint: WatchedEndpoint): void {
  const concern = ruleConcern(endpoint);
  if (concern.kind === 'none') {
    throw new HttpProblem('not-found', 'There is no history of it: its address is no query of Prometheus.');
  }
  if (concern.kind === 'read-only') {
    throw new HttpProblem('not-found', `There is no history of it. ${concern.reason}`);
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

function told(series: Series, operator: Operator): ChainHistory {
  const end = series.start + (series.values.length - 1) * series.step;
  return {
    from: iso(end - DRAWN_SECONDS),
    to: iso(end),
    ...drawn(series, operator),
    ...(series.hasOthers && { note: 'The query gives more than one value; the first is shown.' }),
  };
}

/** One question at a time for each query; its answer is kept. */
function createKeeper(ask: AskRange, now: () => number) {
  const kept = new Map<string, { series: Promise<Series>; until: number }>();
  return (query: string, seconds: number, step: number): Promise<Series> => {
    const key = `${seconds} ${step} ${query}`;
    const before = kept.get(key);
    if (before !== undefined && now() < before.until) {
      return before.series;
    }
    const end = Math.floor(now() / 1000 / step) * step;
    // Until it is answered it is the one question under way.
    const entry = { series: ask({ query, start: end - seconds, end, step }), until: Infinity };
    kept.delete(key);
    kept.set(key, entry);
    const keepFor = (ms: number): void => void (entry.until = now() + ms);
    entry.series.then(
      () => keepFor(KEPT_MS),
      () => keepFor(FAILURE_KEPT_MS)
    );
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) {
        break;
      }
      kept.delete(oldest);
    }
    return entry.series;
  };
}
