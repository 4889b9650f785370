/** Where the bridge is and which token to show it: flags, then the environment, then files. */
import { adminTokenPath } from '../access/adminToken.ts';
import { type CliIo, usageError } from './io.ts';

/** Where {@link adminConnection} looks, for the help of what needs it. */
export const ADMIN_TOKEN_HELP = `These need the admin token: --token-file, else NODEBELL_ADMIN_TOKEN or NODEBELL_ADMIN_TOKEN_FILE, else the file
admin-token in the data directory of the bridge (--data-dir, NODEBELL_DATA_DIR, ./data).`;

export interface ConnectionFlags {
  url?: string;
  tokenFile?: string;
  dataDir?: string;
  timeout?: number;
}

export interface Connection {
  /** With a slash at its end. */
  base: URL;
  token: string | undefined;
  timeoutMs: number;
}

export const DEFAULT_URL = 'http://127.0.0.1:8080';
export const DEFAULT_TIMEOUT_S = 10;

/** For sending: a token only where one is set, since not every bridge asks for one. */
export function senderConnection(flags: ConnectionFlags, io: CliIo): Connection {
  return { ...connection(flags, io), token: tokenFrom(flags, io, 'NODEBELL_TOKEN') };
}

/** For what only an admin may do: on the bridge's own machine its data directory holds the token. */
export function adminConnection(flags: ConnectionFlags, io: CliIo): Connection {
  const token = tokenFrom(flags, io, 'NODEBELL_ADMIN_TOKEN') ?? tokenOfDataDir(flags, io);
  return { ...connection(flags, io), token };
}

function connection({ url, timeout = DEFAULT_TIMEOUT_S }: ConnectionFlags, { env }: CliIo): Omit<Connection, 'token'> {
  const text = url ?? (env.NODEBELL_URL || DEFAULT_URL);
  const base = URL.parse(text.endsWith('/') ? text : `${text}/`);
  if (base === null || !/^https?:$/.test(base.protocol) || base.search !== '' || base.hash !== '') {
    throw usageError(
      `The address of the bridge must be an http: or https: URL such as ${DEFAULT_URL}; found ${JSON.stringify(text)}.`
    );
  }
  if (base.username !== '' || base.password !== '') {
    throw usageError('The address of the bridge must not hold a user name or a password.');
  }
  return { base, timeoutMs: timeout * 1000 };
}

function tokenFrom(flags: ConnectionFlags, io: CliIo, name: string): string | undefined {
  const file = flags.tokenFile ?? io.env[`${name}_FILE`];
  if (flags.tokenFile === undefined && io.env[name] && file) {
    throw usageError(`${name} and ${name}_FILE are both set; keep one.`);
  }
  return file ? readToken(file, io) : checked(io.env[name] || undefined, name);
}

function tokenOfDataDir({ dataDir }: ConnectionFlags, io: CliIo): string | undefined {
  const path = adminTokenPath(dataDir ?? (io.env.NODEBELL_DATA_DIR || './data'));
  try {
    return checked(io.readFile(path).trim(), path);
  } catch (error) {
    if (dataDir === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') {
      // The bridge may need none (NODEBELL_AUTH=none); if it does, it says so.
      return undefined;
    }
    throw unreadable(path, error);
  }
}

function readToken(file: string, io: CliIo): string {
  let token: string;
  try {
    token = io.readFile(file).trim();
  } catch (error) {
    throw unreadable(file, error);
  }
  if (token === '') {
    throw usageError(`${file} is empty; it should hold a token.`);
  }
  return checked(token, file) as string;
}

/** A header holds visible ASCII; the words do not repeat the value, since it is a secret with a slip in it. */
function checked(token: string | undefined, where: string): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw usageError(`${where} holds no token: a token is one word of visible ASCII characters.`);
  }
  return token;
}

function unreadable(file: string, error: unknown): Error {
  if (error instanceof Error && error.name === 'CliError') {
    return error;
  }
  return usageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
}
