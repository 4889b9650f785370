/** Identifies the user of a request through Grafana and checks its permission. Only for requests with the admin token. */
import type { Request, Response } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { OPERATIONS } from '../../../contract/api.ts';
import { expressPath } from '../../../contract/operation.ts';
import { type Action, ACTIONS, includesRole } from '../../../contract/roles.ts';
import type { CheckGrafanaId } from './grafanaId.ts';
import { type GrafanaContext, readContext } from './identity.ts';
import type { Person } from '../http/guard.ts';
import { HttpProblem } from '../http/problem.ts';

export interface AdmitOptions {
  /** Undefined: Grafana's address is not configured, so signed identities are ignored. */
  checkId?: CheckGrafanaId | undefined;
  /** Rejects requests through Grafana without a signed identity. */
  requireId: boolean;
}

/**
 * Stores the user in `res.locals.person`.
 * @param action of the route in Grafana's proxy that let the request through; undefined: none
 * @throws HttpProblem 403 if the request is rejected
 */
export type AdmitPerson = (req: Request, res: Response, action: string | undefined) => Promise<void>;

export function createAdmission({ checkId, requireId }: AdmitOptions): AdmitPerson {
  return async (req, res, action) => {
    const context = readContext(req.headers);
    if (context === undefined) {
      if (action !== undefined) {
        // Grafana always adds it. A client can make a proxy drop it, by naming it in its header Connection (RFC 9110, 7.6.1).
        throw new HttpProblem('forbidden', 'Grafana sent this request without a user (X-Grafana-Context).');
      }
      return;
    }
    const person = await verified(context, req.headers['x-grafana-id'], checkId, requireId);
    res.locals.person = person;
    authorise(person, action, req.method, req.baseUrl + req.path);
  };
}

async function verified(
  { person, is }: GrafanaContext,
  token: string | string[] | undefined,
  checkId: CheckGrafanaId | undefined,
  requireId: boolean
): Promise<Person> {
  if (checkId === undefined) {
    return person;
  }
  if (token === undefined) {
    if (requireId) {
      throw new HttpProblem('forbidden', 'Grafana did not sign the identity of the user (X-Grafana-Id).');
    }
    return person;
  }
  const subject = await checkId(String(token), person.orgId);
  if (subject === undefined) {
    if (requireId) {
      throw new HttpProblem('forbidden', "Grafana's signing keys are unavailable, so X-Grafana-Id cannot be verified.");
    }
    return person;
  }
  if (!is(subject)) {
    throw new HttpProblem('forbidden', 'X-Grafana-Id and X-Grafana-Context name different users.');
  }
  return { ...person, verified: true };
}

const RULES = OPERATIONS.map((operation) => ({
  method: operation.method.toUpperCase(),
  path: pathToRegexp(expressPath(operation)).regexp,
  literal: !operation.path.includes('{'),
  action: operation.may,
})).sort((a, b) => Number(b.literal) - Number(a.literal));

/**
 * The action that an operation requires.
 * @returns null if it is not available through Grafana, undefined if there is no such operation
 */
export function actionFor(method: string, path: string): Action | null | undefined {
  const name = method === 'HEAD' ? 'GET' : method;
  const rule = RULES.find((one) => one.method === name && one.path.test(path));
  return rule?.action;
}

/**
 * Grafana's proxy has checked the person by the route that matched (plugin.json), and sends that route's action. Paths are parsed
 * by two servers, so the bridge finds the action of the operation by itself: where the two differ, a path bypassed a route.
 * @param routed the action of the route by which Grafana let the person through. Undefined: unknown, as behind a proxy
 * of another make, and the person's role decides.
 * @throws HttpProblem 403 when the person may not do this; 404 when there is nothing to be done
 */
export function authorise(person: Person, routed: string | undefined, method: string, path: string): void {
  const action = actionFor(method, path);
  if (action === undefined) {
    throw new HttpProblem('not-found', 'There is nothing here. /api/v1/openapi.json lists every path.');
  }
  if (action === null) {
    throw new HttpProblem('forbidden', 'This operation is not available through Grafana.');
  }
  const { changes, may, role } = ACTIONS[action];
  if (routed !== undefined && routed !== action) {
    throw new HttpProblem(
      'forbidden',
      `This requires the action ${action}, and Grafana let the request through for another. The plugin may be of another version than the bridge.`
    );
  }
  if (routed === undefined && !includesRole(person.role, role)) {
    throw new HttpProblem('forbidden', `This requires the role ${role}, which may ${may}.`);
  }
  if (changes && person.anonymous) {
    throw new HttpProblem('forbidden', 'You are not signed in to Grafana. Changes require a login.');
  }
}
