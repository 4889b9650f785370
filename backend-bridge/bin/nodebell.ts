/** The command line; the only file of it that touches the process. */
import { createReadStream, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { confirm } from '../src/cli/confirm.ts';
import { runCommandLine } from '../src/cli/program.ts';

const { version } = JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')) as { version: string };

// A reader that has seen enough (`nodebell token list | head -1`) is no error, and does not stop what is under way.
let isUnread = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (!isUnread && code !== 'EPIPE') {
    process.stderr.write(`nodebell: cannot write standard output (${code}).\n`);
    process.exitCode = 2;
  }
  isUnread = true;
});
process.stderr.on('error', () => undefined);

const code = await runCommandLine(process.argv.slice(2), {
  version,
  env: process.env,
  fetch: globalThis.fetch,
  readFile: (path) => readFileSync(path, 'utf8'),
  open: (path) => (path === undefined ? process.stdin : createReadStream(path)),
  wait,
  stdin: process.stdin.isTTY ? undefined : () => text(process.stdin),
  ...(process.stdin.isTTY && { confirm: (question) => confirm(question, process.stdin, process.stderr) }),
  terminal: process.stdout.isTTY,
  out: (words) => void process.stdout.write(words),
  err: (words) => void process.stderr.write(words),
});
process.exitCode ??= code;
