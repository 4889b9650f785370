/** Creates the rooms of the bridge from its settings, starts them, and closes them. Tests start it here as well. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import type { Logger } from 'pino';
import { LIMITS } from '../contract/limits.ts';
import { validatePackage } from './validation/validatePackage.ts';
import { createApp } from './app.ts';
import { adminToken } from './access/adminToken.ts';
import { tokenRoutes } from './access/routes.ts';
import { createSenders, KEEP_USE_EVERY_MS } from './access/service.ts';
import { createTokenStore } from './access/store.ts';
import { hashToken } from './access/token.ts';
import { createBackups } from './backups/service.ts';
import { createChainOverrides, nodeOutbound } from './chains/address.ts';
import { type ChainsDeps, createChains } from './chains/service.ts';
import { createChainStore } from './chains/store.ts';
import type { Config } from './config.ts';
import { type CompatPorts, createCompat } from './dappnode/compat.ts';
import { createJournalReader } from './events/journal.ts';
import { createEventStream, type EventStream } from './events/stream.ts';
import { dashboardCards } from './dashboards/dashboards.ts';
import { readAddressRules } from './http/addresses.ts';
import { createAdmission } from './http/admitPerson.ts';
import { createGuard } from './http/auth.ts';
import { createGrafanaIdCheck } from './http/grafanaId.ts';
import { createOutbound, type Outbound } from './http/outbound.ts';
import { rateLimit } from './http/rateLimit.ts';
import { listen } from './http/server.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createAlertOwnership } from './monitors/alertOwnership.ts';
import type { MonitorSettings } from './monitors/settings.ts';
import { createIcons } from './icons/service.ts';
import { createEventRows } from './notifications/eventRows.ts';
import { createInbox } from './notifications/inbox.ts';
import { createNameLimits } from './notifications/names.ts';
import type { Receive } from './notifications/receive.ts';
import { createNotificationStore } from './notifications/store.ts';
import { FETCH_LIMIT, FETCH_TIMEOUT } from './packages/routes.ts';
import { createRegistry, type Registry } from './packages/service.ts';
import { createPackageStore } from './packages/store.ts';
import { createPrometheusClient } from './monitors/prometheus/client.ts';
import { createHistory } from './monitors/prometheus/history.ts';
import { createProvisioning, type ProvisioningService } from './provisioning/service.ts';
import { watchFiles } from './provisioning/watch.ts';
import { createStatus } from './status/status.ts';
import { createReaders } from './readers/service.ts';
import { findReader } from './readers/unread.ts';
import { createSteadyClock } from './storage/steadyClock.ts';
import { openStore, type Store } from './storage/store.ts';
import { createTextIndexer } from './storage/textIndex.ts';
import { createMonitors, createReconciler } from './monitors/reconciler.ts';
import { createSettingsExchange } from './thresholds/exchange.ts';
import { createThresholds } from './thresholds/service.ts';
import { createSettingsStore, type SettingsStore } from './thresholds/store.ts';
import type { ShippedPackage } from './thresholds/shipped.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { keepSynced } from './chains/writes.ts';
import { provision } from './provisioning/writes.ts';
import { reportSettings } from './thresholds/writes.ts';
import { WRITES } from './writes.ts';

const PURGE_MS = 10_000;

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
    writes: WRITES,
    pid: host.pid,
    now,
    log,
    onLost: host.onFatal ?? (() => undefined),
  });
  try {
    return await assemble(config, log, now, opened, host.elapsed);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function assemble(
  config: Config,
  log: Logger,
  now: () => number,
  opened: Store,
  elapsed: Host['elapsed']
): Promise<Bridge> {
  const { db, writes, state } = opened;
  const steady = await createSteadyClock(db, now, elapsed);
  const core: Core = { db, writes, log, now, steady };
  const fetching = (timeoutMs: number, maxBytes: number): Outbound =>
    createOutbound({ allow: readAddressRules(config.outboundAllow), timeoutMs, maxBytes });

  const inbox = openInbox(core, (incoming, outcome) => metrics.received(incoming, outcome));
  const { store, stream } = inbox;
  const readers = openReaders(core, config.readState);
  const access = await openAccess(core, config);
  const { settings, registry, backups } = await openPackages(core, config.dataDir, config.nodeVersion);
  const overrides = createChainOverrides(() => void monitoring.chains.sync());
  const provisioning = createProvisioning({
    dir: config.provisioning?.dir,
    env: config.provisioning?.env ?? {},
    registry,
    categories: () => store.categories(),
    senders: access.senders,
    chains: overrides,
    adminHash: access.adminHash,
    store: (change) => writes.submit(provision, change),
    now,
    log,
  });
  const monitoring = openMonitoring(core, {
    monitors: config.monitors ?? {},
    webhookSecret: config.webhookSecret,
    outboundTo: nodeOutbound(config.outboundAllow, config.nodeDomain),
    domain: config.nodeDomain,
    settings,
    registry,
    overrides: () => overrides.all(),
    problems: () => provisioning.mistakes(),
    receive: inbox.receive,
    stream,
  });
  const metrics = createMetrics({
    writes,
    state,
    stream,
    store,
    db,
    chains: () => monitoring.chains.nodes(),
    onRead: () => monitoring.metricsScraped(),
    now,
  });

  const limit = rateLimit(config.rateLimit);
  const { host, allowedHosts } = config;
  const compat = createCompat(config.compat, { db, inbox, store, limit, host, allowedHosts, registry, log });
  const app = createApp({
    version: VERSION,
    allowedHosts,
    guard: access.guard,
    limit,
    inbox,
    store,
    readers,
    registry,
    backups,
    chains: monitoring.chains,
    thresholds: monitoring.thresholds,
    history: monitoring.history,
    settings: createSettingsExchange({ store: settings, writes, packages: () => shippedPackages(registry), now }),
    outbound: fetching(FETCH_TIMEOUT, FETCH_LIMIT),
    icons: createIcons({ outbound: fetching(LIMITS.iconFetchTime.value, LIMITS.iconBytes.value), log }),
    stream,
    metrics,
    metricsOpen: config.metricsOpen,
    webhooks: webhookRoutes({ receive: inbox.receive, webhookSecret: config.webhookSecret, now, log }),
    tokens: tokenRoutes(access.senders),
    compat: compat.routes,
    provisioning: () => provisioning.status(),
    storeState: state,
    status: createStatus({
      version: VERSION,
      auth: config.auth,
      webhookSecret: config.webhookSecret !== undefined,
      failure: () => state.failure,
      pages: () => stream.clients,
      lastReceivedAt: () => store.newestAt(),
      now,
    }),
    log,
  });
  // Before the first request, so that no response lacks what is provisioned.
  const watching = config.provisioning && (await watchFiles(() => provisioning.reload()));
  const listening = await listen(app, { host, port: config.port });
  const compatPorts = await compat.start();
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`;
  monitoring.start(url);

  return {
    url,
    compatPorts,
    async close() {
      await compat.close();
      inbox.close();
      await monitoring.chains.close();
      stream.close();
      await watching?.close();
      await monitoring.close();
      await listening.close();
      await access.close();
      await opened.close();
    },
  };
}

/** What all rooms use. */
interface Core extends Pick<Store, 'db' | 'writes'> {
  log: Logger;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The clock by which ages are measured, UTC milliseconds. */
  steady: () => number;
}

function openInbox({ db, writes, log, now, steady }: Core, onReceived: Metrics['received']) {
  const textIndex = createTextIndexer(db, writes);
  const store = createNotificationStore(db, now, textIndex);
  const stream = createEventStream({
    journal: createJournalReader(db),
    rows: createEventRows(db, now),
    onError: (error) => log.error({ err: error }, 'could not send events'),
  });
  writes.onEvents((events) => stream.publish(events));
  const inbox = createInbox(writes, store, now, steady, createNameLimits(db));
  const receive: Receive = async (incoming) => {
    const received = await inbox.receive(incoming);
    textIndex.arrived(incoming.length);
    received.forEach(({ outcome }, index) => onReceived(incoming[index]!, outcome));
    return received;
  };
  const stopPurging = repeat(PURGE_MS, () => inbox.purge());
  return {
    ...inbox,
    receive,
    store,
    stream,
    close() {
      stopPurging();
      textIndex.close();
    },
  };
}

const openReaders = ({ db, writes, steady }: Core, readState: Config['readState'] = 'each') =>
  createReaders({ readState, writes, find: (key) => findReader(db, key), now: steady });

async function openAccess(
  { db, writes, log, now, steady }: Core,
  config: Pick<Config, 'auth' | 'adminToken' | 'dataDir' | 'monitors' | 'requireGrafanaId'>
) {
  const senders = await createSenders(createTokenStore(db), writes, now, steady);
  const token = adminToken(config.dataDir, config.adminToken);
  const grafanaUrl = config.monitors?.grafana?.url;
  const admitPerson = createAdmission({
    checkId: grafanaUrl === undefined ? undefined : createGrafanaIdCheck({ grafanaUrl, now, log }),
    requireId: config.requireGrafanaId ?? false,
  });
  const stopStoring = repeat(KEEP_USE_EVERY_MS, () => Promise.all([senders.keepUse(), senders.removeRevoked()]));
  return {
    senders,
    adminHash: hashToken(token),
    guard: createGuard({ mode: config.auth, adminToken: token, senders, admitPerson }),
    async close() {
      stopStoring();
      // A failed write must not keep the database from being closed.
      await senders
        .keepUse()
        .catch((error: unknown) => log.error({ err: error }, 'could not store when tokens were last used'));
    },
  };
}

async function openPackages({ db, writes, log, now }: Core, dataDir: string, nodeVersion: string | undefined) {
  const settings = createSettingsStore(db);
  const registry = createRegistry({
    store: createPackageStore(db),
    settings,
    writes,
    validate: validatePackage,
    dashboardsOf: dashboardCards,
    nodeVersion,
    now,
  });
  const backups = createBackups({ find: (dnpName) => registry.find(dnpName), dataDir, now, log });
  await backups.recover(await registry.filesDirs());
  return { settings, registry, backups };
}

interface MonitoringDeps extends Pick<ChainsDeps, 'domain' | 'outboundTo' | 'overrides'> {
  monitors: MonitorSettings;
  webhookSecret: string | undefined;
  settings: SettingsStore;
  registry: Registry;
  problems: ProvisioningService['mistakes'];
  receive: Receive;
  stream: EventStream;
}

/** Thresholds, the monitors that they are written to, and the nodes that the bridge polls by itself. */
function openMonitoring({ db, writes, log, now }: Core, deps: MonitoringDeps) {
  const { monitors, webhookSecret, settings, registry, problems, receive, stream } = deps;
  const { prometheusUrl, prometheusToken, chainAlerts } = monitors;
  const prometheus = prometheusUrl === undefined ? undefined : createPrometheusClient(prometheusUrl, prometheusToken);
  /** Monitors are configured with it, so nothing is written before the bridge listens. */
  let listensAt = '';
  const history = createHistory({ prometheus, now });
  const thresholds = createThresholds({
    store: settings,
    writes,
    packages: () => shippedPackages(registry),
    reconciler: () => reconciler,
    hasHistory: (endpoint) => history.has(endpoint),
    problems,
    now,
  });
  const chainStore = createChainStore(db, registry, settings);
  const ownership = createAlertOwnership({
    isEnabled: chainAlerts !== undefined,
    openAlerts: () => chainStore.openAlerts(),
    now,
  });
  const reconciler = createReconciler({
    monitors: createMonitors({ settings: monitors, listensAt: () => listensAt, webhookSecret, prometheus, ownership }),
    isOwnedByRule: ownership.isOwnedByRule,
    endpoints: () => thresholds.monitored(),
    onChange: ({ monitor, state, reason }) => {
      log.info({ monitor, state, reason }, reason === undefined ? 'monitor synced' : 'monitor not synced');
      void writes.submit(reportSettings, null).catch(() => undefined);
    },
    now,
  });
  const chains = createChains({
    ...chainStore,
    reportedElsewhere: ownership.isOwnedByRule,
    overrides: deps.overrides,
    domain: deps.domain,
    outboundTo: deps.outboundTo,
    receive,
    keepSynced: (dnpName) => writes.submit(keepSynced, dnpName),
    publish: (event) => stream.tell('chain', event),
    listening: () => stream.clients > 0,
    now,
    log,
  });
  const sync = (): void => {
    if (listensAt !== '') {
      reconciler.trigger();
    }
    void chains.sync();
  };
  writes.onEvents((events) => {
    if (events.some(({ type }) => type === 'settings' || type === 'packages')) {
      sync();
    }
  });
  return {
    history,
    thresholds,
    chains,
    metricsScraped: ownership.metricsScraped,
    /** @param url where the bridge listens */
    start(url: string) {
      listensAt = url;
      void thresholds
        .keepShippedOff()
        .catch((error: unknown) => log.error({ err: error }, 'could not store which endpoints are off by default'));
      sync();
    },
    close: () => reconciler.close(),
  };
}

/** Runs work at an interval; errors are ignored, since the next run tries again. @returns stops it */
function repeat(everyMs: number, work: () => Promise<unknown>): () => void {
  const timer = setInterval(() => void work().catch(() => undefined), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function shippedPackages(registry: Pick<Registry, 'cachedPackages'>): Promise<ShippedPackage[]> {
  return (await registry.cachedPackages()).map(({ header, extract }) => ({
    dnpName: header.dnp_name,
    version: header.version,
    ...(extract.card.icon !== undefined && { icon: extract.card.icon }),
    ...(header.origin_file !== null && { file: header.origin_file }),
    endpoints: extract.shipped,
  }));
}
