/**
 * Verifies `X-Grafana-Id`: a JSON Web Token (RFC 7519) in which Grafana says who is signed in, signed with ES256. Its keys are
 * public, at `/api/signing-keys/keys` (RFC 7517). The issuer is not compared: it is Grafana's root URL, which is the address for
 * browsers and need not be the one at which the bridge asks; keys of another Grafana fit no signature of this one.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { HttpProblem } from './problem.ts';

/** Keys are read anew after this time, so that one that was withdrawn is known to be. */
const KEEP_MS = 60 * 60_000;
/** Least time between two attempts: somebody may send key names that do not exist. */
const FLOOR_MS = 15_000;
/** How far the clocks may differ, seconds. */
const LEEWAY_S = 30;
/** Signed with a key that is not among those that were read. */
const UNKNOWN_KEY = Symbol('unknown key');

export interface GrafanaIdDeps {
  /** Reads Grafana's keys. @throws when they cannot be had */
  fetchKeys: () => Promise<JSONWebKeySet>;
  now: () => number;
  log: { warn(fields: object, message: string): void };
}

/**
 * @param token what the header holds
 * @param orgId the organisation that it must be for
 * @returns the subject, such as `user:7`; undefined when Grafana's keys cannot be had, so that nothing can be said
 * @throws HttpProblem 403 when the token is not Grafana's, is of another time or for another organisation
 */
export type CheckGrafanaId = (token: string, orgId: number) => Promise<string | undefined>;

export function createGrafanaIdCheck({ fetchKeys, now, log }: GrafanaIdDeps): CheckGrafanaId {
  let keys: JSONWebKeySet | undefined;
  let readAt = -Infinity;
  let triedAt = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    triedAt = now();
    try {
      keys = await fetchKeys();
      readAt = triedAt;
    } catch (error) {
      log.warn(
        { err: error },
        "Grafana's signing keys cannot be read; identities that it signs are not checked meanwhile"
      );
    } finally {
      reading = undefined;
    }
  }
  const refresh = async (): Promise<void> => {
    if (reading === undefined && now() - triedAt >= FLOOR_MS) {
      reading = read();
    }
    await reading;
  };

  return async (token, orgId) => {
    if (now() - readAt >= KEEP_MS) {
      await refresh();
    }
    let found = await verify(token, orgId, keys, now());
    if (found === UNKNOWN_KEY) {
      await refresh();
      found = await verify(token, orgId, keys, now());
    }
    if (found === UNKNOWN_KEY) {
      // Grafana may have made a key since. Only when it has just been asked is it known not to be one of its keys.
      return readAt === triedAt && keys !== undefined ? refuse('is not signed with a key of Grafana') : undefined;
    }
    return found;
  };
}

async function verify(
  token: string,
  orgId: number,
  keys: JSONWebKeySet | undefined,
  at: number
): Promise<string | typeof UNKNOWN_KEY> {
  if (keys === undefined) {
    return UNKNOWN_KEY;
  }
  try {
    const { payload } = await jwtVerify<JWTPayload & { sub: string }>(token, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
      audience: `org:${orgId}`,
      clockTolerance: LEEWAY_S,
      currentDate: new Date(at),
      requiredClaims: ['exp', 'sub'],
    });
    return payload.sub;
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? UNKNOWN_KEY : refuse(reason(error));
  }
}

/** In words of ours: those of the library may repeat what the token holds. */
function reason(error: unknown): string {
  if (error instanceof errors.JWTExpired) {
    return 'has expired. Are the clocks of Grafana and the bridge right?';
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf' ? 'is not valid yet' : `is not for this organisation (claim ${error.claim})`;
  }
  return error instanceof errors.JWSSignatureVerificationFailed
    ? 'has a wrong signature'
    : 'is not one that Grafana signs';
}

function refuse(why: string): never {
  throw new HttpProblem('forbidden', `The identity in X-Grafana-Id ${why}.`);
}
