/** All routes, with the guards before them. */
import type { RequestListener } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import { API } from '../contract/api.ts';
import type { Guard } from './platform/http/guard.ts';
import { withDirectRoute } from './platform/http/directRoute.ts';
import { type ErrorLog, errorWriter, notFound } from './platform/http/errors.ts';
import { hostGuard, pathGuard, sameSiteOnly, securityHeaders } from './platform/http/security.ts';
import { type Handlers, serve } from './platform/http/serve.ts';
import type { Inbox } from './inbox/notifications/inbox.ts';
import { sendHandlers } from './inbox/notifications/send.ts';
import { needsMethod } from './intake/webhooks/routes.ts';

export interface AppDeps {
  allowedHosts: readonly string[] | undefined;
  guard: Guard;
  /** Applied to sends after the guard. */
  limit: RequestHandler;
  /** Rejects sends that have been here before (platform/http/via.ts). */
  via: RequestHandler;
  metricsOpen: boolean;
  inbox: Inbox;
  handlers: Handlers<typeof API>;
  /** Routes for a client without credentials, before the ordinary ones of notifications. */
  compat: Router | undefined;
  log: ErrorLog;
}

/** All routes of the bridge. */
export function createApp({
  guard,
  limit,
  via,
  metricsOpen,
  inbox,
  handlers,
  compat,
  ...deps
}: AppDeps): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  // Responses change with every notification and are not cached.
  app.disable('etag');
  app.set('query parser', false);
  const guards = [
    hostGuard(deps.allowedHosts),
    pathGuard(),
    securityHeaders(),
    sameSiteOnly({ reads: compat !== undefined }),
  ];
  app.use(...guards);
  if (compat) {
    app.use(API.sendNotification.path, compat);
  }
  app.use(serve(API, handlers, { guard, limit, isOpen: (id) => metricsOpen && id === API.metrics.id }));
  app.use(Router().all(API.gatusWebhook.path, guard.sender, needsMethod));
  app.use(notFound());
  const writeError = errorWriter(deps.log);
  app.use(writeError);
  const send = {
    method: 'POST',
    url: API.sendNotification.path,
    handlers: [...guards, guard.sender, limit, via, ...sendHandlers(inbox)],
  };
  return compat ? app : withDirectRoute(app, send, writeError);
}
