/** The single error writer: whatever goes wrong becomes one RFC 9457 problem document, the same in development and production. */
import { randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { LIMITS } from '../../../contract/limits.ts';
import { type Problem, PROBLEM_KINDS, type ProblemError, problemType } from '../../../contract/problem.ts';
import { isRejected, NotWanted } from '../storage/read.ts';
import { failureReason, FAILURE_TEXTS, RETRY_AFTER, StoreUnavailable, WriteTooLarge } from '../storage/storeError.ts';
import { foreignApiAt, withoutKeys } from './foreignApis.ts';
import { HttpProblem } from './problem.ts';

/** A subset of pino. */
export interface ErrorLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Identifies one error, in the response and in the log. */
export function newProblemId(): string {
  return randomBytes(9).toString('base64url');
}

/** Removes tokens, wherever a client put one; those of the bridge are recognised by their prefix. */
export function redact(text: string): string {
  return (
    withoutKeys(text)
      .replace(/nb[as]_[\w-]{6,}/g, 'nb?_[redacted]')
      // A JSON Web Token: a header that begins with `{"`, in base64url.
      .replace(/\beyJ[\w-]{6,}(?:\.[\w-]*){0,2}/g, '[redacted]')
      .replace(/\b(bearer|basic)(?:\s|%20)+[^\s<"]+/gi, '$1 [redacted]')
  );
}

/**
 * The response document, limited in size whatever the errors contain.
 * @param most errors listed in it
 */
export function problemDocument(
  { kind, message, errors }: HttpProblem,
  id: string,
  most: number = LIMITS.problemErrors.value
): Problem {
  const { title, status } = PROBLEM_KINDS[kind];
  const listed = errors.slice(0, most);
  const more = Math.min(errors.length, LIMITS.countedErrors.value) - listed.length;
  return {
    type: problemType(kind),
    title,
    status,
    detail: cut(message, LIMITS.problemDetail.value),
    id,
    errors: listed.map(bounded),
    ...(more > 0 && { moreErrors: more }),
  };
}

function bounded({ pointer, found, allowed, detail }: ProblemError): ProblemError {
  const { value: length } = LIMITS.problemText;
  return {
    pointer: cut(pointer, length),
    found: cut(found, length),
    allowed: cut(allowed, length),
    detail: cut(detail, length),
  };
}

/** Never in the middle of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}

/** No operation has this path. */
export const nothingAt = ({ method, path }: Pick<Request, 'method' | 'path'>): HttpProblem =>
  new HttpProblem('not-found', `There is nothing at ${method} ${shown(path)}. /api/v1/openapi.json lists every path.`);

/** The last handler: 405 with `Allow` when the path exists only with other methods, else 404. */
export function notFound(): RequestHandler {
  let routes: KnownRoute[] | undefined;
  return (req) => {
    routes ??= listRoutes(req.app.router);
    const allowed = allowedMethods(routes, req.path);
    // With the method among them, the route itself found nothing at this path.
    if (allowed.length === 0 || allowed.includes(req.method)) {
      throw nothingAt(req);
    }
    const allow = allowed.join(', ');
    const detail = `${shown(req.path)} does not support ${req.method}; supported: ${allow}.`;
    throw new HttpProblem('method-not-allowed', detail, { headers: { Allow: allow } });
  };
}

/** Writes every error and logs it with the id of the response: internal errors with the cause, those of clients in one line. */
export function errorWriter(log: ErrorLog, newId: () => string = newProblemId): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, req, res, _next) => {
    const problem = toProblem(error);
    if (problem === undefined) {
      res.destroy();
      return;
    }
    const id = newId();
    logProblem(log, problem, id, req);
    if (res.headersSent) {
      // Part of the response was sent: closing the connection is the only way left to signal the error.
      res.destroy();
      return;
    }
    const { errorOf } = foreignApiAt(req.path) ?? {};
    const document = problemDocument(problem, id);
    res
      .status(problem.status)
      .set({
        ...problem.headers,
        'Cache-Control': 'no-store',
        'Content-Type': errorOf ? 'application/json' : 'application/problem+json',
      })
      .end(JSON.stringify(errorOf ? errorOf(document) : document));
  };
}

function logProblem(log: ErrorLog, problem: HttpProblem, id: string, req: Request): void {
  // Neither the query nor the values found: both may contain what a client wrote.
  const person = req.res?.locals.person?.key;
  const fields = {
    id,
    status: problem.status,
    kind: problem.kind,
    method: req.method,
    path: shown(req.path),
    ...(person !== undefined && { person }),
  };
  if (problem.status >= 500) {
    log.error({ ...fields, err: problem.cause ?? problem }, redact(problem.message));
  } else {
    const pointers = problem.errors.slice(0, LIMITS.problemErrors.value).map(({ pointer }) => shown(pointer));
    log.info(
      pointers.length > 0 ? { ...fields, pointers } : fields,
      pointers.length > 0 ? PROBLEM_KINDS[problem.kind].title : redact(problem.message)
    );
  }
}

function shown(path: string): string {
  const text = redact(path);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** The request needs more than a write or a read may do. */
function tooMuchOf(error: unknown): HttpProblem | undefined {
  if (error instanceof WriteTooLarge) {
    return new HttpProblem('too-large', error.message);
  }
  return isRejected(error) ? new HttpProblem('invalid', error.message) : undefined;
}

/** @returns undefined if the client has disconnected */
export function toProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) {
    return error;
  }
  if (error instanceof StoreUnavailable) {
    const headers = { 'Retry-After': String(error.retryAfter) };
    return new HttpProblem('unavailable', error.message, { headers, cause: error.cause });
  }
  // Failure of a query: writes are rejected by the queue.
  const reason = failureReason((error as { code?: unknown } | null)?.code);
  if (reason === 'unreachable' || reason === 'corrupt') {
    const headers = { 'Retry-After': String(RETRY_AFTER[reason]) };
    return new HttpProblem('unavailable', FAILURE_TEXTS[reason], { headers, cause: error });
  }
  const tooMuch = tooMuchOf(error);
  if (tooMuch) {
    return tooMuch;
  }
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown };
  if (error instanceof NotWanted || type === 'request.aborted') {
    return undefined;
  }
  // The router's error for a path such as /%ZZ; nothing else of Express throws a 4xx here.
  if (error instanceof URIError || status === 400) {
    return new HttpProblem(
      'malformed',
      'The path contains a percent sign that is not followed by two hexadecimal digits of UTF-8 text.',
      { cause: error }
    );
  }
  return new HttpProblem('internal', 'Internal error. See the log of the bridge for the id of this response.', {
    cause: error,
  });
}

/** The result of `router.listRoutes()` (router 2.3, README), which the types of Express lack. */
interface RouteLister {
  listRoutes(): { path: string | RegExp; methods?: string[]; router?: RouteLister }[];
}

export interface KnownRoute {
  path: RegExp;
  /** Upper case, with HEAD where there is GET. */
  methods: string[];
}

/** @param router of an app; routers mounted in it are listed too */
export function listRoutes(router: unknown, prefix = ''): KnownRoute[] {
  return (router as RouteLister).listRoutes().flatMap(({ path, methods, router: mounted }) => {
    if (typeof path !== 'string') {
      return [];
    }
    const whole = prefix + (path === '/' ? '' : path);
    // `.all()` is a guard, not something to offer.
    const offered = (methods ?? []).filter((method) => method !== '*').map((method) => method.toUpperCase());
    return mounted ? listRoutes(mounted, whole) : [{ path: pathToRegexp(whole || '/').regexp, methods: offered }];
  });
}

/** @returns methods of the routes that match, sorted; empty when none does */
export function allowedMethods(routes: readonly KnownRoute[], path: string): string[] {
  return [...new Set(routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods))].sort();
}
