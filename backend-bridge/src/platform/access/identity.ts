/** The user in Grafana: `X-Grafana-Context`, which its proxy adds to every request of an app plugin. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { ROLES } from '../../../contract/roles.ts';
import type { Person } from '../http/guard.ts';
import { HttpProblem } from '../http/problem.ts';

/** Longest login or name that is kept. */
const LONGEST = 200;

const text = z.string().catch('');
const id = z.int().nonnegative().catch(0);
const flag = z.boolean().catch(false);
const role = z.enum(ROLES).catch('Viewer');

/** Members of Grafana's signed-in user, with their names in Go. */
const contextSchema = z.object({
  OrgID: z.int().positive(),
  OrgRole: role,
  Login: text,
  Name: text,
  UserID: id,
  UserUID: text,
  ApiKeyID: id,
  IsServiceAccount: flag,
  IsAnonymous: flag,
});

/** The user, and its subject in `X-Grafana-Id`. */
export interface GrafanaContext {
  person: Person;
  /** Whether the subject of a signed identity (`user:7`) is this user. */
  is: (subject: string) => boolean;
}

/**
 * Parses the header `X-Grafana-Context`. It is not signed: call this only for requests with the admin token.
 * @returns undefined if the header is absent
 * @throws HttpProblem 403 if it is invalid
 */
export function readContext(headers: IncomingHttpHeaders): GrafanaContext | undefined {
  const header = headers['x-grafana-context'];
  if (header === undefined) {
    return undefined;
  }
  const { data } = contextSchema.safeParse(parse(header));
  if (data === undefined) {
    throw new HttpProblem('forbidden', 'The header X-Grafana-Context is invalid.');
  }
  const subjects = subjectsOf(data);
  return { person: personOf(data, subjects[0]), is: (subject) => isOneOf(subjects, subject) };
}

/** @param known undefined: unidentified */
function personOf(data: z.infer<typeof contextSchema>, known: string | undefined): Person {
  const name = shorten(data.Name);
  return {
    key: `org:${data.OrgID}/${known ?? 'anonymous'}`,
    login: shorten(data.Login) ?? known ?? 'anonymous',
    ...(name !== undefined && { name }),
    orgId: data.OrgID,
    role: data.OrgRole,
    anonymous: known === undefined,
    verified: false,
  };
}

/**
 * The ids of a user in Grafana, the most stable first; none for an unidentified user. Grafana's image renderer, when it acts for no
 * user, is not anonymous and has no id.
 */
function subjectsOf(context: z.infer<typeof contextSchema>): string[] {
  const { UserID, UserUID, ApiKeyID, IsServiceAccount, IsAnonymous } = context;
  if (IsAnonymous) {
    return [];
  }
  if (ApiKeyID > 0) {
    return [`api-key:${ApiKeyID}`];
  }
  // Numbers restart in a new Grafana; uids are unique.
  const ids = [/^[\w-]{1,64}$/.test(UserUID) && UserUID, UserID > 0 && String(UserID)].filter((one) => one !== false);
  return ids.map((one) => `${IsServiceAccount ? 'service-account' : 'user'}:${one}`);
}

function isOneOf(subjects: string[], subject: string): boolean {
  return subjects.length === 0 ? /^(anonymous|render):/.test(subject) : subjects.includes(subject);
}

/** Grafana writes UTF-8 into headers; Node reads each byte as a character. */
function parse(header: string | string[]): unknown {
  try {
    return JSON.parse(Buffer.from(String(header), 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}

function shorten(long: string): string | undefined {
  const clean = long
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed();
  return clean === '' ? undefined : clean;
}
