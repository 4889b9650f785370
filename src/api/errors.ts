/** Errors of requests to the bridge, by kind. */
import { problemSchema, type Problem } from '@nodebell/contract/problem.ts';
import { t } from '../i18n/t';

export type BridgeErrorKind =
  /** No response, or Grafana's proxy could not reach the bridge. */
  | 'unreachable'
  /** The bridge rejected the token that Grafana sent. */
  | 'token'
  /** Grafana denied access: the user lacks the role or access to the app. */
  | 'role'
  /** The bridge rejected the request for another reason than the token. */
  | 'refused'
  | 'not-found'
  /** The bridge is reachable, but cannot handle the request now. */
  | 'busy'
  | 'invalid'
  /** Internal error of the bridge, which is in its log. */
  | 'failed'
  /** The response does not match the contract. */
  | 'unexpected';

export class BridgeError extends Error {
  readonly kind: BridgeErrorKind;
  readonly status: number | undefined;
  readonly problem: Problem | undefined;

  constructor(kind: BridgeErrorKind, message: string, status?: number, problem?: Problem) {
    super(message);
    this.name = 'BridgeError';
    this.kind = kind;
    this.status = status;
    this.problem = problem;
  }
}

/** The parts of a failed `getBackendSrv().fetch` that we look at; everything may be missing. */
interface Failure {
  status?: number;
  statusText?: string;
  data?: unknown;
  message?: string;
}

/**
 * Converts an error of a request.
 * A reply that has our problem shape comes from the bridge; any other error reply comes from Grafana's proxy.
 */
export function toBridgeError(thrown: unknown): BridgeError {
  if (thrown instanceof BridgeError) {
    return thrown;
  }
  const failure: Failure = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const problem = problemSchema.safeParse(readJson(failure.data)).data;
  const status = failure.status;
  const kind = kindOf(status, problem);
  return new BridgeError(kind, problem?.detail ?? messageOf(kind, failure), status, problem);
}

/** Grafana parses JSON only when the content type says `json`; a problem document may arrive as text. */
export function readJson(data: unknown): unknown {
  if (typeof data !== 'string') {
    return data;
  }
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Whether a refusal of the bridge is about the token that Grafana sends: all of these name it. */
export const isOfToken = (detail: string): boolean => /\btoken\b/.test(detail);

const refusalOf = ({ detail }: Problem): BridgeErrorKind => (isOfToken(detail) ? 'token' : 'refused');

function kindOf(status: number | undefined, problem: Problem | undefined): BridgeErrorKind {
  if (!status) {
    return 'unreachable';
  }
  if (status === 502 || status === 504 || (status === 503 && !problem)) {
    return 'unreachable';
  }
  if (status === 503 || status === 429) {
    return 'busy';
  }
  if (status === 401 || status === 403) {
    return problem ? refusalOf(problem) : 'role';
  }
  if (status === 404) {
    return problem ? 'not-found' : 'unexpected';
  }
  return problem ? (status < 500 ? 'invalid' : 'failed') : 'unexpected';
}

function messageOf(kind: BridgeErrorKind, failure: Failure): string {
  if (kind === 'unreachable') {
    return failure.status
      ? t('bridge.error.not-responding', 'The bridge is not responding.')
      : t('bridge.grafana.silent', 'Grafana is not responding.');
  }
  const data = failure.data as { message?: unknown } | undefined;
  const message = typeof data?.message === 'string' ? data.message : failure.statusText || failure.message;
  return message || t('bridge.error.silent', 'No response.');
}
