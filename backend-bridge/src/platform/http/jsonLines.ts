/** Bodies that are JSON or JSON lines. */
import type { RequestHandler } from 'express';
import { NDJSON } from '../../../contract/batch.ts';
import { type BodyOptions, bodyReader, emptyBody, parseJson } from './body.ts';
import { HttpProblem } from './problem.ts';

/** A line that is not empty: its value, or why it has none. */
export interface JsonLine {
  /** Number of the line in the body, from 1. */
  line?: number;
  value: unknown;
  problem?: HttpProblem;
}

/** `req.body` of JSON lines. */
export class JsonLines {
  readonly lines: readonly JsonLine[];
  constructor(lines: readonly JsonLine[]) {
    this.lines = lines;
  }
}

/** `req.body` becomes the parsed JSON, or {@link JsonLines} of at most `options.lines` and one. */
export function jsonOrLinesBody(options: BodyOptions & { lines: number }): RequestHandler[] {
  return [
    bodyReader({ ...options, otherTypes: [NDJSON] }, Infinity, (bytes, req) =>
      req.headers['content-type']?.toLowerCase().startsWith(NDJSON)
        ? new JsonLines(parseLines(bytes, options.lines + 1))
        : parseJson(bytes)
    ),
  ];
}

const NEWLINE = 0x0a;
const BOM = Buffer.from('\ufeff');
/** Whitespace of JSON (RFC 8259, section 2). */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

/**
 * Each line by itself, so that one that is not JSON does not reject the others. A byte order mark, CRLF and empty lines are accepted.
 * @param most lines are read
 * @throws HttpProblem if all lines are empty
 */
function parseLines(bytes: Buffer, most: number): JsonLine[] {
  const lines: JsonLine[] = [];
  let line = 1;
  for (
    let at = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    at < bytes.length && lines.length < most;
    line += 1
  ) {
    const found = bytes.indexOf(NEWLINE, at);
    const end = found === -1 ? bytes.length : found;
    const text = bytes.subarray(at, end);
    if (!isBlank(text)) {
      lines.push(parseLine(text, line));
    }
    at = end + 1;
  }
  if (lines.length === 0) {
    throw emptyBody();
  }
  return lines;
}

function parseLine(bytes: Buffer, line: number): JsonLine {
  try {
    return { line, value: parseJson(bytes, line) };
  } catch (error) {
    if (error instanceof HttpProblem) {
      return { line, value: undefined, problem: error };
    }
    throw error;
  }
}
