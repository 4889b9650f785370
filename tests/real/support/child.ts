/** Child processes of a test, stopped with it at the latest. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export interface Child {
  /** The address to listen on. */
  url: string;
  stop(): Promise<void>;
}

export interface ChildOptions {
  command: string;
  args: string[];
  /** In addition to the environment of the test. */
  env?: Record<string, string>;
  url: string;
  /** Returns 200 when ready. */
  readyPath: string;
  /** Sent as JSON by POST; otherwise GET. */
  readyBody?: string;
}

/** Only to detect hanging: a busy machine needs time. */
const START_MS = 90_000;
const STOP_MS = 15_000;
/** Length of the output that is shown if the start fails. */
const OUTPUT_CHARACTERS = 4_000;

/** Starts a process and waits until it responds. */
export async function startChild({ command, args, env, url, readyPath, readyBody }: ChildOptions): Promise<Child> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  running.add(child);
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.once('error', (error) => keep(Buffer.from(error.message)));
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      running.delete(child);
      resolve();
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(late);
  };
  const deadline = Date.now() + START_MS;
  while (running.has(child) && Date.now() < deadline) {
    const answer = await fetch(url + readyPath, asking(readyBody)).catch(() => undefined);
    if (answer?.ok) {
      return { url, stop };
    }
    await wait(50);
  }
  await stop();
  throw new Error(`${command} did not start:\n${output}`);
}

const asking = (body: string | undefined): RequestInit =>
  body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };

/** Below the ephemeral ports, so that no other process gets the port first. */
const PORTS = { from: 10_000, count: 10_000 };
const given = new Set<number>();

/** A free loopback address that was not returned before. */
export async function freeAddress(): Promise<string> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return `127.0.0.1:${port}`;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => {
        server.close(() => resolve(true));
      });
  });
}
