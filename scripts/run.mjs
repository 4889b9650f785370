import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** An error that the user can fix: only its message is printed, without a stack. */
export class Problem extends Error {}

export const say = (text) => console.log(text);
export const heading = (text) => say(`\n── ${text} ${'─'.repeat(Math.max(3, 74 - text.length))}`);

/** Runs a program with its output shown, and returns its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    child.on('error', (cause) => reject(new Problem(`cannot run ${command}: ${cause.message}`)));
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/** Prints how long a step took, and adds it to the file NODEBELL_SECONDS, which .ci/run prints as a table. @returns the result of the work */
export async function timed(name, work) {
  const start = Date.now();
  try {
    return await work();
  } finally {
    const seconds = Math.round((Date.now() - start) / 1000);
    say(`${name}: ${seconds} s`);
    const file = process.env.NODEBELL_SECONDS;
    if (file) {
      appendFileSync(file, `${String(seconds).padStart(6)}    ${name}\n`);
    }
  }
}

/** npm itself: by its own file when it started us, so that no shell and no PATH is in between. */
export function npm(args, options = {}) {
  const file = process.env.npm_execpath;
  if (file?.endsWith('.js')) {
    return run(process.execPath, [file, ...args], options);
  }
  return run('npm', args, { shell: process.platform === 'win32', ...options });
}

/** For the main function of each script: a Problem is printed in one line, other errors with a stack. */
export async function main(program) {
  try {
    await program();
  } catch (error) {
    console.error(error instanceof Problem ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
