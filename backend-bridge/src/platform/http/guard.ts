/** Who sends a request: types for all handlers. `platform/access/auth.ts` implements the guard. */
import type { Request, RequestHandler } from 'express';
import type { Role } from '../../../contract/roles.ts';
import { foreignApiAt, type PlacedToken } from './foreignApis.ts';

export const AUTH_MODES = ['sender-open', 'token', 'none'] as const;
/** Requests that require a token: see docs/secure.md, "Tokens". */
export type AuthMode = (typeof AUTH_MODES)[number];

/** The sender that a token identifies. */
export interface Sender {
  id: string;
  name: string;
  /** Packages for which it may send; empty: any. */
  packages: readonly string[];
  /** The node of what it sends; undefined: as it says. */
  node?: string | undefined;
}

/** A user, a service account or an API key of Grafana, or an anonymous user. */
export interface Person {
  /**
   * Stable while Grafana keeps this user in this organisation: `org:1/user:<uid>`,
   * `org:1/service-account:<uid>`, `org:1/api-key:<id>`. Anonymous users share `org:1/anonymous`.
   */
  key: string;
  /** For records and messages; it may change. */
  login: string;
  name?: string;
  orgId: number;
  /** In the organisation. Grafana's role None counts as Viewer: the routes of the plugin have already restricted it. */
  role: Role;
  anonymous: boolean;
  /** Grafana has signed it (`X-Grafana-Id`). */
  verified: boolean;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Express lets `res.locals` be typed
  namespace Express {
    interface Locals {
      /** Undefined: there is no token, and none is required. */
      sender?: Sender | undefined;
      /** The request has the admin token. */
      isAdmin?: boolean;
      /** Undefined: the request did not come through Grafana, such as that of a script with the admin token. */
      person?: Person | undefined;
    }
  }
}

/** Checks who sends a request. All but probes also wait for the `ReadGate` if they read. */
export interface Guard {
  /** Reads and changes the inbox; stores the user in `res.locals.person`. */
  admin: RequestHandler;
  /** Sends notifications; stores the sender in `res.locals.sender`. */
  sender: RequestHandler;
  /** Anybody. */
  open: RequestHandler;
  /** Anybody, at once: whether the bridge is alive. */
  probe: RequestHandler;
}

export interface Credentials extends PlacedToken {
  /** Action for which Grafana's proxy let the request through. */
  action?: string;
}

/**
 * `Bearer <token>` (RFC 6750, section 2.1), or `Grafana action="…", token="…"`, which the routes in plugin.json write. The action
 * is in one header with the token, so that neither arrives without the other. APIs of other programs have places of their own
 * ({@link foreignApiAt}). Elsewhere other schemes are ignored: a monitor may send its own credentials.
 */
export function credentials(req: Request): Credentials | undefined {
  const header = req.headers.authorization ?? '';
  const token = /^bearer +(\S+)\s*$/i.exec(header)?.[1];
  if (token !== undefined) {
    return { token };
  }
  const routed = /^grafana +action="([^"]*)", token="(.*)"$/i.exec(header);
  return routed ? { action: routed[1]!, token: routed[2]! } : foreignApiAt(req.url)?.tokenOf(req);
}
