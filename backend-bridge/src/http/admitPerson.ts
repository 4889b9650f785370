/** Who comes through Grafana, and whether that one may do what is asked. Behind the token of the bridge only. */
import type { Request, Response } from 'express';
import { authorise } from './grafanaAccess.ts';
import type { CheckGrafanaId } from './grafanaId.ts';
import { type GrafanaContext, type Person, readContext } from './identity.ts';
import { HttpProblem } from './problem.ts';

export interface AdmitOptions {
  /** Undefined: the address of Grafana is not set, so signed identities are neither read nor trusted. */
  checkId?: CheckGrafanaId | undefined;
  /** Nobody comes in through Grafana without a signed identity. */
  requireId: boolean;
}

/**
 * Leaves the person in `res.locals.person`.
 * @param action what the route of Grafana's proxy says that it let the request through for; undefined: no route of ours
 * @throws HttpProblem 403 when the request is refused
 */
export type AdmitPerson = (req: Request, res: Response, action: string | undefined) => Promise<void>;

export function createAdmission({ checkId, requireId }: AdmitOptions): AdmitPerson {
  return async (req, res, action) => {
    const context = readContext(req.headers);
    if (context === undefined) {
      if (action !== undefined) {
        // Grafana always adds it. A client can make a proxy drop it, by naming it in its header Connection (RFC 9110, 7.6.1).
        throw new HttpProblem('forbidden', 'Grafana sent this without saying who is at the keyboard.');
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
      throw new HttpProblem('forbidden', 'Grafana did not sign who is at the keyboard (X-Grafana-Id).');
    }
    return person;
  }
  const subject = await checkId(String(token), person.orgId);
  if (subject === undefined) {
    if (requireId) {
      throw new HttpProblem('forbidden', "Grafana's signing keys cannot be read, so X-Grafana-Id cannot be checked.");
    }
    return person;
  }
  if (!is(subject)) {
    throw new HttpProblem('forbidden', 'X-Grafana-Id and X-Grafana-Context name two different people.');
  }
  return { ...person, verified: true };
}
