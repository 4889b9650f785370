/** The keys by which push services recognise the bridge (VAPID, RFC 8292): an ECDSA pair on P-256. */
import { generateKeyPairSync } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import type { PushKeyRow } from '../../../platform/storage/schema.ts';

/** RFC 8292 allows a day. */
const LIFETIME_MS = 12 * 3_600_000;

/** @param now UTC milliseconds */
export function newPushKeys(now: number): Omit<PushKeyRow, 'id'> {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  return { public_key: point.toString('base64url'), private_key: d!, created_ts: now };
}

/**
 * The header `Authorization` of a request to a push service.
 * @param endpoint of the subscription: the token is for its origin
 * @param subject whom the operator of the push service can contact
 * @param now UTC milliseconds
 */
export async function vapidHeader(
  { public_key: publicKey, private_key: d }: Pick<PushKeyRow, 'public_key' | 'private_key'>,
  { endpoint, subject, now }: { endpoint: string; subject: string; now: number }
): Promise<string> {
  // An uncompressed point: 4, x, y.
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ];
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y, d }, 'ES256');
  const token = await new SignJWT({ sub: subject })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(new Date(now + LIFETIME_MS))
    .sign(key);
  return `vapid t=${token}, k=${publicKey}`;
}
