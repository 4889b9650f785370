/** Interface of a kind of chain, and JSON-RPC (2.0, and 1.0 for Bitcoin) for the drivers that use it. */
import { isObject, singleLine } from '../../../../contract/text.ts';
import { badResponse, type Identity, type Reading } from './reading.ts';

/**
 * Sends a request and parses the JSON response.
 * @param path without a leading slash
 * @param body sent as JSON by POST; undefined: GET
 * @throws NodeProblem
 */
export type Query = (path: string, body?: unknown) => Promise<unknown>;

/** JSON responses by query; optional ones may be missing. */
export type RawResponses = Record<string, unknown>;

export interface FetchContext {
  query: Query;
  /** Whether to query version and network as well. */
  identity: boolean;
  rpc: RpcState;
}

export interface Driver {
  /** Default port (specification, "chain values"). */
  port: number;
  /** Poll interval in seconds. */
  interval: number;
  /** Display name until the node has reported its network. */
  title: string;
  /** @throws NodeProblem */
  fetch(context: FetchContext): Promise<RawResponses>;
  /**
   * Pure.
   * @param known what the node has reported before
   * @throws NodeProblem
   */
  read(responses: RawResponses, known: Identity): Reading;
}

/** Kept per node between polls. */
export interface RpcState {
  /** The node does not support batches. */
  single?: boolean;
}

export interface RpcOptions {
  query: Query;
  path: string;
  rpc: RpcState;
  version: '1.0' | '2.0';
}

/**
 * Calls all methods: in one batch, or one by one if the node does not support batches.
 * @throws NodeProblem
 */
export async function callAll(methods: readonly string[], options: RpcOptions): Promise<RawResponses> {
  const { rpc } = options;
  if (rpc.single !== true) {
    const response = await options.query(
      options.path,
      methods.map((method, id) => call(method, id, options))
    );
    if (Array.isArray(response)) {
      return byMethod(methods, response);
    }
  }
  const responses: RawResponses = {};
  for (const [id, method] of methods.entries()) {
    responses[method] = await options.query(options.path, call(method, id, options));
  }
  // While every call fails, batch support is unknown.
  rpc.single = Object.values(responses).some((response) => 'result' in outcomeOf(response));
  return responses;
}

const call = (method: string, id: number, { version }: RpcOptions): object => ({
  jsonrpc: version,
  id,
  method,
  params: [],
});

function byMethod(methods: readonly string[], batch: readonly unknown[]): RawResponses {
  const responses: RawResponses = {};
  for (const response of batch) {
    const method = isObject(response) ? methods[Number(response['id'])] : undefined;
    if (method !== undefined) {
      responses[method] = response;
    }
  }
  return responses;
}

export type RpcOutcome =
  { result: unknown } | { error: { code: number | undefined; message: string } } | { absent: true };

/** A response without result and error is absent. */
export function outcomeOf(response: unknown): RpcOutcome {
  if (!isObject(response)) {
    return { absent: true };
  }
  const { error } = response;
  if (error !== null && error !== undefined) {
    const { code, message } = isObject(error) ? error : { code: undefined, message: error };
    return {
      error: {
        code: typeof code === 'number' ? code : undefined,
        message: typeof message === 'string' ? singleLine(message) : 'no message',
      },
    };
  }
  return 'result' in response ? { result: response['result'] } : { absent: true };
}

/** @throws NodeProblem if the response is an error or missing */
export function resultOf(responses: RawResponses, method: string): unknown {
  const outcome = outcomeOf(responses[method]);
  if ('error' in outcome) {
    throw badResponse('rpc-error', `The node returned an error for ${method}: ${toMessage(outcome.error)}.`);
  }
  if ('absent' in outcome) {
    throw badResponse('not-understood', `Unexpected response to ${method}: not a JSON-RPC response.`);
  }
  return outcome.result;
}

/** The result of an optional call. */
export function resultIfAny(responses: RawResponses, method: string): unknown {
  const outcome = outcomeOf(responses[method]);
  return 'result' in outcome ? outcome.result : undefined;
}

export function toMessage({ code, message }: { code: number | undefined; message: string }): string {
  return code === undefined ? message : `${message} (${code})`;
}
