/**
 * Tokens of senders. All are held in memory: every send looks one up, and there are few. This requires that one process serves a
 * database.
 */
import { randomBytes } from 'node:crypto';
import { DAY_MS, LIMITS } from '../../contract/limits.ts';
import type { CreatedToken, Token, TokenBody } from '../../contract/token.ts';
import { isoTime, isoTimeOrNull } from '../../contract/text.ts';
import type { Sender, SenderLookup } from '../http/auth.ts';
import { HttpProblem } from '../http/problem.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import type { TokenStore } from './store.ts';
import { hashToken, newToken, provisionedId, SENDER_TOKEN_PREFIX } from './token.ts';
import { createToken, keepUsedTokens, removeRevokedTokens, revokeToken } from './writes.ts';

/** How often to call `keepUse()`: a write for each send would cost as much as the send. Milliseconds. */
export const KEEP_USE_EVERY_MS = 60_000;

export interface Senders extends SenderLookup {
  list(): Token[];
  create(body: TokenBody): Promise<CreatedToken>;
  /**
   * @returns undefined if there is no such token
   * @throws HttpProblem 409 for a provisioned one
   */
  revoke(id: string): Promise<Token | undefined>;
  /** The sender with this token, unless this file provisions it: a token identifies one sender. */
  owner(tokenHash: string, file: string): Token | undefined;
  /**
   * Sets the senders that a file provisions; tokens of its other senders are revoked.
   * @param write stores the rows
   */
  provision(
    file: string,
    senders: ProvisionedSender[],
    write: (rows: ProvisionedRow[]) => Promise<void>
  ): Promise<void>;
  /** Stores when tokens were last used; called at an interval, and on close. */
  keepUse(): Promise<void>;
  /**
   * Removes created tokens that were revoked long ago; called at an interval. They are still rejected. A provisioned token may be any
   * text: without its row it would count as a token that is not meant for the bridge.
   */
  removeRevoked(): Promise<void>;
}

export interface ProvisionedSender {
  name: string;
  packages: string[];
  hash: string;
}
export type ProvisionedRow = Pick<SenderTokenRow, 'id' | 'name' | 'hash' | 'packages'>;

interface Known {
  row: SenderTokenRow;
  sender: Sender;
}

/**
 * @param now the clock, UTC milliseconds
 * @param steady the clock by which ages are measured, UTC milliseconds
 */
export async function createSenders(
  store: TokenStore,
  writes: Pick<WriteQueue, 'submit'>,
  now: () => number,
  steady: () => number = now
): Promise<Senders> {
  const byHash = new Map<string, Known>();
  /** Since the last `keepUse()`, by id. */
  const used = new Map<string, number>();
  const add = (row: SenderTokenRow): void => {
    byHash.set(row.hash, { row, sender: { id: row.id, name: row.name, packages: packagesOf(row) } });
  };
  (await store.all()).forEach(add);

  return {
    find(tokenHash) {
      const known = byHash.get(tokenHash);
      if (known === undefined || known.row.revoked_ts !== null) {
        return known && 'revoked';
      }
      known.row.last_used_ts = now();
      used.set(known.row.id, known.row.last_used_ts);
      return known.sender;
    },
    list: () => [...byHash.values()].map(({ row }) => toToken(row)),
    async create(body) {
      const token = newToken(SENDER_TOKEN_PREFIX);
      const row = newRow(body, hashToken(token), now());
      await writes.submit(createToken, row);
      add(row);
      return { ...toToken(row), token };
    },
    async revoke(id) {
      const row = [...byHash.values()].find((known) => known.row.id === id)?.row;
      if (row !== undefined && row.revoked_ts === null) {
        requireCreated(row);
        const revokedTs = now();
        await writes.submit(revokeToken, { id, now: revokedTs });
        row.revoked_ts ??= revokedTs;
      }
      return row && toToken(row);
    },
    owner(tokenHash, file) {
      const row = byHash.get(tokenHash)?.row;
      return row && isOwned(row, file) ? toToken(row) : undefined;
    },
    async provision(file, wanted, write) {
      const rows = wanted.map(provisionedRow);
      await write(rows);
      const hashes = new Set(rows.map(({ hash }) => hash));
      const dropped = [...byHash.values()].filter(({ row }) => row.file === file && !hashes.has(row.hash));
      dropped.forEach(({ row }) => (row.revoked_ts ??= now()));
      for (const row of rows) {
        const { created_ts, last_used_ts } = byHash.get(row.hash)?.row ?? { created_ts: now(), last_used_ts: null };
        add({ ...row, created_ts, last_used_ts, revoked_ts: null, file });
      }
    },
    keepUse: () => keepUse(used, writes),
    removeRevoked: () => removeRevoked(byHash, writes, steady() - LIMITS.revokedTokenDays.value * DAY_MS),
  };
}

/** @param used empty afterwards, unless the write failed */
async function keepUse(used: Map<string, number>, writes: Pick<WriteQueue, 'submit'>): Promise<void> {
  const kept = [...used];
  used.clear();
  if (kept.length > 0) {
    await writes.submit(keepUsedTokens, kept).catch((error: unknown) => {
      // The next call stores them, unless they were used since.
      kept.filter(([id]) => !used.has(id)).forEach(([id, ts]) => used.set(id, ts));
      throw error;
    });
  }
}

/** @param before UTC milliseconds */
async function removeRevoked(
  byHash: Map<string, Known>,
  writes: Pick<WriteQueue, 'submit'>,
  before: number
): Promise<void> {
  const old = [...byHash.values()].map(({ row }) => row).filter((row) => row.file === null && isRevoked(row, before));
  if (old.length > 0) {
    await writes.submit(
      removeRevokedTokens,
      old.map(({ id }) => id)
    );
    old.forEach(({ hash }) => byHash.delete(hash));
  }
}

/** @throws HttpProblem 409 for a provisioned sender */
function requireCreated({ name, file }: SenderTokenRow): void {
  if (file !== null) {
    throw new HttpProblem('conflict', `The sender "${name}" is provisioned by ${file}; it can be changed only there.`);
  }
}

/** Whether another than this file holds the token: somebody who created it, or another file whose sender is not revoked. */
const isOwned = (row: SenderTokenRow, file: string): boolean =>
  row.file !== file && (row.file === null || row.revoked_ts === null);

/** A clock that was set back at the revocation must not make it older than the token. */
const isRevoked = ({ revoked_ts, created_ts, last_used_ts }: SenderTokenRow, before: number): boolean =>
  revoked_ts !== null && Math.max(revoked_ts, created_ts, last_used_ts ?? 0) < before;

function newRow({ name, packages = [] }: TokenBody, hash: string, now: number): SenderTokenRow {
  return {
    // Hexadecimal, so that an id never looks like an option on a command line.
    id: randomBytes(6).toString('hex'),
    name,
    hash,
    packages: packagesColumn(packages),
    created_ts: now,
    last_used_ts: null,
    revoked_ts: null,
    file: null,
  };
}

const provisionedRow = ({ name, packages, hash }: ProvisionedSender): ProvisionedRow => ({
  id: provisionedId(hash),
  name,
  hash,
  packages: packagesColumn(packages),
});

const packagesColumn = (packages: readonly string[]): string => JSON.stringify([...new Set(packages)]);
const packagesOf = (row: SenderTokenRow): string[] => JSON.parse(row.packages) as string[];

function toToken(row: SenderTokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    packages: packagesOf(row),
    createdAt: isoTime(row.created_ts),
    lastUsedAt: isoTimeOrNull(row.last_used_ts),
    revokedAt: isoTimeOrNull(row.revoked_ts),
    ...(row.file !== null && { file: row.file }),
  };
}
