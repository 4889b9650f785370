import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { BadRequest, decodePath, readJson, send, sendJson } from './answers.ts';
import { libraryVersion, servePublic } from './assets.ts';
import { isForeign } from './origin.ts';
import { identify, type Identity, isGrants, isPerson, readCookie } from './identity.ts';
import { pluginSettingsAnswer, renderPage, type Theme } from './page.ts';
import { answerRules, isRulesPath, type RuleStore, seedRules, type SeededRule } from './grafanaRules.ts';
import { findPluginDir, type PluginJson, readPluginJson } from './pluginJson.ts';
import { proxyRequest } from './pluginProxy.ts';
import { answerReceiverTest, RECEIVER_TEST } from './receiverTest.ts';
import { type PluginSettings, updateSettings } from './settings.ts';
import { createSigner, type IdentitySigner } from './signedIdentity.ts';

export interface ConsoleOptions {
  /** 0 takes any free port. */
  port: number;
  bridgeUrl: string;
  bridgeToken: string;
  /** The built plugin; the repository's `dist` unless given. */
  pluginDir?: string;
  /** Folders of other built apps. Default: none. */
  otherApps?: readonly string[];
  /** The built host page; `standalone/dist` unless given. */
  hostDir?: string;
  /** The folder from which the libraries of the host page are found; the repository's unless given. */
  libraries?: string;
  connectTimeoutMs?: number;
  /** Whether it signs the identity of the user, as Grafana does by default. Default: true. */
  signsIds?: boolean;
  /** Rules of Grafana. Default: none. */
  rules?: readonly SeededRule[];
}

export interface RunningConsole {
  url: string;
  settings: PluginSettings;
  close: () => Promise<void>;
}

interface Server {
  settings: PluginSettings;
  pluginDir: string;
  /** Other apps, by their folders. */
  otherApps: ReadonlyMap<string, PluginJson>;
  hostDir: string;
  libraries: string;
  grafanaVersion: string;
  connectTimeoutMs: number | undefined;
  /** The public keys of Grafana. */
  keys: IdentitySigner['keys'];
  signedId: ((identity: Identity) => string) | undefined;
  rules: RuleStore;
}

interface Exchange extends Server {
  request: http.IncomingMessage;
  response: http.ServerResponse;
  plugin: PluginJson;
  /** The path as received, still encoded: the proxy must see the raw path. */
  path: string;
  query: string;
}

/** A language as Grafana names it: "de-DE". Those without a translation are English in the end. */
const LANGUAGE = /^[a-z]{2}-[A-Z]{2}$/;

const PREFERENCES = {
  role: isPerson,
  grants: isGrants,
  theme: (value: unknown) => value === 'dark' || value === 'light',
  lang: (value: unknown) => typeof value === 'string' && LANGUAGE.test(value),
};

const themeOf = (request: http.IncomingMessage): Theme =>
  readCookie(request.headers.cookie, 'nodebell_theme') === 'light' ? 'light' : 'dark';

const languageOf = (request: http.IncomingMessage): string => {
  const chosen = readCookie(request.headers.cookie, 'nodebell_lang');
  return chosen !== undefined && LANGUAGE.test(chosen) ? chosen : 'en-US';
};

/** The user's preferences. */
const choicesOf = (request: http.IncomingMessage) => ({ theme: themeOf(request), language: languageOf(request) });

/** `?role=`, `?grants=`, `?theme=` and `?lang=` are remembered in cookies and taken out of the address, which belongs to the page. */
function rememberPreferences({ request, response, path: pathname, query }: Exchange): boolean {
  const params = new URLSearchParams(query);
  const cookies: string[] = [];
  for (const [name, isValid] of Object.entries(PREFERENCES)) {
    const value = params.get(name);
    if (isValid(value)) {
      cookies.push(`nodebell_${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`);
      params.delete(name);
    }
  }
  if (request.method !== 'GET' || cookies.length === 0) {
    return false;
  }
  const rest = params.size > 0 ? `?${params.toString()}` : '';
  response.writeHead(302, { Location: pathname + rest, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' }).end();
  return true;
}

async function answerSettings({ request, response, plugin, settings }: Exchange): Promise<void> {
  if (request.method === 'POST') {
    if (identify(request.headers.cookie).role !== 'Admin') {
      sendJson(response, 403, { message: 'You need the permission plugins:write' });
      return;
    }
    updateSettings(settings, await readJson(request));
    sendJson(response, 200, { message: 'Plugin settings updated' });
    return;
  }
  sendJson(response, 200, pluginSettingsAnswer({ plugin, settings }));
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, plugin, path: pathname, query, settings, grafanaVersion } = exchange;
  const proxyPrefix = `/api/plugin-proxy/${plugin.id}`;
  if (pathname === proxyPrefix || pathname.startsWith(`${proxyPrefix}/`)) {
    const identity = identify(request.headers.cookie);
    const options = { plugin, settings, identity, signedId: exchange.signedId?.(identity) };
    const timeout = exchange.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: exchange.connectTimeoutMs };
    proxyRequest(request, response, pathname.slice(proxyPrefix.length), query, { ...options, ...timeout });
  } else if (pathname === `/api/plugins/${plugin.id}/settings`) {
    await answerSettings(exchange);
  } else if (pathname === '/api/signing-keys/keys') {
    sendJson(response, 200, exchange.keys);
  } else if (pathname === '/api/login/ping') {
    sendJson(response, 200, { message: 'Logged in' });
  } else if (pathname === RECEIVER_TEST && request.method === 'POST') {
    await answerReceiverTest(request, response, exchange.connectTimeoutMs);
  } else if (isRulesPath(pathname)) {
    await answerRules(request, response, pathname, exchange.rules);
  } else if (/^\/apis?\//.test(pathname)) {
    sendJson(response, 404, { message: 'Not found' });
  } else if (pathname.startsWith('/public/')) {
    const file = decodePath(pathname.slice('/public/'.length));
    await servePublic(response, file, {
      hostDir: exchange.hostDir,
      libraries: exchange.libraries,
      findPlugin: (id) => findPluginDir(exchange, plugin, id),
    });
  } else if (pathname === '/') {
    response.writeHead(302, { Location: `/a/${plugin.id}${query}` }).end();
  } else if (!rememberPreferences(exchange)) {
    const identity = identify(request.headers.cookie);
    const otherApps = [...exchange.otherApps.values()];
    const page = renderPage({ plugin, otherApps, settings, identity, grafanaVersion, ...choicesOf(request) });
    send(response, 200, 'text/html; charset=utf-8', page);
  }
}

async function handle(request: http.IncomingMessage, response: http.ServerResponse, server: Server): Promise<void> {
  if (isForeign(request.headers)) {
    sendJson(response, 403, { message: 'origin not allowed' });
    return;
  }
  const [pathname = '/', ...query] = (request.url ?? '/').split('?');
  try {
    const plugin = await readPluginJson(server.pluginDir);
    const search = query.length > 0 ? `?${query.join('?')}` : '';
    await answer({ ...server, request, response, plugin, path: pathname, query: search });
  } catch (error) {
    if (!response.headersSent) {
      sendJson(response, error instanceof BadRequest ? error.status : 500, {
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

/** Starts the stand-in for Grafana on the loopback address, where only this machine's users can reach it. */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const root = path.join(import.meta.dirname, '..', '..');
  const signer = createSigner('http://localhost:3000/');
  const libraries = options.libraries ?? path.join(root, 'standalone');
  const settings: PluginSettings = {
    enabled: true,
    pinned: true,
    jsonData: { bridgeUrl: options.bridgeUrl.replace(/\/$/, '') },
    secureJsonData: { bridgeToken: options.bridgeToken },
  };
  const state: Server = {
    settings,
    pluginDir: options.pluginDir ?? path.join(root, 'dist'),
    otherApps: new Map(
      await Promise.all((options.otherApps ?? []).map(async (dir) => [dir, await readPluginJson(dir)] as const))
    ),
    hostDir: options.hostDir ?? path.join(root, 'standalone', 'dist'),
    libraries,
    grafanaVersion: await libraryVersion(libraries, '@grafana/runtime'),
    connectTimeoutMs: options.connectTimeoutMs,
    keys: signer.keys,
    rules: new Map(),
    signedId: options.signsIds === false ? undefined : (identity) => signer.sign(identity, Date.now()),
  };
  seedRules(state.rules, options.rules ?? []);
  const server = http.createServer((request, response) => void handle(request, response, state));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    settings,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
