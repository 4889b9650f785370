/** Rows of sender tokens. */
import { randomBytes } from 'node:crypto';
import { isoTime, isoTimeOrNull } from '../../../contract/text.ts';
import type { Token, TokenBody } from '../../../contract/token.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import { packagesColumn } from './provisioned.ts';

type Use = Pick<SenderTokenRow, 'last_used_ts' | 'last_used_from' | 'previous_used_ts' | 'previous_used_from'>;

export const UNUSED: Use = {
  last_used_ts: null,
  last_used_from: null,
  previous_used_ts: null,
  previous_used_from: null,
};
export const useOf = ({ last_used_ts, last_used_from, previous_used_ts, previous_used_from }: Use): Use => ({
  last_used_ts,
  last_used_from,
  previous_used_ts,
  previous_used_from,
});

/** Null: a provisioning file keeps the previous token valid. */
export const isInGrace = ({ previous_until_ts: until }: SenderTokenRow, now: number): boolean =>
  until === null || now < until;

/** Whether another than this file holds the token: somebody who created it, or another file whose sender is not revoked. */
export const isOwned = (row: SenderTokenRow, file: string): boolean =>
  row.file !== file && (row.file === null || row.revoked_ts === null);

/** A clock that was set back at the revocation must not make it older than the token. */
export const isRevoked = ({ revoked_ts, created_ts, last_used_ts }: SenderTokenRow, before: number): boolean =>
  revoked_ts !== null && Math.max(revoked_ts, created_ts, last_used_ts ?? 0) < before;

export function newRow({ name, packages = [], node = '' }: TokenBody, hash: string, now: number): SenderTokenRow {
  return {
    // Hexadecimal, so that an id never looks like an option on a command line.
    id: randomBytes(6).toString('hex'),
    name,
    hash,
    packages: packagesColumn(packages),
    created_ts: now,
    ...UNUSED,
    previous_hash: null,
    previous_until_ts: null,
    revoked_ts: null,
    file: null,
    node,
  };
}

export const packagesOf = (row: SenderTokenRow): string[] => JSON.parse(row.packages) as string[];

export function toToken(row: SenderTokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    packages: packagesOf(row),
    ...(row.node !== '' && { node: row.node }),
    createdAt: isoTime(row.created_ts),
    lastUsedAt: isoTimeOrNull(row.last_used_ts),
    lastUsedFrom: row.last_used_from,
    previous:
      row.previous_hash === null
        ? null
        : {
            validUntil: isoTimeOrNull(row.previous_until_ts),
            lastUsedAt: isoTimeOrNull(row.previous_used_ts),
            lastUsedFrom: row.previous_used_from,
          },
    revokedAt: isoTimeOrNull(row.revoked_ts),
    ...(row.file !== null && { file: row.file }),
  };
}
