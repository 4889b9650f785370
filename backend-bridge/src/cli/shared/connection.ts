/** URL of the bridge and token, from flags, environment variables or files. */
import { adminTokenPath } from '../../platform/access/adminToken.ts';
import { type CliIo, readTrimmed, unreadable, usageError } from './io.ts';

/** Where {@link adminConnection} looks for the token, for help texts. */
export const ADMIN_TOKEN_HELP = `The admin token is required. It is read from --token-file, NODEBELL_ADMIN_TOKEN, NODEBELL_ADMIN_TOKEN_FILE, or the file
admin-token in the data directory of the bridge (--data-dir, NODEBELL_DATA_DIR, ./data), in this order.`;

export interface ConnectionFlags {
  url?: string;
  tokenFile?: string;
  dataDir?: string;
  timeout?: number;
}

export interface Connection {
  /** With a trailing slash. */
  base: URL;
  token: string | undefined;
  timeoutMs: number;
}

export const DEFAULT_URL = 'http://127.0.0.1:8080';
export const DEFAULT_TIMEOUT_S = 10;

/** For senders: the token is optional, since not every bridge requires one. */
export function senderConnection(flags: ConnectionFlags, io: CliIo): Connection {
  return { ...connection(flags, io), token: tokenFrom(flags, io, 'NODEBELL_TOKEN') };
}

/** For admins: on the host of the bridge, the data directory contains the token. */
export function adminConnection(flags: ConnectionFlags, io: CliIo): Connection {
  const token = tokenFrom(flags, io, 'NODEBELL_ADMIN_TOKEN') ?? tokenOfDataDir(flags, io);
  return { ...connection(flags, io), token };
}

function connection({ url, timeout = DEFAULT_TIMEOUT_S }: ConnectionFlags, { env }: CliIo): Omit<Connection, 'token'> {
  const text = url ?? (env.NODEBELL_URL || DEFAULT_URL);
  const base = URL.parse(text.endsWith('/') ? text : `${text}/`);
  if (base === null || !/^https?:$/.test(base.protocol) || base.search !== '' || base.hash !== '') {
    throw usageError(
      `invalid URL of the bridge: expected an http(s) URL such as ${DEFAULT_URL}, found ${JSON.stringify(text)}.`
    );
  }
  if (base.username !== '' || base.password !== '') {
    throw usageError('the URL of the bridge must not contain a user name or a password.');
  }
  return { base, timeoutMs: timeout * 1000 };
}

function tokenFrom(flags: ConnectionFlags, io: CliIo, name: string): string | undefined {
  const file = flags.tokenFile ?? io.env[`${name}_FILE`];
  if (flags.tokenFile === undefined && io.env[name] && file) {
    throw usageError(`${name} and ${name}_FILE are both set. Remove one.`);
  }
  return file
    ? checked(readTrimmed(file, io, `the token file ${file}`), file)
    : checked(io.env[name] || undefined, name);
}

function tokenOfDataDir({ dataDir }: ConnectionFlags, io: CliIo): string | undefined {
  const path = adminTokenPath(dataDir ?? (io.env.NODEBELL_DATA_DIR || './data'));
  try {
    return checked(io.readFile(path).trim(), path);
  } catch (error) {
    if (dataDir === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') {
      // The bridge may not require one (NODEBELL_AUTH=none); otherwise it returns an error.
      return undefined;
    }
    throw unreadable(path, error);
  }
}

/** HTTP headers allow visible ASCII only. The message does not include the value, which is a mistyped secret. */
function checked(token: string | undefined, where: string): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw usageError(`${where} is not a token: expected visible ASCII characters without spaces.`);
  }
  return token;
}
