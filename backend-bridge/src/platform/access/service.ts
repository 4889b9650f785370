/**
 * Tokens of senders. All are held in memory: every send looks one up, and there are few. `reload()` reads them again, after
 * another bridge on the same database has changed them.
 */
import { randomBytes } from 'node:crypto';
import type { Actor } from '../../../contract/audit.ts';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import {
  type CreatedToken,
  DEFAULT_GRACE_HOURS,
  type RotateBody,
  type Token,
  type TokenBody,
} from '../../../contract/token.ts';
import { isoTime, isoTimeOrNull } from '../../../contract/text.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';
import type { SenderLookup } from './auth.ts';
import type { Sender } from '../http/guard.ts';
import { HttpProblem } from '../http/problem.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { createNameOwners, type NameOwners } from './nameOwners.ts';
import type { TokenStore } from './store.ts';
import { packagesColumn, type ProvisionedSender, provisionedRow } from './provisioned.ts';
import { hashToken, newToken, SENDER_TOKEN_PREFIX } from './token.ts';
import { createToken, keepUsedTokens, removeRevokedTokens, revokeToken, rotateToken } from './writes.ts';

/** A token that is in no store is not looked up again for this time. Milliseconds. */
const UNKNOWN_MS = 1000;
/** Interval for calling `keepUse()`: a write for each send would cost as much as the send. Milliseconds. */
export const KEEP_USE_EVERY_MS = 60_000;

export interface Senders extends SenderLookup {
  list(): Token[];
  /** @param by null: the bridge */
  create(body: TokenBody, by: Actor | null): Promise<CreatedToken>;
  /**
   * Replaces the token. A token of an earlier rotation is rejected from now on.
   * @returns undefined if there is no such token
   * @throws HttpProblem 409 for a provisioned or revoked one
   */
  rotate(id: string, body: RotateBody, by: Actor | null): Promise<CreatedToken | undefined>;
  /**
   * @returns undefined if there is no such token
   * @throws HttpProblem 409 for a provisioned one
   */
  revoke(id: string, by: Actor | null): Promise<Token | undefined>;
  /** The sender with this token, unless this file provisions it: a token identifies one sender. */
  owner(tokenHash: string, file: string): Token | undefined;
  /** Replaces the senders that a file provisions, in memory: they are in the store already. Tokens of its other senders are revoked. */
  provision(file: string, senders: readonly ProvisionedSender[]): void;
  /** Reads all tokens from the store. */
  reload(): Promise<void>;
  /** Reads a token that another replica has created and this one does not know yet. */
  lookUp(tokenHash: string): Promise<void>;
  /** Names that belong to valid tokens. */
  owners(): NameOwners;
  /** Stores when and from where tokens were last used; called at an interval, and on close. */
  keepUse(): Promise<void>;
  /**
   * Removes created tokens that were revoked long ago; called at an interval. They are still rejected. A provisioned token may be any
   * text: without its row it would count as a token that is not meant for the bridge, so only the oldest beyond a number are removed.
   */
  removeRevoked(): Promise<void>;
}

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
  const byPreviousHash = new Map<string, Known>();
  /** Looked up a moment ago: a monitor may send credentials of its own with each request. */
  const unknown = new LRUCache<string, true>({ max: LIMITS.unknownTokens.value, ttl: UNKNOWN_MS });
  /** Ids of those used since the last `keepUse()`. */
  const used = new Set<string>();
  const rows = (): SenderTokenRow[] => [...byHash.values()].map(({ row }) => row);
  const find = (id: string): SenderTokenRow | undefined => rows().find((row) => row.id === id);
  /** Undefined: a token has changed since. */
  let owners: NameOwners | undefined;
  const remove = ({ hash, previous_hash }: SenderTokenRow): void => {
    owners = undefined;
    byHash.delete(hash);
    if (previous_hash !== null) {
      byPreviousHash.delete(previous_hash);
    }
  };
  const add = (row: SenderTokenRow): void => {
    owners = undefined;
    const known = {
      row,
      sender: { id: row.id, name: row.name, packages: packagesOf(row), node: row.node || undefined },
    };
    byHash.set(row.hash, known);
    if (row.previous_hash !== null) {
      byPreviousHash.set(row.previous_hash, known);
    }
  };
  const read = async (): Promise<void> => {
    const stored = await store.all();
    const before = new Map(rows().map((row) => [row.id, row]));
    owners = undefined;
    byHash.clear();
    byPreviousHash.clear();
    stored.forEach((row) => add(used.has(row.id) ? { ...row, ...useOf(before.get(row.id) ?? row) } : row));
  };
  /** One after another: rows read earlier must not replace those read later. */
  let reading = Promise.resolve();
  const reload = (): Promise<void> => {
    const done = reading.then(read);
    reading = done.catch(() => undefined);
    return done;
  };
  await reload();

  return {
    find(tokenHash, address) {
      const current = byHash.get(tokenHash);
      if (current?.row.revoked_ts === null) {
        const { row } = current;
        row.last_used_ts = now();
        row.last_used_from = address ?? null;
        used.add(row.id);
        return current.sender;
      }
      const previous = byPreviousHash.get(tokenHash);
      if (previous?.row.revoked_ts === null && isInGrace(previous.row, now())) {
        const { row } = previous;
        row.previous_used_ts = now();
        row.previous_used_from = address ?? null;
        used.add(row.id);
        return previous.sender;
      }
      return current === undefined && previous === undefined ? undefined : 'revoked';
    },
    list: () => rows().map(toToken),
    async create(body, by) {
      const token = newToken(SENDER_TOKEN_PREFIX);
      const row = newRow(body, hashToken(token), now());
      await writes.submit(createToken, { row, by });
      add(row);
      return { ...toToken(row), token };
    },
    async rotate(id, { graceHours = DEFAULT_GRACE_HOURS }, by) {
      const row = find(id);
      if (row === undefined) {
        return undefined;
      }
      requireCreated(row);
      if (row.revoked_ts !== null) {
        throw new HttpProblem('conflict', `The token of "${row.name}" was revoked. Create a new one.`);
      }
      const token = newToken(SENDER_TOKEN_PREFIX);
      const at = now();
      const change = {
        hash: hashToken(token),
        previous_hash: row.hash,
        previous_until_ts: at + graceHours * HOUR_MS,
        previous_used_ts: null,
        previous_used_from: null,
      };
      if (!(await writes.submit(rotateToken, { id, change, now: at, by }))) {
        throw new HttpProblem('conflict', 'This token was rotated or revoked in the meantime; nothing was changed.');
      }
      remove(row);
      add(Object.assign(row, change));
      return { ...toToken(row), token };
    },
    async revoke(id, by) {
      const row = find(id);
      if (row !== undefined && row.revoked_ts === null) {
        requireCreated(row);
        const revokedTs = now();
        await writes.submit(revokeToken, { id, now: revokedTs, by });
        row.revoked_ts ??= revokedTs;
        // Rows that were read before the write may have replaced it.
        const known = find(id) ?? row;
        known.revoked_ts ??= revokedTs;
        owners = undefined;
      }
      return row && toToken(row);
    },
    owner(tokenHash, file) {
      const owned = [byHash.get(tokenHash), byPreviousHash.get(tokenHash)].find((one) => one && isOwned(one.row, file));
      return owned && toToken(owned.row);
    },
    provision(file, wanted) {
      const provisioned = wanted.map(provisionedRow);
      const hashes = new Set(provisioned.map(({ hash }) => hash));
      const dropped = rows().filter((row) => row.file === file && !hashes.has(row.hash));
      dropped.forEach((row) => (row.revoked_ts ??= now()));
      owners = undefined;
      for (const row of provisioned) {
        const known = byHash.get(row.hash)?.row;
        if (known) {
          remove(known);
        }
        const { created_ts, ...use } = known ?? { created_ts: now(), ...UNUSED };
        add({ ...row, created_ts, ...useOf(use), previous_until_ts: null, revoked_ts: null, file });
      }
    },
    reload,
    async lookUp(tokenHash) {
      if (!byHash.has(tokenHash) && !byPreviousHash.has(tokenHash) && !unknown.has(tokenHash)) {
        unknown.set(tokenHash, true);
        await ((await store.has(tokenHash)) ? reload() : undefined);
      }
    },
    owners: () =>
      (owners ??= createNameOwners(
        [...byHash.values()].filter(({ row }) => row.revoked_ts === null).map(({ sender }) => sender)
      )),
    keepUse: () => keepUse(used, rows, writes),
    async removeRevoked() {
      const before = steady() - LIMITS.revokedTokenDays.value * DAY_MS;
      const provisioned = rows().filter((row) => row.file !== null && row.revoked_ts !== null);
      const old = [
        ...rows().filter((row) => row.file === null && isRevoked(row, before)),
        ...provisioned.sort((a, b) => b.revoked_ts! - a.revoked_ts!).slice(LIMITS.revokedProvisionedTokens.value),
      ];
      if (old.length > 0) {
        await writes.submit(
          removeRevokedTokens,
          old.map(({ id }) => id)
        );
        old.forEach(remove);
      }
    },
  };
}

type Use = Pick<SenderTokenRow, 'last_used_ts' | 'last_used_from' | 'previous_used_ts' | 'previous_used_from'>;

const UNUSED: Use = { last_used_ts: null, last_used_from: null, previous_used_ts: null, previous_used_from: null };
const useOf = ({ last_used_ts, last_used_from, previous_used_ts, previous_used_from }: Use): Use => ({
  last_used_ts,
  last_used_from,
  previous_used_ts,
  previous_used_from,
});

/** @param used empty afterwards, unless the write failed */
async function keepUse(
  used: Set<string>,
  rows: () => SenderTokenRow[],
  writes: Pick<WriteQueue, 'submit'>
): Promise<void> {
  const kept = [...used];
  used.clear();
  if (kept.length > 0) {
    const changed = rows().filter(({ id }) => kept.includes(id));
    await writes
      .submit(
        keepUsedTokens,
        changed.map((row) => ({ id: row.id, ...useOf(row) }))
      )
      .catch((error: unknown) => {
        kept.forEach((id) => used.add(id));
        throw error;
      });
  }
}

/** Null: a provisioning file keeps the previous token valid. */
const isInGrace = ({ previous_until_ts: until }: SenderTokenRow, now: number): boolean => until === null || now < until;

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

function newRow({ name, packages = [], node = '' }: TokenBody, hash: string, now: number): SenderTokenRow {
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

const packagesOf = (row: SenderTokenRow): string[] => JSON.parse(row.packages) as string[];

function toToken(row: SenderTokenRow): Token {
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
