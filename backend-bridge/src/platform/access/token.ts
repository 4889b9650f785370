/** Format and hashes of tokens. */
import { hash, randomBytes } from 'node:crypto';

export const SENDER_TOKEN_PREFIX = 'nbs_';
export const ADMIN_TOKEN_PREFIX = 'nba_';

/** A new token: 256 random bits. The prefix identifies it for people and for the redaction of logs. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** The stored hash of a token. Generated tokens have 256 random bits, so a slow hash would add nothing. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** The id of a provisioned token, derived from its hash, so that its file can be compared with a running bridge. */
export function provisionedId(tokenHash: string): string {
  return hash('sha256', `provisioned ${tokenHash}`, 'hex').slice(0, 12);
}
