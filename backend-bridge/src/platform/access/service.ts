/**
 * Tokens of senders. All are held in memory: every send looks one up, and there are few. `reload()` reads them again, after
 * another bridge on the same database has changed them.
 */
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
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';
import type { SenderLookup } from './auth.ts';
import type { Sender } from '../http/guard.ts';
import { HttpProblem } from '../http/problem.ts';
import { createSerial } from '../runtime/serial.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { createNameOwners, type NameOwners } from './nameOwners.ts';
import type { TokenStore } from './store.ts';
import { type ProvisionedSender, provisionedRow } from './provisioned.ts';
import { isInGrace, isOwned, isRevoked, newRow, packagesOf, toToken, UNUSED, useOf } from './senderRow.ts';
import { hashToken, newToken, SENDER_TOKEN_PREFIX } from './token.ts';
import { createToken, keepUsedTokens, removeRevokedTokens, revokeToken, rotateToken } from './writes.ts';

/** A token that is in no store is not looked up again for this time. Milliseconds. */
const UNKNOWN_MS = 1000;
/** Interval for calling `keepUse()`: a write for each send would cost as much as the send. Milliseconds. */
export const KEEP_USE_EVERY_MS = 60_000;

interface Known {
  row: SenderTokenRow;
  sender: Sender;
}

export class Senders implements SenderLookup {
  readonly #store: TokenStore;
  readonly #writes: Pick<WriteQueue, 'submit'>;
  readonly #now: () => number;
  readonly #steady: () => number;
  readonly #byHash = new Map<string, Known>();
  readonly #byPreviousHash = new Map<string, Known>();
  /** Looked up a moment ago: a monitor may send credentials of its own with each request. */
  readonly #unknown = new LRUCache<string, true>({ max: LIMITS.unknownTokens.value, ttl: UNKNOWN_MS });
  /** Ids of those used since the last `keepUse()`. */
  readonly #used = new Set<string>();
  /** Undefined: a token has changed since. */
  #owners: NameOwners | undefined;
  readonly #inTurn = createSerial();

  private constructor(store: TokenStore, writes: Pick<WriteQueue, 'submit'>, now: () => number, steady: () => number) {
    this.#store = store;
    this.#writes = writes;
    this.#now = now;
    this.#steady = steady;
  }

  /**
   * @param now the clock, UTC milliseconds
   * @param steady the clock by which ages are measured, UTC milliseconds
   */
  static async open(
    store: TokenStore,
    writes: Pick<WriteQueue, 'submit'>,
    now: () => number,
    steady: () => number = now
  ): Promise<Senders> {
    const senders = new Senders(store, writes, now, steady);
    await senders.reload();
    return senders;
  }

  find(tokenHash: string, address?: string): Sender | 'revoked' | undefined {
    const current = this.#byHash.get(tokenHash);
    if (current?.row.revoked_ts === null) {
      const { row } = current;
      row.last_used_ts = this.#now();
      row.last_used_from = address ?? null;
      this.#used.add(row.id);
      return current.sender;
    }
    const previous = this.#byPreviousHash.get(tokenHash);
    if (previous?.row.revoked_ts === null && isInGrace(previous.row, this.#now())) {
      const { row } = previous;
      row.previous_used_ts = this.#now();
      row.previous_used_from = address ?? null;
      this.#used.add(row.id);
      return previous.sender;
    }
    return current === undefined && previous === undefined ? undefined : 'revoked';
  }

  list(): Token[] {
    return this.#rows().map(toToken);
  }

  /** @param by null: the bridge */
  async create(body: TokenBody, by: Actor | null): Promise<CreatedToken> {
    const token = newToken(SENDER_TOKEN_PREFIX);
    const row = newRow(body, hashToken(token), this.#now());
    await this.#writes.submit(createToken, { row, by });
    this.#add(row);
    return { ...toToken(row), token };
  }

  /**
   * Replaces the token. A token of an earlier rotation is rejected from now on.
   * @returns undefined if there is no such token
   * @throws HttpProblem 409 for a provisioned or revoked one
   */
  async rotate(
    id: string,
    { graceHours = DEFAULT_GRACE_HOURS }: RotateBody,
    by: Actor | null
  ): Promise<CreatedToken | undefined> {
    const row = this.#find(id);
    if (row === undefined) {
      return undefined;
    }
    requireCreated(row);
    if (row.revoked_ts !== null) {
      throw new HttpProblem('conflict', `The token of "${row.name}" was revoked. Create a new one.`);
    }
    const token = newToken(SENDER_TOKEN_PREFIX);
    const at = this.#now();
    const change = {
      hash: hashToken(token),
      previous_hash: row.hash,
      previous_until_ts: at + graceHours * HOUR_MS,
      previous_used_ts: null,
      previous_used_from: null,
    };
    if (!(await this.#writes.submit(rotateToken, { id, change, now: at, by }))) {
      throw new HttpProblem('conflict', 'This token was rotated or revoked in the meantime; nothing was changed.');
    }
    this.#remove(row);
    this.#add(Object.assign(row, change));
    return { ...toToken(row), token };
  }

  /**
   * @returns undefined if there is no such token
   * @throws HttpProblem 409 for a provisioned one
   */
  async revoke(id: string, by: Actor | null): Promise<Token | undefined> {
    const row = this.#find(id);
    if (row !== undefined && row.revoked_ts === null) {
      requireCreated(row);
      const revokedTs = this.#now();
      await this.#writes.submit(revokeToken, { id, now: revokedTs, by });
      row.revoked_ts ??= revokedTs;
      // Rows that were read before the write may have replaced it.
      const known = this.#find(id) ?? row;
      known.revoked_ts ??= revokedTs;
      this.#owners = undefined;
    }
    return row && toToken(row);
  }

  /** The sender with this token, unless this file provisions it: a token identifies one sender. */
  owner(tokenHash: string, file: string): Token | undefined {
    const owned = [this.#byHash.get(tokenHash), this.#byPreviousHash.get(tokenHash)].find(
      (one) => one && isOwned(one.row, file)
    );
    return owned && toToken(owned.row);
  }

  /** Replaces the senders that a file provisions, in memory: they are in the store already. Tokens of its other senders are revoked. */
  provision(file: string, wanted: readonly ProvisionedSender[]): void {
    const provisioned = wanted.map(provisionedRow);
    const hashes = new Set(provisioned.map(({ hash }) => hash));
    const dropped = this.#rows().filter((row) => row.file === file && !hashes.has(row.hash));
    dropped.forEach((row) => (row.revoked_ts ??= this.#now()));
    this.#owners = undefined;
    for (const row of provisioned) {
      const known = this.#byHash.get(row.hash)?.row;
      if (known) {
        this.#remove(known);
      }
      const { created_ts, ...use } = known ?? { created_ts: this.#now(), ...UNUSED };
      this.#add({ ...row, created_ts, ...useOf(use), previous_until_ts: null, revoked_ts: null, file });
    }
  }

  /** Reads all tokens from the store. One read after another: rows read earlier must not replace those read later. */
  reload(): Promise<void> {
    return this.#inTurn(() => this.#read());
  }

  /** Reads a token that another replica has created and this one does not know yet. */
  async lookUp(tokenHash: string): Promise<void> {
    if (!this.#byHash.has(tokenHash) && !this.#byPreviousHash.has(tokenHash) && !this.#unknown.has(tokenHash)) {
      this.#unknown.set(tokenHash, true);
      await ((await this.#store.has(tokenHash)) ? this.reload() : undefined);
    }
  }

  /** Names that belong to valid tokens. */
  owners(): NameOwners {
    return (this.#owners ??= createNameOwners(
      [...this.#byHash.values()].filter(({ row }) => row.revoked_ts === null).map(({ sender }) => sender)
    ));
  }

  /** Stores when and from where tokens were last used; called at an interval, and on close. */
  async keepUse(): Promise<void> {
    const kept = [...this.#used];
    this.#used.clear();
    if (kept.length > 0) {
      const changed = this.#rows().filter(({ id }) => kept.includes(id));
      await this.#writes
        .submit(
          keepUsedTokens,
          changed.map((row) => ({ id: row.id, ...useOf(row) }))
        )
        .catch((error: unknown) => {
          kept.forEach((id) => this.#used.add(id));
          throw error;
        });
    }
  }

  /**
   * Removes created tokens that were revoked long ago; called at an interval. They are still rejected. A provisioned token may be any
   * text: without its row it would count as a token that is not meant for the bridge, so only the oldest beyond a number are removed.
   */
  async removeRevoked(): Promise<void> {
    const before = this.#steady() - LIMITS.revokedTokenDays.value * DAY_MS;
    const provisioned = this.#rows().filter((row) => row.file !== null && row.revoked_ts !== null);
    const old = [
      ...this.#rows().filter((row) => row.file === null && isRevoked(row, before)),
      ...provisioned.sort((a, b) => b.revoked_ts! - a.revoked_ts!).slice(LIMITS.revokedProvisionedTokens.value),
    ];
    if (old.length > 0) {
      await this.#writes.submit(
        removeRevokedTokens,
        old.map(({ id }) => id)
      );
      old.forEach((row) => this.#remove(row));
    }
  }

  #rows(): SenderTokenRow[] {
    return [...this.#byHash.values()].map(({ row }) => row);
  }

  #find(id: string): SenderTokenRow | undefined {
    return this.#rows().find((row) => row.id === id);
  }

  #remove({ hash, previous_hash }: SenderTokenRow): void {
    this.#owners = undefined;
    this.#byHash.delete(hash);
    if (previous_hash !== null) {
      this.#byPreviousHash.delete(previous_hash);
    }
  }

  #add(row: SenderTokenRow): void {
    this.#owners = undefined;
    const known = {
      row,
      sender: { id: row.id, name: row.name, packages: packagesOf(row), node: row.node || undefined },
    };
    this.#byHash.set(row.hash, known);
    if (row.previous_hash !== null) {
      this.#byPreviousHash.set(row.previous_hash, known);
    }
  }

  async #read(): Promise<void> {
    const stored = await this.#store.all();
    const before = new Map(this.#rows().map((row) => [row.id, row]));
    this.#owners = undefined;
    this.#byHash.clear();
    this.#byPreviousHash.clear();
    stored.forEach((row) => this.#add(this.#used.has(row.id) ? { ...row, ...useOf(before.get(row.id) ?? row) } : row));
  }
}

/** @throws HttpProblem 409 for a provisioned sender */
function requireCreated({ name, file }: SenderTokenRow): void {
  if (file !== null) {
    throw new HttpProblem('conflict', `The sender "${name}" is provisioned by ${file}; it can be changed only there.`);
  }
}
