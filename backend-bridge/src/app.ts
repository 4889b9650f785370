/** All routes on one page. */
import type { RequestListener } from 'node:http';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { backupRoutes } from './backups/routes.ts';
import type { Backups } from './backups/service.ts';
import { chainRoutes, type ChainsView } from './chains/routes.ts';
import { channelRoutes, routeRoutes } from './channels/routes.ts';
import type { Channels } from './channels/service.ts';
import { categoryRoutes } from './categories/routes.ts';
import { eventRoutes } from './events/routes.ts';
import type { EventStream } from './events/stream.ts';
import { dashboardRoutes } from './dashboards/routes.ts';
import type { Guard } from './http/auth.ts';
import { documentRoutes } from './http/openapi.ts';
import { type ErrorLog, errorWriter, notFound } from './http/errors.ts';
import type { Outbound } from './http/outbound.ts';
import { iconRoutes } from './icons/routes.ts';
import type { Icons } from './icons/service.ts';
import { withDirectRoute } from './http/directRoute.ts';
import type { ReadGate } from './http/readGate.ts';
import { hostGuard, pathGuard, sameSiteOnly, securityHeaders } from './http/security.ts';
import { pushRoutes } from './push/routes.ts';
import type { Push } from './push/service.ts';
import type { RecordChange } from './audit/record.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Inbox } from './notifications/inbox.ts';
import { batchRoutes } from './notifications/batch.ts';
import { heartbeatRoutes } from './heartbeats/routes.ts';
import { notificationRoutes, SEND_PATH, sendHandlers } from './notifications/routes.ts';
import type { NotificationStore } from './notifications/store.ts';
import {
  fetchRoutes,
  ownManifestRoutes,
  packageFilesRoutes,
  packageRoutes,
  prometheusRoutes,
} from './packages/routes.ts';
import type { Registry } from './packages/service.ts';
import { archiveRoutes, retentionRoutes } from './retention/routes.ts';
import type { Retention } from './retention/service.ts';
import type { Readers } from './readers/service.ts';
import type { History } from './monitors/prometheus/history.ts';
import { endpointRoutes, packageEndpointRoutes, settingsRoutes } from './thresholds/routes.ts';
import type { Provisioning } from '../contract/provisioning.ts';
import type { BridgeStatus } from '../contract/status.ts';
import type { Reads } from './storage/read.ts';
import { FAILURE_TEXTS, StoreUnavailable } from './storage/storeError.ts';
import type { StoreState } from './storage/storeState.ts';
import type { SettingsExchange } from './thresholds/exchange.ts';
import type { Thresholds } from './thresholds/service.ts';

export interface AppDeps {
  version: string;
  allowedHosts: readonly string[] | undefined;
  guard: Guard;
  gate: ReadGate;
  /** Applied after the sender guard. */
  limit: RequestHandler;
  inbox: Inbox;
  store: NotificationStore;
  reads: Reads;
  readers: Readers;
  respond: Router;
  silences: Router;
  registry: Registry;
  backups: Backups;
  retention: Retention;
  report: RequestHandler;
  channels: Channels;
  push: Push;
  chains: ChainsView;
  thresholds: Thresholds;
  settings: SettingsExchange;
  history: History;
  outbound: Outbound;
  icons: Icons;
  stream: EventStream;
  metrics: Metrics;
  metricsOpen: boolean;
  webhooks: Router;
  /** Names under which this bridge sends to others. */
  ownNames: () => readonly string[];
  tokens: Router;
  adminToken: Router;
  audit: Router;
  /** Records a change outside of the database. */
  record: RecordChange;
  /** Routes for a client without credentials, before the ordinary ones of notifications. */
  compat: Router | undefined;
  /** UTC milliseconds. */
  now: () => number;
  storeState: Pick<StoreState, 'failure' | 'has'>;
  provisioning: () => Promise<Provisioning>;
  status: () => Promise<BridgeStatus>;
  log: ErrorLog;
}

export function createApp(deps: AppDeps): RequestListener {
  const { guard, limit, inbox, store, reads, readers } = deps;
  const app = express();
  app.disable('x-powered-by');
  // Responses change with every notification and are not cached.
  app.disable('etag');
  app.set('query parser', false);
  const guards = [
    hostGuard(deps.allowedHosts),
    pathGuard(),
    securityHeaders(),
    sameSiteOnly({ reads: deps.compat !== undefined }),
  ];
  app.use(...guards);

  app.use('/api/v1', iconRoutes(deps));
  if (deps.compat) {
    app.use(SEND_PATH, deps.compat);
  }
  app.use(
    `${SEND_PATH}/batch`,
    guard.sender,
    limit,
    batchRoutes({ receive: (incoming) => inbox.receive(incoming), ownNames: deps.ownNames })
  );
  app.use('/api/v1/heartbeat', guard.sender, limit, heartbeatRoutes());
  app.use('/api/v1', deps.respond);
  app.use('/api/v1', deps.silences);
  app.use(SEND_PATH, notificationRoutes({ guard, limit, inbox, store, reads, readers }));
  app.use('/api/v1/events', eventRoutes({ guard, stream: deps.stream, readers, gate: deps.gate }));
  app.use('/api/v1/webhooks', guard.sender, limit, deps.webhooks);
  app.use('/api/v1/categories', categoryRoutes({ guard, inbox, store, reads, readers }));
  app.use('/api/v1/packages', guard.admin, packageRoutes(deps));
  app.use('/api/v1/package-files', guard.admin, packageFilesRoutes(deps.registry));
  app.use('/api/v1/fetch', guard.admin, fetchRoutes(deps.outbound));
  app.use('/api/v1/packages', guard.admin, dashboardRoutes(deps.registry));
  app.use('/api/v1/packages', guard.admin, packageEndpointRoutes(deps.thresholds, deps.history));
  app.use('/api/v1/settings', guard.admin, settingsRoutes(deps.settings));
  app.use('/api/v1/endpoints', guard.admin, endpointRoutes(deps.thresholds));
  app.use('/api/v1/chains', guard.admin, chainRoutes(deps.chains, deps.history));
  app.use('/api/v1/backups', guard.admin, backupRoutes(deps.backups, deps.record));
  app.use('/api/v1/retention', guard.admin, retentionRoutes(deps.retention));
  app.use('/api/v1/report', guard.admin, deps.report);
  app.use('/api/v1/channels', guard.admin, channelRoutes(deps.channels));
  app.use('/api/v1/push', guard.admin, pushRoutes(deps.push));
  app.use('/api/v1/routes', guard.admin, routeRoutes(deps.channels));
  app.use('/api/v1/archive', guard.admin, archiveRoutes(deps.retention));
  app.use('/api/v1/prometheus', prometheusRoutes(deps));
  app.use('/package-manifest', ownManifestRoutes(deps));
  app.use('/api/v1/tokens', guard.admin, deps.tokens);
  app.use('/api/v1/admin-token', guard.admin, deps.adminToken);
  app.use('/api/v1/audit', guard.admin, deps.audit);
  app.use(['/api/v1/provisioning', '/api/v1/status'], guard.admin);
  app.get('/api/v1/provisioning', async (_req, res) => {
    res.json(await deps.provisioning());
  });
  app.get('/api/v1/status', async (_req, res) => {
    res.json(await deps.status());
  });

  app.use('/api/v1', documentRoutes(guard, deps.version));

  operationRoutes(app, deps);

  app.use(notFound());
  const writeError = errorWriter(deps.log);
  app.use(writeError);
  const send = { method: 'POST', url: SEND_PATH, handlers: [...guards, ...sendHandlers({ guard, limit, inbox })] };
  return deps.compat ? app : withDirectRoute(app, send, writeError);
}

/** Health and metrics. */
function operationRoutes(app: Express, deps: AppDeps): void {
  const { guard } = deps;
  app.get('/healthz', guard.probe, (_req, res) => {
    if (deps.storeState.has('writer_stopped')) {
      throw new StoreUnavailable(FAILURE_TEXTS.writer_stopped, 'writer_stopped');
    }
    res.json({ status: 'ok' });
  });
  app.get('/readyz', guard.probe, (_req, res) => {
    const { failure } = deps.storeState;
    if (failure) {
      throw new StoreUnavailable(failure.text, failure.reason, failure.cause);
    }
    res.json({ status: 'ready', version: deps.version });
  });
  app.get('/metrics', deps.metricsOpen ? guard.open : guard.admin, async (_req, res) => {
    const { contentType, text } = await deps.metrics.render();
    res.set('Content-Type', contentType).send(text);
  });
}
