/** The HTTP client of the command line: maps responses to messages and exit codes. */
import { z } from 'zod';
import {
  type ClientRequest,
  type Operation,
  type ReplyOf,
  type RequestInput,
  requestOf,
  type Spec,
} from '../../../contract/operation.ts';
import { NDJSON } from '../../../contract/batch.ts';
import { type Problem, problemSchema } from '../../../contract/problem.ts';
import { adminConnection, type Connection, type ConnectionFlags } from './connection.ts';
import { CliError, type CliIo, EXIT, parsedJson, printable } from './io.ts';

/** A request with more headers. */
export interface BridgeRequest extends ClientRequest {
  headers?: Record<string, string>;
  /** A body of JSON lines, sent as it is. */
  lines?: Buffer<ArrayBuffer>;
}

/** The bridge returned a problem document. */
export class RefusedError extends CliError {
  readonly problem: Problem;
  /** Seconds. */
  readonly retryAfter: number;
  constructor(problem: Problem, retryAfter: string | null) {
    const later = problem.status === 429 || problem.status === 503;
    super(later ? EXIT.unreachable : EXIT.refused, problemMessage(problem, retryAfter));
    this.name = 'RefusedError';
    this.problem = problem;
    this.retryAfter = Number(retryAfter) || 0;
  }
}

/**
 * @returns the JSON response; undefined for 204
 * @throws CliError, or RefusedError for a problem document
 */
export async function sendRequest(
  connection: Connection,
  { method, path, body, headers, lines }: BridgeRequest,
  io: CliIo
): Promise<unknown> {
  const { base, token, timeoutMs } = connection;
  let response: Response;
  let text: string;
  try {
    response = await io.fetch(new URL(path.slice(1), base), {
      method,
      // A redirect would send the token elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: 'application/json',
        'user-agent': `nodebell/${io.version}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(lines !== undefined && { 'content-type': NDJSON }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(lines !== undefined && { body: lines }),
    });
    text = await response.text();
  } catch (error) {
    throw new CliError(
      EXIT.unreachable,
      `cannot connect to the bridge at ${base.origin}: ${causeMessage(error, timeoutMs)}.`
    );
  }
  return readResponse(response, text, base);
}

function readResponse(response: Response, text: string, base: URL): unknown {
  if (response.status === 204) {
    return undefined;
  }
  const json = parsedJson(text);
  if (response.ok && json !== undefined) {
    return json;
  }
  const problem = problemSchema.safeParse(json);
  if (problem.success) {
    throw new RefusedError(problem.data, response.headers.get('retry-after'));
  }
  throw new CliError(
    EXIT.unreachable,
    `unexpected response (status ${response.status}) from ${base.origin}. Is ${base.href} the URL of the bridge?`
  );
}

export function problemMessage(
  { detail, errors, id, status, title }: Problem,
  retryAfter: string | null = null
): string {
  const more =
    errors.length > 1
      ? errors.map((mistake) => `\n  ${printable(mistake.pointer)}: ${printable(mistake.detail)}`).join('')
      : '';
  const wait = retryAfter === null ? '' : ` Retry after ${printable(retryAfter)} s.`;
  return `${printable(title)} (${status}): ${printable(detail)}${wait}${more}\n  (request ID ${printable(id)} in the log of the bridge)`;
}

function causeMessage(error: unknown, timeoutMs: number): string {
  if ((error as Error).name === 'TimeoutError') {
    return `timeout after ${timeoutMs / 1000} s`;
  }
  const cause = (error as Error).cause as { code?: string; message?: string } | undefined;
  switch (cause?.code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'host not found';
    default:
      return cause?.code ?? cause?.message ?? (error as Error).message;
  }
}

/**
 * Calls an operation with the admin token.
 * @param schema of the response. Default: the operation's; one with fewer members also accepts other versions of the bridge
 * @throws CliError, also if the response does not match
 */
export async function adminCall<S extends Spec, R = ReplyOf<S>>(
  operation: Operation<S>,
  input: RequestInput<S>,
  flags: ConnectionFlags,
  io: CliIo,
  schema = operation.reply.schema as z.ZodType<R> | undefined
): Promise<R> {
  const connection = adminConnection(flags, io);
  const response = (schema ?? z.undefined()).safeParse(await sendAsAdmin(connection, requestOf(operation, input), io));
  if (!response.success) {
    throw new CliError(
      EXIT.unreachable,
      `unexpected response from ${connection.base.origin}. The bridge may have another version.`
    );
  }
  return response.data as R;
}

async function sendAsAdmin(connection: Connection, request: BridgeRequest, io: CliIo): Promise<unknown> {
  try {
    return await sendRequest(connection, request, io);
  } catch (error) {
    if (error instanceof RefusedError && error.problem.status === 403 && connection.token === undefined) {
      error.message += `\n  No admin token found. See "nodebell token --help" for where to set it.`;
    }
    throw error;
  }
}
