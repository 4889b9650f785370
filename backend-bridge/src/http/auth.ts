/** Who may call what: docs/secure.md, "Tokens". Refusals are 403: Grafana's client answers a 401 by logging in again. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { AuthMode } from '../config.ts';
import { hashToken, SENDER_TOKEN_PREFIX } from '../access/token.ts';
import type { AdmitPerson } from './admitPerson.ts';
import { HttpProblem } from './problem.ts';

/** Who sends, as far as a token tells. */
export interface Sender {
  id: string;
  name: string;
  /** Packages that it may send for; empty: any. */
  packages: readonly string[];
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Express lets `res.locals` be typed
  namespace Express {
    interface Locals {
      /** Undefined: no token was given, and none was needed. */
      sender?: Sender | undefined;
    }
  }
}

/** Looks senders up by the SHA-256 of their token; answers at once, since every send asks. */
export interface SenderLookup {
  find(tokenHash: string): Sender | 'revoked' | undefined;
}

export interface Guard {
  /** Reads and changes the inbox; leaves who is at the keyboard in `res.locals.person`. */
  admin: RequestHandler;
  /** Hands notifications in; leaves who it is in `res.locals.sender`. */
  sender: RequestHandler;
  /** Anybody. */
  open: RequestHandler;
}

const ADMIN: Sender = { id: 'admin', name: 'admin', packages: [] };

/** Hashes have one length, so that comparing them tells nothing, not even how long the token is. */
function tokenEquals(expected: Buffer, token: string): boolean {
  return timingSafeEqual(expected, hash('sha256', token, 'buffer'));
}

export interface GuardOptions {
  mode: AuthMode;
  adminToken: string;
  senders: SenderLookup;
  /** Asked behind the admin token, which Grafana has. */
  admitPerson: AdmitPerson;
}

export function createGuard(options: GuardOptions): Guard {
  const { mode, senders, admitPerson } = options;
  const adminHash = hash('sha256', options.adminToken, 'buffer');
  const isAdmin = (token: string) => tokenEquals(adminHash, token);

  const senderOf = (token: string | undefined): Sender | undefined => {
    if (token === undefined) {
      return mode === 'token'
        ? refuse('Sending needs a token. Send the header "Authorization: Bearer <token>" with a sender token.')
        : undefined;
    }
    // A provisioned token is any word. Looked up also where none is needed: else a revoked token would go on sending, without
    // the limits that it had.
    const sender = senders.find(hashToken(token));
    if (sender === 'revoked' || (sender === undefined && token.startsWith(SENDER_TOKEN_PREFIX))) {
      return refuse(badSender(sender));
    }
    if (sender !== undefined) {
      return sender;
    }
    if (isAdmin(token)) {
      return ADMIN;
    }
    return mode === 'token' ? refuse('This is not a token of a sender that the bridge knows.') : undefined;
  };

  return {
    open: (req, _res, next) => {
      refuseQueryToken(req);
      next();
    },
    admin: async (req, res, next) => {
      refuseQueryToken(req);
      // Where no token is asked for, anybody may have written who it is.
      if (mode !== 'none') {
        const given = credentials(req);
        checkAdmin(given?.token, isAdmin);
        await admitPerson(req, res, given?.action);
      }
      next();
    },
    sender: async (req, res: Response, next) => {
      refuseQueryToken(req);
      const given = credentials(req);
      if (mode !== 'none' && given !== undefined && comesThroughGrafana(req, given, isAdmin)) {
        checkAdmin(given.token, isAdmin);
        await admitPerson(req, res, given.action);
      }
      res.locals.sender = senderOf(given?.token);
      next();
    },
  };
}

/** A monitor with a token of its own may stand behind Grafana as well: it is not who is at the keyboard. */
function comesThroughGrafana(req: Request, given: Credentials, isAdmin: (token: string) => boolean): boolean {
  return given.action !== undefined || (req.headers['x-grafana-context'] !== undefined && isAdmin(given.token));
}

function badSender(state: 'revoked' | undefined): string {
  return state === 'revoked'
    ? 'This sender token was revoked. Ask the admin for a new one.'
    : 'The bridge does not know this sender token.';
}

function checkAdmin(token: string | undefined, isAdmin: (token: string) => boolean): void {
  if (token === undefined) {
    refuse('This needs the admin token. Send the header "Authorization: Bearer <token>".');
  }
  if (!isAdmin(token)) {
    const sender = token.startsWith(SENDER_TOKEN_PREFIX);
    refuse(sender ? 'A sender token may only send. This needs the admin token.' : 'This is not the admin token.');
  }
}

function refuse(detail: string): never {
  throw new HttpProblem('forbidden', detail);
}

interface Credentials {
  token: string;
  /** For which Grafana's proxy let the request through. */
  action?: string;
}

/**
 * `Bearer <token>` (RFC 6750, section 2.1), or `Grafana action="…", token="…"`, which the routes in plugin.json write. The action
 * is in one header with the token, so that neither arrives without the other. Other schemes are no tokens of ours: a monitor may
 * send its own credentials.
 */
function credentials(req: Request): Credentials | undefined {
  const header = req.headers.authorization ?? '';
  const token = /^bearer +(\S+)\s*$/i.exec(header)?.[1];
  if (token !== undefined) {
    return { token };
  }
  const routed = /^grafana +action="([^"]*)", token="(.*)"$/i.exec(header);
  return routed ? { action: routed[1]!, token: routed[2]! } : undefined;
}

const QUERY_TOKEN = /[?&](?:[\w.-]*token|authorization|bearer)=|=nb[as]_/i;

/** A query ends up in logs, histories and referrers (RFC 6750, section 5.3), so a token there is refused, not read. */
function refuseQueryToken(req: Request): void {
  if (req.url.includes('?') && QUERY_TOKEN.test(req.url)) {
    refuse(
      'A token does not belong into the address. Send the header "Authorization: Bearer <token>", and replace this token: it may have been logged on its way.'
    );
  }
}
