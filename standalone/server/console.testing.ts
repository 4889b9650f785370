import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { urlOf } from '../../backend-bridge/src/listening.testing.ts';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { type ConsoleOptions, type RunningConsole, startConsole } from './console.ts';
import type { PluginRole, ProxyRoute } from './pluginJson.ts';

export const PLUGIN_ID = 'nodebell-notifications-app';
export const PROXY = `/api/plugin-proxy/${PLUGIN_ID}`;

export interface Received {
  method: string;
  /** Path and query as they stood on the wire. */
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Upstream {
  url: string;
  received: Received[];
}

/** A stand-in for the bridge that remembers what reached it. */
export async function startUpstream(answer?: http.RequestListener): Promise<Upstream> {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      if (answer) {
        answer(request, response);
      } else {
        response.setHeader('Content-Type', 'application/json').end('{"ok":true}');
      }
    });
  });
  return { url: await urlOf(server), received };
}

const REPOSITORY = path.join(import.meta.dirname, '..', '..');

/** The real plugin.json unless the test is about routes that it does not have. */
export async function startTestConsole(
  bridgeUrl: string,
  { routes, roles = [], ...options }: Partial<ConsoleOptions> & { routes?: ProxyRoute[]; roles?: PluginRole[] } = {}
): Promise<RunningConsole> {
  let pluginDir = REPOSITORY;
  if (routes) {
    const folder = temporaryFolder();
    const info = { version: '0', logos: { small: 'img/logo.svg', large: 'img/logo.svg' } };
    const plugin = { id: PLUGIN_ID, name: 'Nodebell', type: 'app', info, includes: [], roles, routes };
    await writeFile(path.join(folder, 'plugin.json'), JSON.stringify(plugin));
    pluginDir = folder;
  }
  const running = await startConsole({ port: 0, bridgeUrl, bridgeToken: 'secret', pluginDir, ...options });
  onTestFinished(() => running.close());
  return running;
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** A request whose path goes out exactly as it is written: fetch would clean it, and refuse to set some headers. */
export function call(
  base: string,
  rawPath: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {}
): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    const request = http.request({ hostname, port, path: rawPath, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    request.on('error', reject);
    request.end(options.body);
  });
}

/** @param granted actions besides those of the role */
export const asRole = (role: string, granted?: string) => ({
  cookie: `nodebell_role=${role}${granted === undefined ? '' : `; nodebell_grants=${granted}`}`,
});
