/** Runs the command line with test arguments, files, input and responses. */
import type { CliIo } from './shared/io.ts';
import { runCommandLine } from './program.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
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
    stdin: stdin === undefined ? undefined : () => Promise.resolve(stdin),
    ...(confirm && { confirm }),
    terminal,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
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
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    });
    const { status = 201, body = STORED, headers = {} } = responses[Math.min(sent.length, responses.length) - 1] ?? {};
    return Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
  }) as CliIo['fetch'];
  return { sent, fetch };
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
