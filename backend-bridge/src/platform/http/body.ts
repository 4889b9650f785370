/**
 * Reads request bodies. Own code, because this is the hot path: one read of the chunks serves about a tenth more requests
 * than express.json() does (docs/decisions), and a 400 must name the line and the column of an error.
 */
import { isUtf8 } from 'node:buffer';
import type { Request, RequestHandler } from 'express';
import { LIMITS } from '../../../contract/limits.ts';
import { BODY_MEMORY, type BodyMemory, Reservation } from './bodyMemory.ts';
import { busy, collect, tooLarge } from './collectBody.ts';
import { locateSyntaxError } from './jsonMistake.ts';
import { HttpProblem } from './problem.ts';

export interface BodyOptions {
  /** Bytes. Default: 1 MiB. */
  limit?: number;
  /** Objects, lists and their members. Default: 100,000. */
  elements?: number;
  /** Nested objects and lists. Default: 32. */
  levels?: number;
  /** Shared by all bodies, unless a test gives its own. */
  memory?: BodyMemory;
  /** A request without a body is let through, with `req.body` undefined. */
  optional?: boolean;
  /** Accepted media types besides JSON. */
  otherTypes?: readonly string[];
  /** Any media type, or none. Pages of other origins are rejected by their headers only (`sameSiteOnly`). */
  anyType?: boolean;
}

/**
 * `req.body` becomes the parsed JSON.
 * Anything but JSON is a 415, also because a web page of another origin may send text/plain without a preflight, but not
 * application/json (Fetch standard, CORS-safelisted content types), for which the preflight always fails.
 */
export function jsonBody(options: BodyOptions = {}): RequestHandler[] {
  return [bodyReader(options, options.levels ?? LIMITS.bodyDepth.value, (bytes) => parseJson(bytes))];
}

/**
 * `req.body` becomes the bytes as sent: for signatures, and for JSON that has to be cleaned first. Nesting is not limited here,
 * but by the parser.
 */
export function rawBody(options: BodyOptions = {}): RequestHandler[] {
  return [bodyReader(options, Infinity, (bytes) => bytes)];
}

/** @param read makes `req.body`; may throw a problem */
export function bodyReader(
  options: BodyOptions,
  levels: number,
  read: (bytes: Buffer, req: Request) => unknown
): RequestHandler {
  const { limit = LIMITS.bodyBytes.value, elements = LIMITS.bodyElements.value, memory = BODY_MEMORY } = options;
  return (req, res, next) => {
    if (!hasBody(req)) {
      if (options.optional) {
        next();
        return;
      }
      throw emptyBody();
    }
    checkHeaders(req, limit, options);
    const reservation = new Reservation(memory);
    if (!reservation.fits(Number(req.headers['content-length'] ?? 0))) {
      throw busy();
    }
    res.once('close', () => reservation.release());
    collect(req, { bytes: limit, elements, levels }, reservation, (error, bytes) => {
      if (error !== undefined) {
        next(error);
        return;
      }
      try {
        if (bytes.length === 0 && !options.optional) {
          throw emptyBody();
        }
        req.body = bytes.length === 0 ? undefined : read(bytes, req);
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

export function emptyBody(): HttpProblem {
  const allowed = 'a JSON value';
  return new HttpProblem('malformed', 'The body is empty; send JSON.', {
    errors: [{ pointer: '#', found: 'nothing', allowed, detail: `Send ${allowed}.` }],
  });
}

function checkHeaders(req: Request, limit: number, { otherTypes = [], anyType = false }: BodyOptions): void {
  const type = req.headers['content-type'];
  // The two common values, without parsing.
  if (
    !anyType &&
    type !== 'application/json' &&
    type !== 'application/json; charset=utf-8' &&
    !isJsonType(type, otherTypes)
  ) {
    throw unsupported('Content-Type', type, ['application/json (UTF-8)', ...otherTypes].join(' or '));
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
function isJsonType(type: string | undefined, otherTypes: readonly string[]): boolean {
  const [name = '', ...parameters] = (type ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replace(/^"(.*)"$/, '$1');
  return (
    (/^application\/(?:json|[\w.!#$&^-]+\+json)$/.test(name) || otherTypes.includes(name)) &&
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

/**
 * @param firstLine number of the first line, for errors
 * @throws HttpProblem
 */
export function parseJson(bytes: Buffer, firstLine?: number): unknown {
  // Invalid UTF-8 is an error instead of a stored U+FFFD.
  if (!isUtf8(bytes)) {
    const allowed = 'JSON in UTF-8 (RFC 8259, section 8.1)';
    throw new HttpProblem('malformed', 'The body contains bytes that are not UTF-8.', {
      errors: [{ pointer: '#', found: 'bytes that are not UTF-8', allowed, detail: `Send ${allowed}.` }],
    });
  }
  const decoded = bytes.toString('utf8');
  // RFC 8259, section 8.1: a reader may ignore a byte order mark; PowerShell and Notepad write one.
  const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw locateSyntaxError(text, error, firstLine);
  }
}
