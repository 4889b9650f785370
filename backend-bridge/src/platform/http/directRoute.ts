/**
 * One route that is served without Express' router: finding its handlers, and the members that Express gives each request, cost as
 * much as reading and checking a notification (docs/decisions/0007-ingest.md). The handlers and the errors are the same.
 */
import type { OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';

export interface DirectRoute {
  method: string;
  /** The whole URL: with a query, or in another spelling, the request goes to the router. */
  url: string;
  /** They use the members of Node's own classes, and of Express' only `body`, `baseUrl`, `path` and `locals`. */
  handlers: readonly RequestHandler[];
}

/**
 * @param app serves everything else; has the same route
 * @param writeError the app's last handler
 */
export function withDirectRoute(
  app: Express,
  { method, url, handlers }: DirectRoute,
  writeError: ErrorRequestHandler
): RequestListener {
  return (incoming, response) => {
    if (incoming.url !== url || incoming.method !== method) {
      app(incoming, response);
      return;
    }
    const req = Object.assign(incoming, { baseUrl: '', path: url, res: response }) as Request;
    const res = Object.assign(response, { locals: {} }) as Response;
    const fail = (error: unknown): void => {
      Object.setPrototypeOf(req, app.request as object);
      Object.setPrototypeOf(res, app.response as object);
      void writeError(error, req, res, () => undefined);
    };
    run(handlers, req, res, fail);
  };
}

/** Each handler calls the next one, as in Express: what one throws, rejects with or passes on ends the chain. */
function run(
  handlers: readonly RequestHandler[],
  req: Request,
  res: Response,
  fail: (error: unknown) => void,
  at = 0
): void {
  const next = (error?: unknown): void => (error === undefined ? run(handlers, req, res, fail, at + 1) : fail(error));
  try {
    const pending: unknown = handlers[at]?.(req, res, next);
    if (pending instanceof Promise) {
      pending.catch(fail);
    }
  } catch (error) {
    fail(error);
  }
}

/** A response as `res.json()` writes it, without Express. */
export function writeJson(res: ServerResponse, status: number, body: unknown, headers?: OutgoingHttpHeaders): void {
  const text = JSON.stringify(body);
  res
    .writeHead(status, {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
}
