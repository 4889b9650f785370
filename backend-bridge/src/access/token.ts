/** How tokens look and how they are kept. */
import { hash, randomBytes } from 'node:crypto';

export const SENDER_TOKEN_PREFIX = 'nbs_';
export const ADMIN_TOKEN_PREFIX = 'nba_';

/** A new token: 256 random bits. The prefix tells people and the log's redaction what it is. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** What is stored of a token. Ours have 256 random bits, so that a slow hash would add nothing. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** The id of a provisioned token: who knows the token knows the id, so that its file can be compared with a running bridge. */
export function provisionedId(tokenHash: string): string {
  return hash('sha256', `provisioned ${tokenHash}`, 'hex').slice(0, 12);
}
