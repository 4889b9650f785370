/** Serves operations: each handler gets the validated input of its operation and returns its response. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Actor } from '../../../contract/audit.ts';
import {
  expressPath,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type Spec,
} from '../../../contract/operation.ts';
import { actorOf } from './actor.ts';
import type { Guard } from './guard.ts';
import { jsonBody, rawBody } from './body.ts';
import type { Person } from './guard.ts';
import { readBody, readId, readQuery } from './query.ts';
import { joinSegments } from './security.ts';

/** A request of an operation. */
export interface Call<S extends Spec> {
  params: ParamsOf<S>;
  query: QueryOf<S>;
  body: BodyOf<S>;
  /** The user in Grafana; undefined: the request did not come through Grafana. */
  person: Person | undefined;
  /** By whom a change is recorded. */
  by: Actor;
  req: Request;
  res: Response;
}

/**
 * Returns the response, or sends it: then it returns undefined. A list: handlers of Express that read the body and respond by themselves.
 */
export type Handler<S extends Spec> =
  | ((call: Call<S>) => Promise<ReplyOf<S> | undefined | void> | ReplyOf<S> | undefined | void)
  | readonly RequestHandler[];

/** A handler for each operation. */
export type Handlers<O extends Record<string, Operation>> = { readonly [K in keyof O]: Handler<O[K]> };

export interface ServeOptions {
  guard: Guard;
  /** Applied to changes by senders, after their guard. */
  limit: RequestHandler;
  /** Whether anybody may call an operation that its definition restricts. */
  isOpen?: (id: string) => boolean;
}

/** Routes of these operations; a path without placeholders comes before one that would match it. */
export function serve<O extends Record<string, Operation>>(
  api: O,
  handlers: Handlers<O>,
  { guard, limit, isOpen = () => false }: ServeOptions
): Router {
  const router = Router();
  const all = Object.keys(api).sort((a, b) => placeholders(api[a]!) - placeholders(api[b]!));
  for (const id of all) {
    const operation: Operation = api[id]!;
    const handler = handlers[id] as Handler<Spec>;
    const { method, access } = operation;
    const isSend = access === 'sender' && method !== 'get';
    router[method](
      expressPath(operation),
      // By address: the sender is known once the body is read.
      ...(operation.tokenInBody ? [limit, ...rawBody(operation.body?.limits)] : []),
      isOpen(id) ? guard.open : guard[access],
      ...(isSend ? [operation.tokenInBody ? ofSender(limit) : limit] : []),
      ...(typeof handler === 'function' ? handlersOf(operation, handler) : handler)
    );
  }
  return router;
}

/** The address has been counted already. */
const ofSender =
  (limit: RequestHandler): RequestHandler =>
  (req, res, next) =>
    res.locals.sender === undefined ? next() : limit(req, res, next);

const placeholders = ({ path }: Operation): number => path.split('{').length;

function handlersOf(
  operation: Operation,
  handler: Extract<Handler<Spec>, (...args: never[]) => unknown>
): RequestHandler[] {
  const { params = {}, query, aliases, body, reply } = operation;
  const hasJson = body !== undefined && body.mediaType === undefined;
  const answer: RequestHandler = async (req, res) => {
    const given = req.params as Record<string, string | string[]>;
    const values = Object.entries(params).map(([name, { kind }]) => {
      const text = joinSegments(given[name]);
      return [name, kind === 'id' ? readId(text) : text];
    });
    const result: unknown = await handler({
      params: Object.fromEntries(values) as object,
      query: query === undefined ? {} : readQuery(req, query(), aliases),
      body: hasJson && req.body !== undefined ? readBody(req.body, body.schema!) : undefined,
      person: res.locals.person,
      by: actorOf(req, res),
      req,
      res,
    } as Call<Spec>);
    if (result !== undefined) {
      res.status(reply.status).json(result);
    } else if (reply.status === 204) {
      res.status(204).end();
    }
  };
  return hasJson ? [...jsonBody({ ...body.limits, optional: body.optional }), answer] : [answer];
}
