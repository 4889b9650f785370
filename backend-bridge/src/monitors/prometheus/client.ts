/** Asks Prometheus for what a query has been (its HTTP API, "Range queries"). */
import { LIMITS } from '../../../contract/limits.ts';
import { readAddressRules } from '../../http/addresses.ts';
import { createOutbound, type Outbound, type OutboundAnswer, OutboundError } from '../../http/outbound.ts';
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

/** @throws PrometheusError */
export type AskRange = (range: Range) => Promise<Series>;

/** Why there is no history: a sentence for a person. */
export class PrometheusError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PrometheusError';
  }
}

const TIMEOUT_MS = 10_000;
/** Of an answer: a series of a week has half a MiB. */
const MAX_BYTES = LIMITS.prometheusResponseBytes.value;
/** Questions at the same time: a page may show many sliders at once, and Prometheus has other work. */
const AT_ONCE = 4;

/**
 * @param url where Prometheus answers, from the operator: a query never decides whom it is sent to
 * @param token sent as a bearer token
 */
export function createPrometheusClient(url: string, token: string | undefined): AskRange {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const outbound = createOutbound({
    // The operator's own address: it may be on this machine, whatever its name.
    allow: readAddressRules([host, '127.0.0.0/8', '::1']),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const inTurn = limited(AT_ONCE);
  return (range) => inTurn(async () => readSeries(await post(outbound, url, token, range), range));
}

async function post(
  outbound: Outbound,
  url: string,
  token: string | undefined,
  { query, start, end, step }: Range
): Promise<OutboundAnswer> {
  const body = new URLSearchParams({
    query,
    start: String(start),
    end: String(end),
    step: String(step),
    timeout: `${TIMEOUT_MS / 1000}s`,
    // One more than is shown, to know that there are others. Before version 3 it is not known, and not minded.
    limit: '2',
  }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  try {
    return await outbound.fetchGuarded(`${url}/api/v1/query_range`, 'history', { method: 'POST', headers, body });
  } catch (error) {
    throw error instanceof OutboundError ? new PrometheusError(`Prometheus: ${error.message}`, error) : error;
  }
}

interface Answer {
  status?: unknown;
  error?: unknown;
  data?: { resultType?: unknown; result?: unknown };
}

function readSeries({ status, body }: OutboundAnswer, { start, end, step }: Range): Series {
  const answer = parsed(body);
  if (status !== 200 || answer?.status !== 'success') {
    throw new PrometheusError(refusal(status, answer));
  }
  const result = answer.data?.result;
  if (answer.data?.resultType !== 'matrix' || !Array.isArray(result)) {
    throw new PrometheusError('Prometheus answers with something else than values over time.');
  }
  const values = new Float64Array(Math.round((end - start) / step) + 1).fill(Number.NaN);
  const [first] = result as { values?: unknown }[];
  for (const pair of Array.isArray(first?.values) ? (first.values as unknown[]) : []) {
    const [time, text] = Array.isArray(pair) ? (pair as unknown[]) : [];
    // A typed array takes nothing at an index that it does not have: what is of another time is left out.
    values[Math.round((Number(time) - start) / step)] = readValue(String(text));
  }
  return { start, step, values, hasOthers: result.length > 1 };
}

function parsed(body: Buffer): Answer | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as Answer;
  } catch {
    return undefined;
  }
}

/** As Prometheus writes numbers: `+Inf` and `-Inf` are its own. */
function readValue(text: string): number {
  return text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
}

function refusal(status: number, answer: Answer | undefined): string {
  if (status === 401 || status === 403) {
    return `Prometheus does not let the bridge ask (${status}): set NODEBELL_PROMETHEUS_TOKEN to a token that it takes.`;
  }
  if (typeof answer?.error === 'string') {
    return `Prometheus cannot answer the query: ${answer.error.slice(0, 200)}`;
  }
  return `Prometheus answers with status ${status} and no values. Does NODEBELL_PROMETHEUS_URL lead to it?`;
}

/** So many at the same time; the others wait. */
function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) {
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
