/**
 * The signature of Grafana's webhook contact point: HMAC-SHA256 in hexadecimal over the bytes of the body, or over
 * `<unix seconds>:` and the body when the contact point names a header for the time.
 * Source: Grafana documentation, "Configure webhook notifications", HMAC signature.
 * Alertmanager and Gatus cannot sign (prometheus/alertmanager#4248): they send a sender's token instead.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Grafana's default for the signature. */
export const SIGNATURE_HEADER = 'X-Grafana-Alerting-Signature';
/** Grafana has no default: enter it in the contact point as "Timestamp header". */
export const TIMESTAMP_HEADER = 'X-Grafana-Alerting-Timestamp';

/** Maximum difference of the signed time. A replay within it changes nothing: the same alert is stored once. */
export const REPLAY_WINDOW_MS = 5 * 60 * 1000;

export interface Signed {
  /** The bytes as they arrived. */
  body: Uint8Array;
  signature: string | undefined;
  /** Unix seconds; undefined if the header is absent. */
  timestamp: string | undefined;
}

/** `old` only for a valid signature, so that it reveals nothing to anyone else. */
export type SignatureResult = 'valid' | 'missing' | 'wrong' | 'old';

/** @param now UTC milliseconds */
export function checkSignature({ body, signature, timestamp }: Signed, secret: string, now: number): SignatureResult {
  if (signature === undefined || signature === '') {
    return 'missing';
  }
  if (!/^[0-9a-f]{64}$/i.test(signature) || (timestamp !== undefined && !/^\d{1,12}$/.test(timestamp))) {
    return 'wrong';
  }
  const hmac = createHmac('sha256', secret);
  if (timestamp !== undefined) {
    hmac.update(`${timestamp}:`);
  }
  const expected = hmac.update(body).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) {
    return 'wrong';
  }
  const age = timestamp === undefined ? 0 : Math.abs(now - Number(timestamp) * 1000);
  return age > REPLAY_WINDOW_MS ? 'old' : 'valid';
}
