/** The one error that handlers throw; `errors.ts` is the only place that writes it out. */
import { PROBLEM_KINDS, type ProblemError, type ProblemKind } from '../../contract/problem.ts';

export interface ProblemOptions {
  errors?: ProblemError[];
  /** Extra response headers, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** The reason, for the log only; never sent. */
  cause?: unknown;
}

/** An answer that is a problem document (RFC 9457). */
export class HttpProblem extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly errors: ProblemError[];
  readonly headers: Record<string, string>;

  /** @param detail what went wrong this time and what to do, for a person; holds no secret */
  constructor(kind: ProblemKind, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'HttpProblem';
    this.kind = kind;
    this.status = PROBLEM_KINDS[kind].status;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** 400 with every mistake found. */
export function invalid(errors: ProblemError[], what = 'the request'): HttpProblem {
  const first = errors[0]?.detail ?? '';
  const detail =
    errors.length === 1 ? `${first}` : `There are ${errors.length} mistakes in ${what}. The first: ${first}`;
  return new HttpProblem('invalid', detail, { errors });
}
