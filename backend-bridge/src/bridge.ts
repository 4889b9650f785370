/** Creates the areas of the bridge from its settings, starts them, and closes them. Tests start it here as well. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { findPackageJSON } from 'node:module';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDelivery, openRouting } from './delivery/openDelivery.ts';
import { openInbox } from './inbox/openInbox.ts';
import { openIntake } from './intake/openIntake.ts';
import { createMetrics } from './metrics.ts';
import { openMonitoring } from './monitoring/openMonitoring.ts';
import type { CompatPorts } from './packages/dappnode/compat.ts';
import { openPackages, openRegistry } from './packages/openPackages.ts';
import { openAccess } from './platform/access/access.ts';
import { adminTokenHandlers, tokenHandlers } from './platform/access/routes.ts';
import { createRecorder } from './platform/audit/record.ts';
import { auditHandlers } from './platform/audit/routes.ts';
import { lastBackup } from './platform/backup/record.ts';
import type { Core, Term } from './platform/core/area.ts';
import { documentHandlers } from './platform/http/documents.ts';
import { rateLimit } from './platform/http/rateLimit.ts';
import { ReadGate } from './platform/http/readGate.ts';
import { listen } from './platform/http/server.ts';
import { whileLeading } from './platform/replicas/leadership.ts';
import { aloneOn, openReplica, type Replica } from './platform/replicas/replica.ts';
import { statusHandlers } from './platform/status/routes.ts';
import { createStatus } from './platform/status/status.ts';
import { engineOf } from './platform/storage/engine.ts';
import { readBridgeId } from './platform/storage/keptNumber.ts';
import { createSteadyClock } from './platform/storage/steadyClock.ts';
import { openStore } from './platform/store.ts';
import { openProvisioning } from './provisioning/openProvisioning.ts';
import { READS } from './reads.ts';
import { WRITES } from './writes.ts';

export interface Bridge {
  /** URL at which it listens. */
  url: string;
  /** The ports that replace DAppNode's notifier. */
  compatPorts: CompatPorts | undefined;
  /** Waits for requests in flight, then closes the database. */
  close(): Promise<void>;
}

export const VERSION = (JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')) as { version: string })
  .version;

/** The process in which it runs. */
export interface Host {
  pid?: number;
  /** A fatal error: the process must exit, so that its supervisor restarts it. */
  onFatal?: (cause: Error) => void;
  /** Monotonic milliseconds. Default: the process's own clock. */
  elapsed?: () => number;
}

/**
 * @param now the system's clock, UTC milliseconds
 * @throws if the database or the address is unavailable, or another bridge uses the data directory
 */
export async function startBridge(
  config: Config,
  log: Logger,
  now: () => number = Date.now,
  host: Host = {}
): Promise<Bridge> {
  const opened = await openStore({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    writes: WRITES,
    reads: READS,
    pid: host.pid,
    now,
    log,
    onLost: host.onFatal ?? (() => undefined),
  });
  let replica: Replica | undefined;
  try {
    const clock = await createSteadyClock(opened.db, now, host.elapsed);
    replica =
      config.databaseUrl === undefined
        ? aloneOn(opened.writes)
        : await openReplica(opened, { url: config.databaseUrl, pid: host.pid, clock, now, log });
    const id = await readBridgeId(opened.db, opened.writes);
    const core: Core = { ...opened, log, now, steady: clock.read, replica, gate: new ReadGate(), id };
    return await serve(await openAreas(core, config), core, config);
  } catch (error) {
    await replica?.close();
    await opened.close();
    throw error;
  }
}

type Areas = Awaited<ReturnType<typeof openAreas>>;

async function openAreas(core: Core, config: Config) {
  const { readState = 'each', outboundAllow: allow, webhookSecret } = config;
  const routes = await openRouting(core, () => intake.alertmanager.silences);
  const inbox = openInbox(core, {
    ...{ dataDir: config.dataDir, readState, resolveAfter: config.resolveAfter },
    routes: routes.routing,
    suppress: routes.suppression.of,
    owners: () => access.senders.owners(),
    onReceived: (incoming, received) => metrics.received(incoming, received),
  });
  const { receive, store, stream } = inbox;
  const { resolve } = inbox.autoResolve;
  const access = await openAccess(core, config);
  const { limit, charge } = rateLimit(config.rateLimit);
  const delivery = openDelivery(core, routes, { receive, charge, inbox: inbox.inbox, settings: config });
  const intake = openIntake(core, { ...routes, inbox, senders: access.senders, webhookSecret, version: VERSION });
  await routes.suppression.load();
  const { registry, settings, shipped } = openRegistry(core, config.nodeVersion);
  const monitoring = openMonitoring({
    ...core,
    monitors: config.monitors ?? {},
    webhookSecret,
    allow,
    domain: config.nodeDomain,
    settings,
    registry,
    packages: shipped,
    ...{ problems: () => provisioning.mistakes(), isProvisioned: () => provisioning.isComplete() },
    exists: async (id) => (await store.byIds([id])).length > 0,
    ...{ receive, resolve, stream, alertmanager: intake.alertmanager, suppression: delivery.suppression },
  });
  const packages = await openPackages(core, {
    registry,
    inbox: inbox.inbox,
    store,
    ...{ thresholds: monitoring.thresholds, push: delivery.push, resolve },
    limit,
    settings: config,
  });
  const provisioning = openProvisioning(core, config.provisioning, {
    registry,
    categories: () => store.categories(),
    senders: access.senders,
    chains: monitoring.overrides,
    ...{ channels: delivery.channels, suppression: delivery.suppression, heartbeats: intake.heartbeats },
    retentionFile: () => inbox.retention.provisionedBy(),
    ...{ mappings: intake.mappings, isAdminHash: access.adminToken.hasHash },
  });
  const metrics = createMetrics({
    ...core,
    stream,
    store,
    retention: inbox.retention.figures,
    channels: delivery.channels,
    heartbeats: intake.heartbeats,
    leads: () => core.replica.leadership.term() !== undefined,
    ...monitoring.forMetrics,
  });
  return { inbox, access, delivery, intake, monitoring, packages, provisioning, metrics, limit };
}

/** Listens, and starts what needs the address. */
async function serve(areas: Areas, core: Core, config: Config): Promise<Bridge> {
  const { inbox, access, provisioning, monitoring, packages, delivery, intake } = areas;
  const { host, port } = config;
  const { log } = core;
  // Before the first request, so that no response lacks what is provisioned.
  const provisioned = await whileLeading(core.replica.leadership, (term) => provisioning.lead(term), log);
  const listening = await listen(routesOf(areas, core, config), { host, port });
  const compatPorts = await packages.compat?.start().catch(async (error: unknown) => {
    await provisioned.stop();
    await listening.close();
    throw error;
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`;
  const leading: { lead: (term: Term) => () => void | Promise<void> }[] = [
    monitoring,
    packages,
    inbox,
    delivery,
    intake,
  ];
  // Nodes are polled at their provisioned addresses from the first poll.
  const led = await whileLeading(
    provisioned.afterStart,
    (term) => {
      const stops = leading.map((area) => area.lead({ term, url })).reverse();
      return Promise.resolve(async () => {
        for (const stop of stops) {
          await stop();
        }
      });
    },
    log
  );

  return {
    url,
    compatPorts,
    async close() {
      await packages.compat?.close();
      inbox.close();
      delivery.close();
      monitoring.close();
      await led.stop();
      await inbox.retention.close();
      await provisioned.stop();
      // Before requests in progress end: another replica leads meanwhile.
      await core.replica.close();
      await listening.close();
      await access.close();
      await core.close();
    },
  };
}

function routesOf(
  areas: Areas,
  { db, writes, reads, state, replica, now, log }: Core,
  config: Config
): RequestListener {
  const { inbox, access, delivery, intake, monitoring, packages, provisioning, metrics, limit } = areas;
  const status = createStatus({
    version: VERSION,
    auth: config.auth,
    webhookSecret: config.webhookSecret !== undefined,
    failure: () => state.failure,
    database: engineOf(db).name,
    replica: () => replica.status(),
    pages: () => inbox.stream.clients,
    lastReceivedAt: () => inbox.store.newestAt(),
    lastBackup: () => lastBackup(db),
    now,
  });
  return createApp({
    ...config,
    guard: access.guard,
    limit,
    via: inbox.via,
    inbox: inbox.inbox,
    compat: packages.compat?.routes,
    log,
    handlers: {
      ...inbox.handlers,
      ...delivery.handlers,
      ...intake.handlers,
      ...monitoring.handlers,
      ...packages.handlers,
      ...tokenHandlers(access.senders, intake.heartbeats),
      ...adminTokenHandlers({ token: access.adminToken, record: createRecorder(writes, now), now }),
      ...auditHandlers(reads),
      ...statusHandlers({ version: VERSION, state, metrics, provisioning: () => provisioning.status(), status }),
      ...documentHandlers(VERSION),
    },
  });
}
