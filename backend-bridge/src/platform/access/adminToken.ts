/** The admin token, its file, and the token before the last rotation. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AdminTokenState } from '../../../contract/token.ts';
import { isoTimeOrNull } from '../../../contract/text.ts';
import { HttpProblem } from '../http/problem.ts';
import { ADMIN_TOKEN_PREFIX, hashToken, newToken } from './token.ts';

interface Previous {
  /** SHA-256 in hexadecimal. */
  hash: string;
  /** UTC milliseconds; null: valid as long as the setting names it. */
  until: number | null;
}

export interface AdminTokenOptions {
  dataDir: string;
  /** NODEBELL_ADMIN_TOKEN */
  configured: string | undefined;
  /** NODEBELL_ADMIN_TOKEN_PREVIOUS */
  configuredPrevious?: string | undefined;
  /** UTC milliseconds. */
  now: () => number;
}

/** The admin token of a running bridge. */
export type AdminToken = ReturnType<typeof openAdminToken>;

/** @throws Error when a file cannot be read or is invalid */
export function openAdminToken({ dataDir, configured, configuredPrevious, now }: AdminTokenOptions) {
  let current = hashToken(adminToken(dataDir, configured));
  let previous: Previous | undefined =
    configured === undefined ? readPrevious(dataDir) : previousOf(configuredPrevious);
  let use: { ts: number | null; from: string | null } = { ts: null, from: null };

  const requireFile = (): void => {
    if (configured !== undefined) {
      throw new HttpProblem(
        'conflict',
        'The admin token is set by NODEBELL_ADMIN_TOKEN. Change it there, keep the old one in NODEBELL_ADMIN_TOKEN_PREVIOUS until Grafana has the new one, and restart the bridge.'
      );
    }
  };
  return {
    /** Whether this is the admin token, or the previous one in its grace period. Its time reveals nothing about the token. */
    matches(token: string, address: string | undefined): boolean {
      const given = hash('sha256', token, 'buffer');
      const isCurrent = equals(current, given);
      const isPrevious = previous !== undefined && equals(previous.hash, given);
      if (isPrevious && !isCurrent) {
        if (previous?.until != null && now() >= previous.until) {
          return false;
        }
        use = { ts: now(), from: address ?? null };
      }
      return isCurrent || isPrevious;
    },
    /** Whether it has this hash, now or before the last rotation. */
    hasHash: (tokenHash: string): boolean => tokenHash === current || tokenHash === previous?.hash,
    /** @throws HttpProblem 409 if NODEBELL_ADMIN_TOKEN sets it */
    requireFile,
    /**
     * Replaces the token in its file. A token of an earlier rotation is rejected from now on.
     * @param until UTC milliseconds until which the old token is valid
     * @throws HttpProblem 409 if NODEBELL_ADMIN_TOKEN sets it
     */
    rotate(until: number): string {
      requireFile();
      const token = newToken(ADMIN_TOKEN_PREFIX);
      const replaced = { hash: current, until };
      // The old token first: killed in between, both files still let the old token in.
      replaceFile(previousPath(dataDir), `${JSON.stringify(replaced)}\n`);
      replaceFile(adminTokenPath(dataDir), `${token}\n`);
      previous = replaced;
      current = hashToken(token);
      use = { ts: null, from: null };
      return token;
    },
    state: (): AdminTokenState => ({
      origin: configured === undefined ? 'file' : 'setting',
      previous:
        previous === undefined
          ? null
          : { validUntil: isoTimeOrNull(previous.until), lastUsedAt: isoTimeOrNull(use.ts), lastUsedFrom: use.from },
    }),
  };
}

const previousOf = (token: string | undefined): Previous | undefined =>
  token === undefined ? undefined : { hash: hashToken(token), until: null };

/** Compares hashes, so that the time reveals nothing, not even the length of the token. */
const equals = (expected: string, given: Buffer): boolean => timingSafeEqual(Buffer.from(expected, 'hex'), given);

/**
 * The admin token: the configured one, else the one that is kept in the data directory, which is made once.
 * @throws Error when the file cannot be read or holds no token
 */
export function adminToken(dataDir: string, configured: string | undefined): string {
  if (configured !== undefined) {
    return configured;
  }
  return keptSecret(adminTokenPath(dataDir), ADMIN_TOKEN_PREFIX);
}

/**
 * A secret that is kept in a file for its owner only, and made once.
 * @throws Error when the file cannot be read or holds none
 */
export function keptSecret(path: string, prefix: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return readSecret(path) ?? makeSecret(path, prefix);
}

export function adminTokenPath(dataDir: string): string {
  return join(dataDir, 'admin-token');
}

/** Holds the hash of the token before the last rotation, and until when it is valid. */
const previousPath = (dataDir: string): string => join(dataDir, 'admin-token.previous');

const previousSchema = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), until: z.number() });

function readPrevious(dataDir: string): Previous | undefined {
  const path = previousPath(dataDir);
  const text = readIfThere(path);
  if (text === undefined) {
    return undefined;
  }
  try {
    return previousSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path} is invalid; delete it and the previous admin token is rejected`, { cause: error });
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

function readSecret(path: string): string | undefined {
  const token = readIfThere(path);
  if (token === undefined) {
    return undefined;
  }
  if (token.length < 16) {
    throw new Error(`${path} holds no token; delete it and a new one is made`);
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    chmodSync(path, 0o600);
  }
  return token;
}

/** Linked into place, so that of two starts at once one secret stays. */
function makeSecret(path: string, prefix: string): string {
  writeAside(path, `${newToken(prefix)}\n`, (aside) => {
    try {
      linkSync(aside, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
  });
  return readSecret(path) as string;
}

function replaceFile(path: string, text: string): void {
  writeAside(path, text, (aside) => renameSync(aside, path));
}

/** Written aside and on disk before it is put in place, so that nobody ever reads half a file. */
function writeAside(path: string, text: string, put: (aside: string) => void): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(aside, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
    put(aside);
  } finally {
    closeSync(file);
    rmSync(aside, { force: true });
  }
}
