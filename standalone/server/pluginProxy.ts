import http from 'node:http';
import https from 'node:https';
import { sendJson } from './answers.ts';
import { hasAction, type Identity, includesRole } from './identity.ts';
import type { PluginJson, ProxyRoute } from './pluginJson.ts';
import { requestHeaders, responseHeaders } from './proxyHeaders.ts';
import { encodePath, joinUrlPath, matchRoute } from './routeMatch.ts';
import { fillTemplate, type PluginSettings } from './settings.ts';

export interface ProxyOptions {
  plugin: PluginJson;
  settings: PluginSettings;
  identity: Identity;
  /** Identity signed by Grafana; undefined: it signs none. */
  signedId?: string | undefined;
  /** Grafana's connection timeout is 30 s, TLS included; it has no response timeout. */
  connectTimeoutMs?: number;
}

type Sender = typeof http.request;

/** Stands in for Grafana's /api/plugin-proxy/<id>/*; `escapedPath` is the rest of the request's path, still encoded. */
export function proxyRequest(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  escapedPath: string,
  query: string,
  options: ProxyOptions
): void {
  const { plugin, settings, identity } = options;
  if (!settings.enabled) {
    sendJson(response, 404, { message: 'Plugin not found' });
    return;
  }
  const match = matchRoute(plugin.routes, request.method ?? 'GET', escapedPath);
  if (!match) {
    sendJson(response, 404, { message: 'plugin route match not found' });
    return;
  }
  const { route, rest } = match;
  if (!mayUse(route, plugin, identity)) {
    sendJson(response, 403, { message: 'plugin proxy route access denied' });
    return;
  }
  const base = URL.parse(fillTemplate(route.url, settings));
  if (!base) {
    sendJson(response, 500, { message: 'Could not parse url' });
    return;
  }
  const routeHeaders = Object.fromEntries(
    (route.headers ?? []).map(({ name, content }) => [name, fillTemplate(content, settings)])
  );
  forward(request, response, {
    ...(base.protocol === 'https:'
      ? { sender: https.request, connected: 'secureConnect' }
      : { sender: http.request, connected: 'connect' }),
    target: base,
    // A query in the route's own url is dropped; the client's passes untouched.
    path: encodePath(joinUrlPath(decodeURIComponent(base.pathname), rest)) + query,
    headers: { ...requestHeaders(request, identity, routeHeaders, options.signedId), host: base.host },
    connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
  });
}

function mayUse({ reqAction, reqRole }: ProxyRoute, plugin: PluginJson, identity: Identity): boolean {
  if (reqAction) {
    return hasAction(plugin, identity, reqAction);
  }
  return !reqRole || includesRole(identity.role, reqRole);
}

interface Forward {
  sender: Sender;
  target: URL;
  path: string;
  headers: http.OutgoingHttpHeaders;
  connectTimeoutMs: number;
  /** The socket's event that ends the wait for a connection. */
  connected: 'connect' | 'secureConnect';
}

function forward(request: http.IncomingMessage, response: http.ServerResponse, to: Forward): void {
  const { hostname, port } = to.target;
  const upstream = to.sender({
    method: request.method,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: to.path,
    headers: to.headers,
    agent: false,
  });
  const timer = setTimeout(
    () => upstream.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
    to.connectTimeoutMs
  );
  upstream.on('socket', (socket) => socket.once(to.connected, () => clearTimeout(timer)));
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, responseHeaders(answer));
    // Sent at once: an event stream's head must reach the browser before its first event exists.
    response.flushHeaders();
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // Grafana returns only the status, without a body.
    response.writeHead(error.code === 'ETIMEDOUT' ? 504 : 502).end();
  });
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}
