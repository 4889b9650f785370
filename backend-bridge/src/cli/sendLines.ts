/** `nodebell send --lines`: a stream of JSON lines, sent in batches. */
import { isUtf8 } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { NOTIFICATIONS } from '../../contract/api/notifications.ts';
import { type BatchResults, batchResultsSchema } from '../../contract/batch.ts';
import { LIMITS } from '../../contract/limits.ts';
import { requestOf } from '../../contract/operation.ts';
import { isObject } from '../../contract/text.ts';
import { linesOf } from './shared/lines.ts';
import { problemMessage, RefusedError, sendRequest } from './shared/client.ts';
import type { Connection } from './shared/connection.ts';
import { CliError, type CliIo, EXIT, type ExitCode, usageError } from './shared/io.ts';

/** Bytes of one request: few enough for a slow connection to transfer them within the timeout. */
const CHUNK_BYTES = 1024 * 1024;
/** Repeats of a request in a row. */
const RETRIES = 5;
const RETRY_MS = 1000;
const NEWLINE = Buffer.from('\n');

export interface LinesOptions {
  connection: Connection;
  /** Undefined: standard input. */
  path: string | undefined;
  /** Members that replace those of each notification. */
  given: Record<string, unknown>;
  /** Undefined: repeats within this run store nothing twice, but those of another run do. */
  key: string | undefined;
  strict: boolean | undefined;
  /** Prints errors as JSON. */
  json: boolean | undefined;
}

interface Line {
  /** From 1. */
  number: number;
  bytes: Buffer<ArrayBuffer>;
}

type Counts = Pick<BatchResults, 'stored' | 'duplicates' | 'failed'>;

/** @throws CliError; what was stored before stays stored */
export async function sendLines(options: LinesOptions, io: CliIo): Promise<ExitCode> {
  const counts: Counts = { stored: 0, duplicates: 0, failed: 0 };
  const key = options.key ?? randomUUID();
  const send = (lines: readonly Line[]): Promise<void> => sendChunk(lines, { ...options, key }, counts, io);
  let chunk: Line[] = [];
  let bytes = 0;
  if (options.path === undefined && io.stdin === undefined) {
    throw usageError('--lines reads standard input, but it is a terminal. Name a file.');
  }
  try {
    for await (const { number, bytes: text } of linesOf(options.path, io)) {
      const line = { number, bytes: withMembers(text, options.given) };
      const size = line.bytes.length + 1;
      if (chunk.length === LIMITS.batchItems.value || (chunk.length > 0 && bytes + size > CHUNK_BYTES)) {
        await send(chunk);
        [chunk, bytes] = [[], 0];
      }
      chunk.push(line);
      bytes += size;
    }
    if (chunk.length > 0) {
      await send(chunk);
    }
  } catch (error) {
    throw atLine(error, chunk[0]?.number);
  }
  const { stored, duplicates, failed } = counts;
  if (stored + duplicates + failed === 0) {
    throw usageError('the input has no lines.');
  }
  io.out(`stored ${stored}, stored before ${duplicates}, failed ${failed}\n`);
  return failed === 0 ? EXIT.ok : EXIT.refused;
}

type Keyed = LinesOptions & { key: string };

async function sendChunk(lines: readonly Line[], options: Keyed, counts: Counts, io: CliIo): Promise<void> {
  try {
    const { results, ...sums } = await sendAgain(lines, options, io);
    for (const name of ['stored', 'duplicates', 'failed'] as const) {
      counts[name] += sums[name];
    }
    for (const { index, problem } of results) {
      const line = lines[index];
      if (problem && line) {
        printFailure(line, problemMessage(problem), { line: line.number, problem }, options, io);
      }
    }
  } catch (error) {
    if (!(error instanceof RefusedError) || error.problem.status !== 413) {
      throw error;
    }
    if (lines.length === 1) {
      counts.failed += 1;
      printFailure(lines[0]!, error.message, { line: lines[0]!.number, problem: error.problem }, options, io);
      return;
    }
    const half = Math.ceil(lines.length / 2);
    await sendChunk(lines.slice(0, half), options, counts, io);
    await sendChunk(lines.slice(half), options, counts, io);
  }
}

function printFailure(line: Line, message: string, json: object, { json: asJson }: LinesOptions, io: CliIo): void {
  io.err(asJson ? `${JSON.stringify(json)}\n` : `nodebell: line ${line.number}: ${message}\n`);
}

function atLine(error: unknown, line: number | undefined): unknown {
  if (error instanceof CliError && line !== undefined) {
    error.message += `\n  Lines from ${line} on were not acknowledged.`;
  }
  return error;
}

/** Repeats the request while the bridge is busy or unreachable, under the same key. */
async function sendAgain(lines: readonly Line[], options: Keyed, io: CliIo): Promise<BatchResults> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendOnce(lines, options, io);
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.unreachable || attempt === RETRIES) {
        throw error;
      }
      const seconds = error instanceof RefusedError ? error.retryAfter : 0;
      await io.wait(seconds > 0 ? seconds * 1000 : RETRY_MS * 2 ** attempt);
    }
  }
}

async function sendOnce(lines: readonly Line[], { connection, key, strict }: Keyed, io: CliIo): Promise<BatchResults> {
  const operation = NOTIFICATIONS.sendBatch;
  const { method, path } = requestOf(operation, { query: { ...(strict && { strict }) }, body: [] });
  const response = await sendRequest(
    connection,
    {
      method,
      path,
      // The bridge adds the place of each: another run makes the same keys.
      headers: { 'idempotency-key': createHash('sha256').update(`${key} ${lines[0]!.number}`).digest('base64url') },
      lines: Buffer.concat(lines.flatMap(({ bytes }) => [bytes, NEWLINE])),
    },
    io
  );
  const { success, data } = batchResultsSchema.safeParse(response);
  if (!success) {
    throw new CliError(EXIT.unreachable, `unexpected response from ${connection.base.origin}.`);
  }
  return data;
}

/** A line that is no JSON object is sent as it is: the bridge reports it. */
function withMembers(line: Buffer<ArrayBuffer>, given: Record<string, unknown>): Buffer<ArrayBuffer> {
  if (Object.keys(given).length === 0 || !isUtf8(line)) {
    return line;
  }
  try {
    const value: unknown = JSON.parse(line.toString());
    return isObject(value) ? Buffer.from(JSON.stringify({ ...value, ...given })) : line;
  } catch {
    return line;
  }
}
