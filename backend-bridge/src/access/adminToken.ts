/** The admin token's file. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ADMIN_TOKEN_PREFIX, newToken } from './token.ts';

/**
 * The admin token: the configured one, else the one that is kept in the data directory, which is made once.
 * @throws Error when the file cannot be read or holds no token
 */
export function adminToken(dataDir: string, configured: string | undefined): string {
  if (configured !== undefined) {
    return configured;
  }
  const path = adminTokenPath(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return readAdminToken(path) ?? makeAdminToken(path);
}

export function adminTokenPath(dataDir: string): string {
  return join(dataDir, 'admin-token');
}

function readAdminToken(path: string): string | undefined {
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  if (token.length < 16) {
    throw new Error(`${path} holds no token; delete it and a new one is made`);
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    chmodSync(path, 0o600);
  }
  return token;
}

/** Written aside and linked into place, so that nobody ever reads half a token, and of two starts at once one token stays. */
function makeAdminToken(path: string): string {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(aside, 'wx', 0o600);
  try {
    writeSync(file, `${newToken(ADMIN_TOKEN_PREFIX)}\n`);
    fsyncSync(file);
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    closeSync(file);
    rmSync(aside, { force: true });
  }
  return readAdminToken(path) as string;
}
