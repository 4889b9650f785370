import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: OutgoingHttpHeaders = {}
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...headers,
  });
  response.end(body);
}

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value));

/** Results in its status instead of 500: the request is invalid. */
export class BadRequest extends Error {
  readonly status: 400 | 413;
  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** Bytes. Settings and tests of contact points are small. */
const MAX_BODY = 1024 * 1024;

/** @throws BadRequest when the body is larger than 1 MiB or is no JSON object */
export async function readJson(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Read to its end even when too large, so that the response reaches a client that is still sending.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY) {
      chunks.push(chunk);
    } else {
      chunks.length = 0;
    }
  }
  if (size > MAX_BODY) {
    throw new BadRequest(413, `the body is larger than ${MAX_BODY} bytes`);
  }
  const value = parse(Buffer.concat(chunks).toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadRequest(400, 'the body is not a JSON object');
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadRequest(400, `the body is not JSON: ${(error as Error).message}`);
  }
}

/** @throws BadRequest when a percent sign is not followed by two hexadecimal digits of UTF-8 text */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new BadRequest(400, 'the path has an invalid percent-encoding');
  }
}
