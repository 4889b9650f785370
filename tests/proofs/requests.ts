/** Generated requests for every operation of the OpenAPI page, and each response compared with the page. */
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import type { RunningBridge } from '../bench/bridge.ts';
import { newAjv } from '../contract/published.ts';
import { type Generated, requestsOf } from './requestValues.ts';
import type { Schema } from './schemaValues.ts';

/** Requests under way at a time. */
const CONCURRENT = 8;
/** Requests per operation, one after another before the next is generated; fewer if not every operation would get one. */
const SAMPLE = 40;
/** Only against hanging. */
const RESPONSE_MS = 60_000;
const MEMORY_EVERY = 500;
const MAX_REPORTED = 40;

export interface Requests {
  bridge: RunningBridge;
  requests: number;
  seed: number;
  /** The document to compare with. Default: that of the bridge. */
  page?: Schema;
  onProgress?: (done: number) => void;
}

export interface RequestsResult {
  statuses: Record<string, number>;
  /** Operations that responded. */
  operations: number;
  /** Pairs of operation and status that were seen. */
  covered: number;
  /** Resident set in bytes, every {@link MEMORY_EVERY} requests. */
  memory: number[];
  /** Responses that the page does not describe, with their requests. */
  unexpected: string[];
}

interface Operation {
  method: string;
  path: string;
  id: string;
  described: Schema;
  /** Matches the paths of its requests. */
  route: RegExp;
  requests: fc.Arbitrary<Generated>;
}

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export async function proveRequests(options: Requests): Promise<RequestsResult> {
  const { bridge, requests, seed, onProgress } = options;
  const page = options.page ?? ((await (await bridge.get('/api/v1/openapi.json')).json()) as Schema);
  const operations = operationsOf(page);
  const check = createCheck(page, operations);
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  const statuses: Record<string, number> = {};
  const covered = new Set<string>();
  const unexpected: string[] = [];
  const memory: number[] = [];
  let done = 0;
  let turn = 0;

  const one = async (operation: Operation, generated: Generated): Promise<void> => {
    const what = `${operation.id}: ${operation.method.toUpperCase()} ${generated.path.slice(0, 300)} ${JSON.stringify(generated.headers)} ${generated.body?.toString().slice(0, 500) ?? ''}`;
    try {
      const received = await send(bridge.url, agent, operation.method, generated);
      statuses[received.status] = (statuses[received.status] ?? 0) + 1;
      covered.add(`${operation.id} ${received.status}`);
      const mistake = check(operation, generated, received);
      if (mistake !== undefined) {
        unexpected.push(`${mistake}\n    ${what}\n    ${received.body.toString().slice(0, 400)}`);
      }
    } catch (error) {
      unexpected.push(`${String(error)}\n    ${what}`);
    }
    done += 1;
    if (done % MEMORY_EVERY === 0) {
      memory.push(bridge.memory());
      onProgress?.(done);
    }
  };

  const numRuns = Math.max(1, Math.min(SAMPLE, Math.floor(requests / operations.length)));
  const work = async (): Promise<void> => {
    while (done < requests && bridge.ended === null && unexpected.length < MAX_REPORTED) {
      const operation = operations[turn % operations.length]!;
      const sample = fc.sample(operation.requests, { numRuns, seed: seed + turn });
      turn += 1;
      for (const generated of sample.slice(0, Math.max(0, requests - done))) {
        await one(operation, generated);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  agent.destroy();
  if (bridge.ended !== null) {
    unexpected.push(`the bridge ended with ${bridge.ended}`);
  }
  const responded = new Set([...covered].map((pair) => pair.split(' ')[0]));
  return { statuses, operations: responded.size, covered: covered.size, memory, unexpected };
}

function operationsOf(page: Schema): Operation[] {
  return Object.entries(page.paths as Schema).flatMap(([path, methods]) =>
    Object.entries(methods as Schema).map(([method, described]) => ({
      method,
      path,
      id: described.operationId as string,
      described: described as Schema,
      route: new RegExp(
        // A correlationId may hold slashes.
        `^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'correlationId' ? '.+' : '[^/]*'))}/?$`
      ),
      requests: requestsOf(path, described as Schema, page),
    }))
  );
}

function send(url: string, agent: Agent, method: string, { path, headers, body }: Generated): Promise<Received> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        hostname,
        port,
        method: method.toUpperCase(),
        path,
        headers: { ...headers, ...(body && { 'Content-Length': String(body.length) }) },
        timeout: RESPONSE_MS,
      },
      (response) => {
        const received = { status: response.statusCode ?? 0, headers: response.headers };
        if (/^text\/event-stream/.test(response.headers['content-type'] ?? '')) {
          // It does not end on its own.
          resolve({ ...received, body: Buffer.alloc(0) });
          request.destroy();
          return;
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => resolve({ ...received, body: Buffer.concat(chunks) }));
        response.once('error', reject);
      }
    );
    request.once('timeout', () => request.destroy(new Error('no response')));
    request.once('error', reject);
    request.end(body);
  });
}

/** @returns what the page does not describe; undefined when the response is as described */
function createCheck(page: Schema, operations: Operation[]) {
  const ajv = newAjv(false);
  const validators = new Map<string, ValidateFunction>();
  const validator = (key: string, schema: Schema): ValidateFunction => {
    const known = validators.get(key) ?? ajv.compile({ ...schema, components: page.components });
    validators.set(key, known);
    return known;
  };

  const asDescribed = (operation: Operation, { status, headers, body }: Received): string | undefined => {
    const described = (operation.described.responses as Schema)[status] as Schema | undefined;
    if (described === undefined) {
      return `${operation.id} does not describe ${status}`;
    }
    if (described.content === undefined) {
      return body.length === 0 ? undefined : `${operation.id} ${status} has a body`;
    }
    const type = (headers['content-type'] ?? '').split(';')[0]!;
    const ranges = Object.keys(described.content as Schema);
    const range = ranges.find((one) => one === type || one === type.replace(/\/.*/, '/*'));
    if (range === undefined) {
      return `${operation.id} ${status} is ${type}, described as ${ranges.join(', ')}`;
    }
    if (!/[/+]json$/.test(type)) {
      return undefined;
    }
    const { schema } = (described.content as Schema)[range];
    const valid = validator(`${operation.id} ${status}`, schema as Schema);
    return valid(JSON.parse(body.toString()))
      ? undefined
      : `${operation.id} ${status}: ${ajv.errorsText(valid.errors)}`;
  };

  return (operation: Operation, { path }: Generated, received: Received): string | undefined => {
    if (received.status >= 500 && !isMeant(received)) {
      return `${operation.id}: ${received.status}`;
    }
    // A parameter may be the name of another operation's path.
    const [bare] = path.split('?');
    const possible = operations.filter(
      (one) => one.method === operation.method && (one === operation || one.route.test(bare!))
    );
    const mistakes = possible.map((one) => asDescribed(one, received));
    return mistakes.includes(undefined) ? undefined : mistakes[0];
  };
}

/** Prometheus is not configured, and bodies of other requests may take all memory; the store itself never fails here. */
function isMeant({ status, body }: Received): boolean {
  return status === 503 && /"type":"\/api\/v1\/problems\/(no-history|busy)"/.test(body.toString());
}
