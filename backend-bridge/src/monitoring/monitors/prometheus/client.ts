/** Requests to Prometheus: range queries, alerting rules, reload (its HTTP API, "Range queries" and "Rules", and management API). */
import { z } from 'zod';
import { LIMITS } from '../../../../contract/limits.ts';
import {
  type Outbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
} from '../../../platform/http/outbound.ts';
import { jsonOf, MONITOR_TIMEOUT_MS, monitorOutbound } from '../outbound.ts';
import type { Series } from './series.ts';

export interface Range {
  /** PromQL. */
  query: string;
  /** Unix seconds. */
  start: number;
  /** Unix seconds: a whole number of steps after `start`. */
  end: number;
  /** Seconds. */
  step: number;
}

/** Why there is no history. */
export class PrometheusError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PrometheusError';
  }
}

/** The group of the bridge's rules. */
export const RULE_GROUP = 'nodebell';
/** Concurrent queries: a page may show many sliders at once. */
const MAX_QUERIES = 4;

/** Groups of other files contain rules of other shapes. */
const RULES = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        name: z.string(),
        rules: z.array(z.object({ type: z.string(), labels: z.record(z.string(), z.string()).optional() })),
      })
    ),
  }),
});

/** All errors are sentences for the admin. */
export type PrometheusClient = ReturnType<typeof createPrometheusClient>;

/**
 * @param url of Prometheus, a setting
 * @param token sent as a bearer token
 */
export function createPrometheusClient(
  url: string,
  token?: string,
  outbound: Outbound = monitorOutbound(url, LIMITS.prometheusResponseBytes.value)
) {
  const base = url.replace(/\/+$/, '');
  const send = (path: string, what: string, { headers, ...request }: OutboundRequest): Promise<OutboundAnswer> =>
    outbound.fetchGuarded(base + path, what, {
      ...request,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    });
  const sendForRules = (path: string, request: OutboundRequest): Promise<OutboundAnswer> =>
    send(path, 'rules', request).catch((error: unknown) => {
      const reason = (error as Error).message;
      throw new Error(`The rules are written, but Prometheus does not respond. ${reason}`, { cause: error });
    });
  const inTurn = limited(MAX_QUERIES);
  return {
    /** @throws PrometheusError */
    queryRange: (range: Range): Promise<Series> =>
      inTurn(async () => {
        const body = bodyOf(range);
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const response = await send('/api/v1/query_range', 'history', { method: 'POST', headers, body }).catch(
          (error: unknown) => {
            throw error instanceof OutboundError ? new PrometheusError(`Prometheus: ${error.message}`, error) : error;
          }
        );
        return readSeries(response, range);
      }),
    /** Makes Prometheus read its files again (`--web.enable-lifecycle`). Resolves when it has. @throws Error */
    async reload(): Promise<void> {
      const { status } = await sendForRules('/-/reload', { method: 'POST' });
      if (!isSuccess(status)) {
        const advice = status === 403 ? 'start it with --web.enable-lifecycle' : 'see its log';
        throw new Error(`The rules are written, but Prometheus does not reload them (${status}): ${advice}.`);
      }
    },
    /** The labels of each rule of the group {@link RULE_GROUP}, as in the file. @throws Error */
    async ruleLabels(): Promise<readonly Readonly<Record<string, string>>[]> {
      // Older versions know only `type`, and respond with all groups.
      const filters = new URLSearchParams({ type: 'alert', 'rule_group[]': RULE_GROUP, exclude_alerts: 'true' });
      const { status, body } = await sendForRules(`/api/v1/rules?${filters.toString()}`, {});
      const read = RULES.safeParse(isSuccess(status) ? jsonOf(body) : undefined);
      if (!read.success) {
        throw new Error(
          `The rules are written, but Prometheus does not list its rules (${status} from /api/v1/rules). ` +
            'Check NODEBELL_PROMETHEUS_URL and NODEBELL_PROMETHEUS_TOKEN.'
        );
      }
      const groups = read.data.data.groups.filter(({ name }) => name === RULE_GROUP);
      return groups.flatMap(({ rules }) => rules.map(({ labels }) => labels ?? {}));
    },
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function bodyOf({ query, start, end, step }: Range): string {
  return new URLSearchParams({
    query,
    start: String(start),
    end: String(end),
    step: String(step),
    timeout: `${MONITOR_TIMEOUT_MS / 1000}s`,
    // One more than is shown, to know whether there are others. Ignored before version 3.
    limit: '2',
  }).toString();
}

interface Answer {
  status?: unknown;
  error?: unknown;
  data?: { resultType?: unknown; result?: unknown };
}

function readSeries({ status, body }: OutboundAnswer, { start, end, step }: Range): Series {
  const answer = jsonOf(body) as Answer | undefined;
  if (status !== 200 || answer?.status !== 'success') {
    throw new PrometheusError(errorOf(status, answer));
  }
  const result = answer.data?.result;
  if (answer.data?.resultType !== 'matrix' || !Array.isArray(result)) {
    throw new PrometheusError('The response of Prometheus is not a range vector.');
  }
  const values = new Float64Array(Math.round((end - start) / step) + 1).fill(Number.NaN);
  const [first] = result as { values?: unknown }[];
  for (const pair of Array.isArray(first?.values) ? (first.values as unknown[]) : []) {
    const [time, text] = Array.isArray(pair) ? (pair as unknown[]) : [];
    // A typed array ignores indexes out of its range: values of other times.
    values[Math.round((Number(time) - start) / step)] = readValue(String(text));
  }
  return { start, step, values, hasOthers: result.length > 1 };
}

/** Prometheus writes infinity as `+Inf` and `-Inf`. */
function readValue(text: string): number {
  return text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
}

function errorOf(status: number, answer: Answer | undefined): string {
  if (status === 401 || status === 403) {
    return `Prometheus: authentication failed (${status}). Check NODEBELL_PROMETHEUS_TOKEN.`;
  }
  if (typeof answer?.error === 'string') {
    return `Prometheus rejected the query: ${answer.error.slice(0, 200)}`;
  }
  return `Prometheus responds with status ${status} and no values. Check NODEBELL_PROMETHEUS_URL.`;
}

/** Runs at most so many at the same time. */
function limited(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= max) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) {
        running -= 1;
      } else {
        next();
      }
    }
  };
}
