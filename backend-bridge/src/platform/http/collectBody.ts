/** Collects the bytes of a request within its limits: size, elements, nesting, and the memory of all bodies together. */
import type { Request } from 'express';
import { LIMITS } from '../../../contract/limits.ts';
import type { Reservation } from './bodyMemory.ts';
import { HttpProblem, problemAt } from './problem.ts';

export interface CollectLimits {
  bytes: number;
  elements: number;
  levels: number;
}

/** A body of this size cannot hold more elements than are allowed. Bytes. */
const SCANNED_FROM = 4096;
const EMPTY = Buffer.alloc(0);

/** Calls back once, with the bytes or an error. Bytes after an error are discarded, until Node's timeout. */
export function collect(
  req: Request,
  limits: CollectLimits,
  reservation: Reservation,
  done: (error: unknown, bytes: Buffer) => void
): void {
  let bytes: Buffer = EMPTY;
  let size = 0;
  let scan: JsonScan | undefined;
  let over = false;
  const finish = (error: unknown) => {
    // A flag is cheaper than taking three listeners off each request.
    if (!over) {
      over = true;
      const whole = error === undefined ? bytes.subarray(0, size) : EMPTY;
      bytes = EMPTY;
      if (error !== undefined) {
        reservation.release();
      }
      done(error, whole);
    }
  };
  req.on('data', (chunk: Buffer) => {
    if (over) {
      return;
    }
    if (size + chunk.length > limits.bytes) {
      finish(tooLarge(limits.bytes));
      return;
    }
    bytes = append(bytes, size, chunk, limits.bytes);
    size += chunk.length;
    if (size > SCANNED_FROM) {
      scan ??= new JsonScan();
      scan.advance(bytes, size);
    }
    const { elements = 0, levels = 0 } = scan ?? {};
    if (elements > limits.elements) {
      finish(tooManyElements(limits.elements));
    } else if (levels > limits.levels) {
      finish(tooDeep(limits.levels));
    } else if (!reservation.grow(size, elements)) {
      finish(busy());
    }
  });
  req.on('end', () => finish(undefined));
  // Emitted if the connection ends before the request does.
  req.on('error', () => finish({ type: 'request.aborted' }));
}

/**
 * One buffer, which doubles when it is full: many small chunks cost no more than their bytes. The usual body is one chunk,
 * and is not copied.
 */
function append(bytes: Buffer, size: number, chunk: Buffer, limit: number): Buffer {
  if (size === 0) {
    return chunk;
  }
  const needed = size + chunk.length;
  let target = bytes;
  if (needed > bytes.length) {
    target = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, 2 * bytes.length)));
    bytes.copy(target, 0, 0, size);
  }
  chunk.copy(target, size);
  return target;
}

export function tooLarge(limit: number): HttpProblem {
  const allowed = `at most ${limit / 1024 / 1024} MiB`;
  return new HttpProblem('too-large', `The body is larger than ${limit / 1024 / 1024} MiB.`, {
    errors: [
      { pointer: '#', found: `more than ${limit} bytes`, allowed, detail: `Send ${allowed}, or several requests.` },
    ],
  });
}

function tooManyElements(limit: number): HttpProblem {
  const number = limit.toLocaleString('en-US');
  const allowed = `at most ${number} objects, lists and members`;
  return new HttpProblem('too-large', `The body has more than ${number} objects, lists and members.`, {
    errors: [{ pointer: '#', found: `more than ${number}`, allowed, detail: `Send ${allowed}, or several requests.` }],
  });
}

function tooDeep(limit: number): HttpProblem {
  const allowed = `at most ${limit} levels of objects and lists`;
  const detail = `The body is nested deeper than ${limit} levels; flatten it.`;
  return problemAt('invalid', { pointer: '#', found: `nesting deeper than ${limit} levels`, allowed, detail });
}

/** 503: the bodies of other requests take all the memory that bodies may take. */
export function busy(): HttpProblem {
  const limit = (LIMITS.smallBodiesHeap.value + LIMITS.largeBodiesHeap.value) / 1024 / 1024;
  return new HttpProblem(
    'busy',
    `The bodies of other requests use the memory that the bridge has for them (${limit} MiB). Nothing of this request was stored. Try again.`,
    { headers: { 'Retry-After': '1' } }
  );
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the elements and levels of JSON while it is received, so that a body that would fill the heap is rejected before
 * JSON.parse creates its objects. Exact for JSON, also one value in each line; for other text, up to the place where JSON.parse stops.
 */
export class JsonScan {
  /** Opening brackets and commas outside of strings: at least as many as JSON.parse creates objects and lists. */
  elements = 0;
  /** The deepest nesting so far. */
  levels = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #next = 0;

  /**
   * Scans the bytes that were added since the last call.
   * @param bytes the body from its beginning
   * @param end how many of them have arrived
   */
  advance(bytes: Uint8Array, end: number): void {
    let at = this.#next;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    let { elements, levels } = this;
    while (at < end) {
      const byte = bytes[at];
      at += 1;
      if (inString) {
        // No string of JSON contains a line break: in JSON lines, the next line begins outside of strings.
        inString = byte !== NEWLINE && (escaped || byte !== QUOTE);
        escaped = byte === BACKSLASH && !escaped;
        continue;
      }
      if (byte === QUOTE) {
        inString = true;
      } else if (byte === COMMA) {
        elements += 1;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        elements += 1;
        depth += 1;
        levels = depth > levels ? depth : levels;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth -= 1;
      }
    }
    this.#next = at;
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    this.elements = elements;
    this.levels = levels;
  }
}
