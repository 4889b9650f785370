/** Signs the identity of the user as Grafana does: a JSON Web Token with ES256 (RFC 7519, RFC 7518 3.4). */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { Identity } from './identity.ts';

export interface IdentitySigner {
  /** The response of `/api/signing-keys/keys` (RFC 7517). */
  keys: { keys: Record<string, unknown>[] };
  /** @param now milliseconds */
  sign: (identity: Identity, now: number) => string;
}

/** Grafana's: ten minutes. */
const VALID_SECONDS = 600;

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @param rootUrl the issuer: Grafana's address for browsers */
export function createSigner(rootUrl: string): IdentitySigner {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  return {
    keys: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] },
    sign({ id, login, name, role, anonymous }, now) {
      const issued = Math.floor(now / 1000);
      const type = anonymous ? 'anonymous' : 'user';
      const claims = {
        iss: rootUrl,
        aud: ['org:1'],
        sub: `${type}:${id}`,
        iat: issued,
        exp: issued + VALID_SECONDS,
        namespace: 'default',
        type,
        username: login,
        displayName: name,
        role,
      };
      const signed = `${base64url({ alg: 'ES256', kid, typ: 'jwt' })}.${base64url(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}
