/** Runs the command line with test arguments, files, input and responses. */
import { Readable } from 'node:stream';
import type { CliIo } from './shared/io.ts';
import { runCommandLine } from './program.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
  /** Milliseconds before each repeated request. */
  waited?: number[];
}

/** Runs a command in an isolated environment. */
export async function run(
  args: string[],
  world: {
    stdin?: string;
    terminal?: boolean;
    confirm?: CliIo['confirm'];
    env?: Record<string, string>;
    files?: Record<string, string>;
    fetch?: CliIo['fetch'];
  } = {}
): Promise<Ran> {
  let out = '';
  let err = '';
  const waited: number[] = [];
  const {
    stdin,
    terminal = false,
    confirm,
    env = {},
    files = {},
    fetch = () => Promise.reject(new Error('nothing should be sent')),
  } = world;
  const code = await runCommandLine(args, {
    version: '1.2.3',
    env,
    fetch,
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) {
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      }
      return text;
    },
    open: (path) => {
      const text = path === undefined ? stdin : files[path];
      if (text === undefined) {
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      }
      // Pieces that end within characters and lines.
      return Readable.from(
        Buffer.from(text)
          .toString('latin1')
          .match(/[^]{1,7}/g) ?? []
      ).map((piece: string) => Buffer.from(piece, 'latin1'));
    },
    wait: (ms) => Promise.resolve(waited.push(ms)),
    stdin: stdin === undefined ? undefined : () => Promise.resolve(stdin),
    ...(confirm && { confirm }),
    terminal,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return waited.length > 0 ? { code, out, err, waited } : { code, out, err };
}

export interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

/** A bridge that returns these responses in order, and then repeats the last one. */
export function bridge(...responses: { status?: number; body?: unknown; headers?: Record<string, string> }[]): {
  sent: Sent[];
  fetch: CliIo['fetch'];
} {
  const sent: Sent[] = [];
  const fetch = ((url: URL, init: RequestInit) => {
    sent.push({
      url: url.href,
      method: init.method ?? '',
      headers: init.headers as Record<string, string>,
      body: bodyOf(init),
    });
    const { status = 201, body = STORED, headers = {} } = responses[Math.min(sent.length, responses.length) - 1] ?? {};
    return Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
  }) as CliIo['fetch'];
  return { sent, fetch };
}

/** JSON lines stay text. */
function bodyOf({ body, headers }: RequestInit): unknown {
  const isJson = (headers as Record<string, string>)['content-type'] === 'application/json';
  return isJson
    ? (JSON.parse(body as string) as unknown)
    : body instanceof Uint8Array
      ? Buffer.from(body).toString()
      : undefined;
}

export const STORED = { id: 7, title: 'T', category: 'other', dnpName: 'unknown', priority: 'low' };
export const problem = (status: number, more = {}) => ({
  type: '/api/v1/problems/x',
  title: 'Not good',
  status,
  detail: 'It is not good.',
  id: 'abc',
  errors: [],
  ...more,
});
export const TITLE = ['--title', 'T', '--body', 'B'];
