/** Serves the webhook routes to tests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { onTestFinished } from 'vitest';
import { WEBHOOKS } from '../../../contract/api/webhooks.ts';
import type { Notification } from '../../../contract/notification.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { errorWriter, notFound } from '../../platform/http/errors.ts';
import { pass, serveOpen } from '../../platform/http/httpServer.testing.ts';
import type { Incoming, Receive } from '../../inbox/notifications/receive.ts';
import { needsMethod, webhookHandlers, type WebhookDeps } from './routes.ts';

/** Stores what it receives as the inbox does: each (scope, key) once. For what has a time, see tests/integration/gatusRetries.stores.test.ts. */
function fakeInbox(clock: { now: number }) {
  const stored: Incoming[] = [];
  const known = new Map<string, { hash: string | undefined; at: number }>();
  const calls: number[] = [];
  const receive: Receive = (incoming) => {
    calls.push(incoming.length);
    return Promise.resolve(
      incoming.map((item, id) => {
        const { scope, key, hash, within = Infinity } = item.once ?? {};
        const last = known.get(`${scope}\n${key}`);
        const isRepeat =
          last !== undefined && clock.now - last.at < within && (within === Infinity || last.hash === hash);
        const outcome = isRepeat ? 'duplicate' : 'stored';
        if (outcome === 'stored') {
          stored.push(item);
          if (item.once) {
            known.set(`${scope}\n${key}`, { hash, at: clock.now });
          }
        }
        return { outcome, id, notification: {} as Notification };
      })
    );
  };
  return { stored, calls, receive };
}

const none = (): Promise<undefined> => Promise.resolve(undefined);

/** The routes on a port of their own, with an inbox that only remembers. Ended after each test. */
export async function startWebhooks(options: Partial<WebhookDeps> & { sender?: Sender } = {}) {
  const logged: object[] = [];
  const log = { info: (fields: object) => void logged.push(fields), error: () => undefined };
  const clock = { now: 1_795_212_250_000 };
  const inbox = fakeInbox(clock);
  const app = express();
  app.use((_req, res, next) => {
    res.locals.sender = options.sender;
    next();
  });
  const acknowledge = () => Promise.resolve();
  const deps = {
    receive: inbox.receive,
    acknowledge,
    via: pass,
    webhookSecret: undefined,
    mapping: none,
    now: () => clock.now,
    log,
    ...options,
  };
  app.use(serveOpen(WEBHOOKS, webhookHandlers(deps)));
  app.use(express.Router().all('/api/v1/webhooks/gatus', needsMethod));
  app.use(
    notFound(),
    errorWriter(log, () => 'test')
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((listening) => server.once('listening', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/webhooks`;
  const post = async (
    path: string,
    body: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = {},
    method = 'POST'
  ) => {
    const answer = await fetch(`${url}/${path}`, {
      method,
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      json: (await answer.json()) as Record<string, never>,
    };
  };
  return { ...inbox, post, url, clock, logged };
}
