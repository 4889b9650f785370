/** Access to routes: docs/secure.md, "Tokens". Rejects with 403, since Grafana's client reacts to 401 by signing in again. */
import type { Request, Response } from 'express';
import { hashToken, SENDER_TOKEN_PREFIX } from './token.ts';
import type { AdmitPerson } from './admitPerson.ts';
import { type AuthMode, type Credentials, credentials, type Guard, type Sender } from '../http/guard.ts';
import { HttpProblem } from '../http/problem.ts';
import { senderKey } from '../http/senderKey.ts';
import { ReadGate } from '../http/readGate.ts';

/** Finds senders by the SHA-256 of their token; synchronous, since every send calls it. */
export interface SenderLookup {
  /** @param address of the client, which is kept as that of the last use */
  find(tokenHash: string, address?: string): Sender | 'revoked' | undefined;
  /** To be called before `find`, where other replicas create tokens: reads one that is not known here. */
  lookUp?: ((tokenHash: string) => Promise<void>) | undefined;
}

export const ADMIN: Sender = { id: 'admin', name: 'admin', packages: [] };

/** @param address of the client */
type IsAdmin = (token: string, address: string | undefined) => boolean;

export interface GuardOptions {
  mode: AuthMode;
  /** Whether this is the admin token; see AdminToken in platform/access/adminToken.ts. */
  isAdmin: IsAdmin;
  senders: SenderLookup;
  /** Called after the check of the admin token, which Grafana has. */
  admitPerson: AdmitPerson;
  gate?: ReadGate;
}

export function createGuard(options: GuardOptions): Guard {
  const { mode, isAdmin, senders, admitPerson, gate = new ReadGate() } = options;

  const senderOf = (given: Credentials | undefined, address: string | undefined): Sender | undefined => {
    if (given === undefined) {
      return mode === 'token'
        ? refuse('Sending requires a token. Send the header "Authorization: Bearer <token>" with a sender token.')
        : undefined;
    }
    const { token } = given;
    // A provisioned token has no prefix. Looked up even if none is required: otherwise a revoked token could still send, without its
    // restrictions.
    const sender = senders.find(hashToken(token), address);
    if (sender === 'revoked' || (sender === undefined && token.startsWith(SENDER_TOKEN_PREFIX))) {
      return refuse(badSender(sender));
    }
    if (sender !== undefined) {
      return sender;
    }
    if (isAdmin(token, address)) {
      return adminOf(given);
    }
    return mode === 'token' ? refuse('Unknown sender token.') : undefined;
  };

  return {
    probe: (req, _res, next) => {
      refuseQueryToken(req);
      next();
    },
    open: async (req, res, next) => {
      refuseQueryToken(req);
      await admitRead(gate, req, res);
      next();
    },
    admin: async (req, res, next) => {
      refuseQueryToken(req);
      // Without a token, anyone could have written the header.
      if (mode !== 'none') {
        const given = credentials(req);
        checkAdmin(given?.token, req, isAdmin);
        res.locals.isAdmin = true;
        await admitPerson(req, res, given?.action);
      }
      await admitRead(gate, req, res);
      next();
    },
    sender: (req, res: Response, next) => {
      refuseQueryToken(req);
      const given = credentials(req);
      const admit = (): void | Promise<void> => {
        res.locals.sender = senderOf(given, req.socket.remoteAddress);
        return isRead(req) ? admitRead(gate, req, res).then(() => next()) : next();
      };
      if (mode !== 'none' && given !== undefined && comesThroughGrafana(req, given, isAdmin)) {
        checkAdmin(given.token, req, isAdmin);
        return admitPerson(req, res, given.action).then(admit);
      }
      if (given !== undefined && senders.lookUp) {
        return senders.lookUp(hashToken(given.token)).then(admit);
      }
      return admit();
    },
  };
}

function adminOf({ inPath }: Credentials): Sender {
  return inPath
    ? refuse('The admin token must not be part of a URL. Use a sender token, and replace the admin token.')
    : ADMIN;
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/**
 * Waits until a read may start.
 * @param bytes of the largest response; see {@link ReadGate}
 */
export async function admitRead(gate: ReadGate, req: Request, res: Response, bytes?: number): Promise<void> {
  if (isRead(req)) {
    const { person, sender } = res.locals;
    await gate.enter(res, person?.key ?? senderKey(sender?.id, req.socket.remoteAddress), bytes);
  }
}

/** A monitor with a token of its own may send through Grafana as well: it is not the user. */
function comesThroughGrafana(req: Request, given: Credentials, isAdmin: IsAdmin): boolean {
  return (
    given.action !== undefined ||
    (req.headers['x-grafana-context'] !== undefined && isAdmin(given.token, req.socket.remoteAddress))
  );
}

function badSender(state: 'revoked' | undefined): string {
  return state === 'revoked'
    ? 'This sender token was revoked or replaced. Ask the admin for a new one.'
    : 'Unknown sender token.';
}

function checkAdmin(token: string | undefined, req: Request, isAdmin: IsAdmin): void {
  if (token === undefined) {
    refuse('This requires the admin token. Send the header "Authorization: Bearer <token>".');
  }
  if (!isAdmin(token, req.socket.remoteAddress)) {
    const sender = token.startsWith(SENDER_TOKEN_PREFIX);
    refuse(sender ? 'A sender token can only send. This requires the admin token.' : 'This is not the admin token.');
  }
}

function refuse(detail: string): never {
  throw new HttpProblem('forbidden', detail);
}

const QUERY_TOKEN = /[?&](?:[\w.-]*token|auth|authorization|bearer)=|=nb[as]_/i;

/** URLs end up in logs, histories and referrers (RFC 6750, section 5.3), so a token there is rejected. */
function refuseQueryToken(req: Request): void {
  if (req.url.includes('?') && QUERY_TOKEN.test(req.url)) {
    refuse(
      'A token must not be part of the URL. Send the header "Authorization: Bearer <token>", and replace this token: it may have been logged in transit.'
    );
  }
}
