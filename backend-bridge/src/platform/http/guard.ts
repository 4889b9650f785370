/** Who sends a request: types for all handlers. `platform/access/auth.ts` implements the guard. */
import type { Request, RequestHandler } from 'express';
import { ALERTMANAGER_BASE } from '../../../contract/alertmanagerBase.ts';
import type { Role } from '../../../contract/roles.ts';

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

export interface Credentials {
  token: string;
  /** Action for which Grafana's proxy let the request through. */
  action?: string;
}

/**
 * `Bearer <token>` (RFC 6750, section 2.1), or `Grafana action="…", token="…"`, which the routes in plugin.json write. The action
 * is in one header with the token, so that neither arrives without the other. Alertmanager's API also takes basic authentication (RFC 7617)
 * with the token as password, since some of its clients have no other. Elsewhere other schemes are ignored: a monitor may send its own
 * credentials.
 */
export function credentials(req: Request): Credentials | undefined {
  const header = req.headers.authorization;
  if (header === undefined) {
    return undefined;
  }
  const token = /^bearer +(\S+)\s*$/i.exec(header)?.[1] ?? basicPassword(req, header);
  if (token !== undefined) {
    return { token };
  }
  const routed = /^grafana +action="([^"]*)", token="(.*)"$/i.exec(header);
  return routed ? { action: routed[1]!, token: routed[2]! } : undefined;
}

function basicPassword(req: Request, header: string): string | undefined {
  const encoded = req.path.startsWith(ALERTMANAGER_BASE) ? /^basic +([\w+/=-]+)\s*$/i.exec(header)?.[1] : undefined;
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
}
