/** A real server for tests of everything around the routes. */
import { connect } from 'node:net';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { onTestFinished } from 'vitest';
import type { Operation } from '../../../contract/operation.ts';
import { type ErrorLog, errorWriter, notFound } from './errors.ts';
import { type Handlers, serve } from './serve.ts';
import { listen, type ListenOptions, type Listening } from './server.ts';

export interface LogLine {
  level: 'info' | 'error';
  fields: Record<string, unknown>;
  message: string;
}

export interface TestServer extends Listening {
  url: string;
  log: LogLine[];
}

export function captureLog(): { lines: LogLine[]; log: ErrorLog } {
  const lines: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message });
  return { lines, log: { info: write('info'), error: write('error') } };
}

/** Starts an app with the given routes, and the middleware of the real app before and after them. */
export async function startServer(
  addRoutes: (app: Express) => void,
  options: Partial<ListenOptions> = {}
): Promise<TestServer> {
  const { lines, log } = captureLog();
  const app = express();
  app.disable('x-powered-by');
  addRoutes(app);
  app.use(notFound());
  app.use(errorWriter(log, () => 'the-id'));
  const listening = await listen(app, { host: '127.0.0.1', port: 0, closeTimeout: 500, ...options });
  onTestFinished(() => listening.close());
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, log: lines };
}

export const pass: RequestHandler = (_req, _res, next) => next();

/** Serves operations without guards. */
export const serveOpen = <O extends Record<string, Operation>>(api: O, handlers: Handlers<O>): Router =>
  serve(api, handlers, { guard: { admin: pass, sender: pass, open: pass, probe: pass }, limit: pass });

/** Sends bytes as they are and gives back everything until the server closes. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** A request whose path no client library has tidied up. */
export async function rawPath(port: number, path: string, method = 'GET'): Promise<{ status: number; body: unknown }> {
  const answer = await sendRaw(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: body === '' ? undefined : (JSON.parse(body) as unknown) };
}
