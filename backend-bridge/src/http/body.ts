/**
 * Reads request bodies. Own code, because this is the hot path: one read of the chunks answers about a tenth more requests
 * than express.json() does (docs/decisions), and a 400 must name the line and the column of a mistake.
 */
import { isUtf8 } from 'node:buffer';
import type { Request, RequestHandler } from 'express';
import { locateSyntaxError } from './jsonMistake.ts';
import { HttpProblem } from './problem.ts';

export const BODY_LIMIT = 1024 * 1024;
/** A monitor puts many alerts into one body. */
export const WEBHOOK_BODY_LIMIT = 16 * 1024 * 1024;

export interface BodyOptions {
  /** Bytes. */
  limit?: number;
  /** A request without a body is let through, with `req.body` undefined. */
  optional?: boolean;
}

/**
 * `req.body` becomes the parsed JSON.
 * Anything but JSON is a 415, also because a web page of another origin may send text/plain without asking first, but must
 * ask before it sends application/json (Fetch standard, CORS-safelisted content types), and is never allowed to.
 */
export function jsonBody(options: BodyOptions = {}): RequestHandler[] {
  return [bodyReader(options, parseJson)];
}

/** `req.body` becomes the bytes as sent: for signatures, and for JSON that has to be mended first. */
export function rawBody(options: BodyOptions = {}): RequestHandler[] {
  return [bodyReader(options, (bytes) => bytes)];
}

function bodyReader(options: BodyOptions, read: (bytes: Buffer) => unknown): RequestHandler {
  const limit = options.limit ?? BODY_LIMIT;
  return (req, _res, next) => {
    if (!hasBody(req)) {
      if (options.optional) {
        next();
        return;
      }
      throw emptyBody();
    }
    checkHeaders(req, limit);
    collect(req, limit, (error, bytes) => {
      if (error !== undefined) {
        next(error);
        return;
      }
      try {
        if (bytes.length === 0 && !options.optional) {
          throw emptyBody();
        }
        req.body = bytes.length === 0 ? undefined : read(bytes);
      } catch (mistake) {
        next(mistake);
        return;
      }
      next();
    });
  };
}

function hasBody(req: Request): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = req.headers;
  return transfer !== undefined || (length !== undefined && length !== '0');
}

function emptyBody(): HttpProblem {
  const allowed = 'a JSON value';
  return new HttpProblem('malformed', 'The body is empty; send JSON.', {
    errors: [{ pointer: '#', found: 'nothing', allowed, detail: `Send ${allowed}.` }],
  });
}

function checkHeaders(req: Request, limit: number): void {
  const type = req.headers['content-type'];
  // The usual two, before anything is taken apart.
  if (type !== 'application/json' && type !== 'application/json; charset=utf-8' && !isJsonType(type)) {
    throw unsupported('Content-Type', type, 'application/json (UTF-8)');
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Content-Encoding', encoding, 'none: a body that is not compressed');
  }
  if (Number(req.headers['content-length'] ?? 0) > limit) {
    throw tooLarge(limit);
  }
}

/** application/json or a type with the suffix +json (RFC 6839); JSON is UTF-8 (RFC 8259, section 8.1). */
function isJsonType(type: string | undefined): boolean {
  const [name = '', ...parameters] = (type ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replace(/^"(.*)"$/, '$1');
  return (
    /^application\/(?:json|[\w.!#$&^-]+\+json)$/.test(name) &&
    (charset === undefined || charset === 'utf-8' || charset === 'utf8')
  );
}

function unsupported(header: string, value: string | undefined, allowed: string): HttpProblem {
  const found = value === undefined ? `no ${header}` : JSON.stringify(value.slice(0, 100));
  return new HttpProblem('not-json', `${header} must be ${allowed}; found ${found}.`, {
    errors: [
      {
        pointer: '#',
        found: `${header}: ${value?.slice(0, 100) ?? 'nothing'}`,
        allowed,
        detail: `Set ${header} to ${allowed}.`,
      },
    ],
  });
}

function tooLarge(limit: number): HttpProblem {
  const allowed = `at most ${limit / 1024 / 1024} MiB`;
  return new HttpProblem('too-large', `The body is larger than ${limit / 1024 / 1024} MiB.`, {
    errors: [
      { pointer: '#', found: `more than ${limit} bytes`, allowed, detail: `Send ${allowed}, or several requests.` },
    ],
  });
}

/** Hands over the bytes once, or an error once. What comes after an error is read and dropped, until Node's time-out. */
function collect(req: Request, limit: number, done: (error: unknown, bytes: Buffer) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let over = false;
  const finish = (error: unknown) => {
    // A flag is cheaper than taking four listeners off each request.
    if (!over) {
      over = true;
      done(error, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      chunks = [];
    }
  };
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
    } else if (!over) {
      chunks = [];
      finish(tooLarge(limit));
    }
  });
  req.on('end', () => finish(undefined));
  // Node says so whenever a connection ends before its request does.
  req.on('error', () => finish({ type: 'request.aborted' }));
}

function parseJson(bytes: Buffer): unknown {
  // Bytes that are no UTF-8 are a mistake to be told, not a U+FFFD to be stored.
  if (!isUtf8(bytes)) {
    const allowed = 'JSON in UTF-8 (RFC 8259, section 8.1)';
    throw new HttpProblem('malformed', 'The body holds bytes that are not UTF-8.', {
      errors: [{ pointer: '#', found: 'bytes that are not UTF-8', allowed, detail: `Send ${allowed}.` }],
    });
  }
  const decoded = bytes.toString('utf8');
  // RFC 8259, section 8.1: a reader may ignore a byte order mark; PowerShell and Notepad write one.
  const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw locateSyntaxError(text, error);
  }
}
