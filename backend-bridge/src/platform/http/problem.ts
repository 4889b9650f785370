/** The one error that handlers throw; `errors.ts` is the only place that writes it out. */
import { LIMITS } from '../../../contract/limits.ts';
import { PROBLEM_KINDS, type ProblemError, type ProblemKind } from '../../../contract/problem.ts';

export interface ProblemOptions {
  errors?: ProblemError[];
  /** Extra response headers, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** The reason, for the log only; never sent. */
  cause?: unknown;
}

/** An error response as problem document (RFC 9457). */
export class HttpProblem extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly errors: ProblemError[];
  readonly headers: Record<string, string>;

  /** @param detail what went wrong and what to do; contains no secrets */
  constructor(kind: ProblemKind, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'HttpProblem';
    this.kind = kind;
    this.status = PROBLEM_KINDS[kind].status;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** About one place: its detail is that of the response. */
export const problemAt = (kind: ProblemKind, error: ProblemError, cause?: unknown): HttpProblem =>
  new HttpProblem(kind, error.detail, { errors: [error], cause });

/**
 * 400 with the errors found. As many as validation counts at most may be more.
 * @param what was validated
 */
export function invalid(errors: ProblemError[], what = 'the request'): HttpProblem {
  const first = errors[0]?.detail ?? '';
  const { countedErrors, problemErrors } = LIMITS;
  const total = Math.min(errors.length, countedErrors.value);
  const count = total === countedErrors.value ? `at least ${total}` : String(total);
  const listed = total > problemErrors.value ? `, of which ${problemErrors.value} are listed` : '';
  const detail = total === 1 ? first : `There are ${count} errors in ${what}${listed}. The first: ${first}`;
  return new HttpProblem('invalid', detail, { errors });
}

/** @throws HttpProblem 404 */
export function notificationNotFound(): never {
  throw new HttpProblem('not-found', 'Notification not found; it may have been deleted.');
}
