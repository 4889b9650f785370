/**
 * How operations of the HTTP API are defined. One definition gives the typed handler (`src/http/serve.ts`), the requests of all clients
 * ({@link requestOf}), the OpenAPI page, the permissions of roles, and Grafana's proxy routes.
 */
import type { z } from 'zod';
import { ALERTMANAGER_BASE } from './alertmanagerBase.ts';
import type { Action } from './roles.ts';
import { urlSegment } from './url.ts';

/** Who may call: `sender` and `admin` by token as NODEBELL_AUTH says; `open`: anybody; `probe`: anybody, without waiting for other reads. */
export type Access = 'sender' | 'admin' | 'open' | 'probe';
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A placeholder of a path: a positive integer, a segment, or text that may hold slashes, escaped or not. */
export interface Param<T = string | number> {
  kind: 'id' | 'segment' | 'path';
  description: string;
  /** Only a type. */
  readonly value?: T;
}
export const idParam = (description: string): Param<number> => ({ kind: 'id', description });
export const segment = (description: string): Param<string> => ({ kind: 'segment', description });
export const pathParam = (description: string): Param<string> => ({ kind: 'path', description });

/** A request body: JSON with a schema, or other bytes. */
export interface Body<B extends z.ZodType | undefined = z.ZodType | undefined, O extends boolean = boolean> {
  readonly schema: B;
  optional: O;
  description?: string | undefined;
  /** Undefined: JSON. */
  mediaType?: string | undefined;
  /** Other media types that are accepted. */
  otherTypes?: readonly string[] | undefined;
  /** Bounds other than those of any body; see {@link LIMITS}. `levels`: nested objects and lists. */
  limits?: { limit?: number; elements?: number; levels?: number } | undefined;
}
type BodyOptions = Pick<Body, 'description' | 'limits' | 'otherTypes'>;

/** Adds a schema that is built when it is first read: a process uses few of them. */
function withSchema<T extends object, S extends z.ZodType>(rest: T, build: () => S): T & { readonly schema: S } {
  let schema: S | undefined;
  return Object.defineProperty(rest, 'schema', { get: () => (schema ??= build()), enumerable: true }) as T & {
    readonly schema: S;
  };
}

export const json = <B extends z.ZodType>(schema: () => B, options: BodyOptions = {}): Body<B, false> =>
  withSchema({ optional: false as const, ...options }, schema);
export const optionalJson = <B extends z.ZodType>(schema: () => B): Body<B, true> =>
  withSchema({ optional: true as const }, schema);
export const binary = (mediaType: string, description: string): Body<undefined, false> => ({
  schema: undefined,
  optional: false,
  mediaType,
  description,
});

/** A response. */
export interface Reply<R extends z.ZodType | undefined = z.ZodType | undefined> {
  status: number;
  description: string;
  /** Undefined: no content, or not JSON; the handler sends it. */
  readonly schema: R;
  /** Empty: no content. */
  mediaType?: string;
  /** Other media types that a parameter selects. */
  otherTypes?: readonly string[];
}
const replyOf =
  (status: number) =>
  <R extends z.ZodType>(description: string, schema: () => R, otherTypes: readonly string[] = []): Reply<R> =>
    withSchema({ status, description, otherTypes }, schema);
export const ok = replyOf(200);
export const created = replyOf(201);
export const accepted = replyOf(202);
/** A response that is successful in part. */
export const multiStatus = replyOf(207);
export const noContent = (description: string): Reply<undefined> => ({ status: 204, description, schema: undefined });
export const content = (description: string, mediaType: string): Reply<undefined> => ({
  status: 200,
  description,
  schema: undefined,
  mediaType,
});
/** 200 without content. */
export const empty = (description: string): Reply<undefined> => content(description, '');

/** Definition of an operation. */
export interface Spec {
  /** Default: `admin`. */
  access?: Access;
  /** The token is in the body, whose bytes are read first. */
  tokenInBody?: boolean;
  summary: string;
  /** By name of the placeholder. */
  params?: Readonly<Record<string, Param>>;
  query?: () => z.ZodObject;
  /** Other names of query parameters, for clients of DAppNode. */
  aliases?: Readonly<Record<string, string>>;
  /** Descriptions by name. */
  headers?: Readonly<Record<string, string>>;
  body?: Body;
  reply: Reply;
  /** Other successful responses. */
  also?: readonly Reply[];
  /** Statuses of problem documents besides {@link problemsOf} of any such operation. */
  problems?: readonly number[];
}

export type Tag =
  | 'Notifications'
  | 'Respond'
  | 'Events'
  | 'Webhooks'
  | 'Other APIs'
  | 'Alertmanager'
  | 'Categories'
  | 'Packages'
  | 'Thresholds'
  | 'Chains'
  | 'Channels'
  | 'Senders'
  | 'Service';

/** For senders, monitors and the command line. */
export const NOT_PROXIED = null;

type Unnamed<S extends Spec> = S & {
  method: Method;
  /** The action that Grafana's proxy requires. */
  may: Action | typeof NOT_PROXIED;
  /** With `{placeholders}`, from the root. */
  path: string;
  access: Access;
};

/** An operation of the HTTP API. */
export type Operation<S extends Spec = Spec> = Unnamed<S> & { id: string; tag: Tag };

const BASE = '/api/v1';

const define =
  (method: Method, base: string) =>
  <const S extends Spec>(path: string, may: Action | typeof NOT_PROXIED, spec: S): Unnamed<S> => ({
    ...spec,
    access: spec.access ?? 'admin',
    method,
    may,
    path: base + path,
  });

/** Each takes a path below `/api/v1`. */
export const get = define('get', BASE);
export const post = define('post', BASE);
export const put = define('put', BASE);
export const patch = define('patch', BASE);
export const del = define('delete', BASE);
/** Each takes a path below that of Alertmanager's API. */
export const alertmanager = {
  get: define('get', ALERTMANAGER_BASE),
  post: define('post', ALERTMANAGER_BASE),
  del: define('delete', ALERTMANAGER_BASE),
};
/** Each takes a path from the root. */
export const getRoot = define('get', '');
export const postRoot = define('post', '');
export const putRoot = define('put', '');

/** Operations by id, as an area defines them. */
export function operations<O extends Record<string, Unnamed<Spec>>>(
  tag: Tag,
  unnamed: O
): { [K in keyof O]: O[K] & { id: string; tag: Tag } } {
  const named = Object.entries(unnamed).map(([id, one]) => [id, { ...one, id, tag }]);
  return Object.fromEntries(named) as { [K in keyof O]: O[K] & { id: string; tag: Tag } };
}

type ValueOf<P> = P extends Param<infer T> ? T : never;
export type ParamsOf<S extends Spec> = S['params'] extends infer P extends object
  ? { [K in keyof P]: ValueOf<P[K]> }
  : object;
type BodyWith<S extends Spec, Given> =
  S['body'] extends Body<infer B, infer O>
    ? B extends z.ZodType
      ? (Given extends 'in' ? z.input<B> : z.output<B>) | (O extends true ? undefined : never)
      : undefined
    : undefined;
/** After validation. */
export type BodyOf<S extends Spec> = BodyWith<S, 'out'>;
export type QueryOf<S extends Spec> = S['query'] extends (() => infer Q extends z.ZodType) ? z.output<Q> : object;
/** Undefined: no content, or content that is not JSON. */
export type ReplyOf<S extends Spec> = S['reply']['schema'] extends infer R extends z.ZodType ? z.output<R> : undefined;

type QueryValue = string | number | boolean | readonly string[] | null | undefined;
/** Values by name; what is undefined, null or empty is left out, lists repeat the name. */
export type QueryValues = Readonly<Record<string, QueryValue>>;
/** Input of a client: parameters, query and body, where the operation has them. */
export type RequestInput<S extends Spec> = (S['params'] extends object ? { params: ParamsOf<S> } : object) &
  (S['query'] extends (() => infer Q extends z.ZodType)
    ? { query?: { readonly [K in keyof z.input<Q>]?: QueryValue } }
    : object) &
  (S['body'] extends Body<z.ZodType, infer O>
    ? O extends true
      ? { body?: BodyWith<S, 'in'> }
      : { body: BodyWith<S, 'in'> }
    : object);

/** A request of any client. */
export interface ClientRequest {
  method: Uppercase<Method>;
  /** From the root, with its query. */
  path: string;
  body?: unknown;
}

/** The request that calls an operation. */
export function requestOf<S extends Spec>(operation: Operation<S>, input: RequestInput<S>): ClientRequest {
  const {
    params = {},
    query = {},
    body,
  } = input as {
    params?: Record<string, string | number>;
    query?: QueryValues;
    body?: unknown;
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => urlSegment(String(params[name])));
  return {
    method: operation.method.toUpperCase() as Uppercase<Method>,
    path: path + searchOf(query),
    ...(body !== undefined && { body }),
  };
}

/** @returns the query with its question mark, or an empty string */
export function searchOf(query: QueryValues): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') {
        search.append(name, String(one));
      }
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** Statuses of problem documents that an operation can have: its own and those of all operations of its kind. */
export function problemsOf({ method, access, params, query, body, problems = [] }: Operation): number[] {
  const isJson = body !== undefined && body.mediaType === undefined;
  return [
    ...problems,
    ...(params || query || isJson ? [400] : []),
    ...(isJson ? [413, 415] : []),
    // A busy or unavailable store, or no memory for another body.
    ...(method !== 'get' ? [503] : []),
    ...(access === 'open' || access === 'probe' ? [] : [403]),
    500,
  ];
}

/** Its path as Express and path-to-regexp write it. */
export const expressPath = ({ path, params }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => (params?.[name]?.kind === 'path' ? `*${name}` : `:${name}`));
