/**
 * Verifies `X-Grafana-Id`: a JSON Web Token (RFC 7519) in which Grafana names the signed-in user, signed with ES256. Its keys are
 * public, at `/api/signing-keys/keys` (RFC 7517). The issuer is not compared: it is Grafana's root URL, the address for browsers,
 * which may differ from the one that the bridge uses; a signature of another Grafana does not match these keys.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';
import { readAddressRules, rulesForSetting } from '../http/addresses.ts';
import { createOutbound } from '../http/outbound.ts';
import { HttpProblem } from '../http/problem.ts';

/** Keys are requested again after this time, so that a withdrawn key is rejected. */
const CACHE_MS = 60 * 60_000;
/** Minimum time between two requests: a client may send key ids that do not exist. */
const COOLDOWN_MS = 15_000;
/** Requests of users wait for the response. */
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;
/** Allowed difference of the clocks, in seconds. */
const LEEWAY_S = 30;

/** RFC 7517, section 5; jose validates the keys themselves. */
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

export interface GrafanaIdDeps {
  /** Address of Grafana, with its sub-path. */
  grafanaUrl: string;
  /** UTC milliseconds. */
  now: () => number;
  log: { warn(fields: object, message: string): void };
}

/**
 * @param token value of the header
 * @param orgId the organisation that it must be for
 * @returns the subject, such as `user:7`; undefined if Grafana's keys are unavailable, so that it cannot be verified
 * @throws HttpProblem 403 if the token is not Grafana's, not valid at this time, or for another organisation
 */
export type CheckGrafanaId = (token: string, orgId: number) => Promise<string | undefined>;

export function createGrafanaIdCheck({ grafanaUrl, now, log }: GrafanaIdDeps): CheckGrafanaId {
  const remoteKeys = createRemoteJWKSet(new URL(`${grafanaUrl}/api/signing-keys/keys`), {
    [customFetch]: keyFetcher(grafanaUrl, log),
    cacheMaxAge: CACHE_MS,
    cooldownDuration: COOLDOWN_MS,
  });
  const verify = async (token: string, orgId: number, keys: JWTVerifyGetKey): Promise<string> => {
    const { payload } = await jwtVerify<JWTPayload & { sub: string }>(token, keys, {
      algorithms: ['ES256'],
      audience: `org:${orgId}`,
      clockTolerance: LEEWAY_S,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub'],
    });
    return payload.sub;
  };
  return async (token, orgId) => {
    try {
      return await verify(token, orgId, remoteKeys).catch((error: unknown) => {
        const cached = remoteKeys.jwks();
        if (!(error instanceof KeysUnavailable) || cached === undefined) {
          throw error;
        }
        return verify(token, orgId, createLocalJWKSet(cached)).catch((other: unknown) => {
          // Grafana may have created this key since.
          throw other instanceof errors.JWKSNoMatchingKey ? error : other;
        });
      });
    } catch (error) {
      if (error instanceof KeysUnavailable) {
        return undefined;
      }
      throw new HttpProblem('forbidden', `The identity in X-Grafana-Id ${reason(error)}.`);
    }
  };
}

class KeysUnavailable extends Error {}

/** Requests the keys through the outbound guard; after a failure, not again before {@link COOLDOWN_MS}. */
function keyFetcher(grafanaUrl: string, log: GrafanaIdDeps['log']): (url: string) => Promise<Response> {
  const outbound = createOutbound({
    allow: readAddressRules(rulesForSetting(grafanaUrl)),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  let failedAt = -Infinity;
  return async (url) => {
    // Negative: the clock was set back.
    const since = Date.now() - failedAt;
    if (since >= 0 && since < COOLDOWN_MS) {
      throw new KeysUnavailable();
    }
    try {
      const { status, body } = await outbound.fetchGuarded(url, 'signing keys of Grafana');
      if (status !== 200) {
        throw new Error(`Grafana responds with status ${status} at /api/signing-keys/keys.`);
      }
      return Response.json(keySet.parse(JSON.parse(body.toString('utf8'))));
    } catch (error) {
      failedAt = Date.now();
      log.warn({ err: error }, "could not read Grafana's signing keys; signed identities are not verified");
      throw new KeysUnavailable();
    }
  };
}

/** Not the message of the library, which may quote the token. */
function reason(error: unknown): string {
  if (error instanceof errors.JWTExpired) {
    return 'has expired. Are the clocks of Grafana and the bridge right?';
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf' ? 'is not valid yet' : `is not for this organisation (claim ${error.claim})`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return 'is not signed with a key of Grafana';
  }
  return error instanceof errors.JWSSignatureVerificationFailed
    ? 'has a wrong signature'
    : 'is not one that Grafana signs';
}
