/** Puts the bridge together from its settings, starts it, and ends it. Tests start it here as well. */
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
import { createChainOverrides, rulesFor } from './chains/address.ts';
import { CONNECTION_IDLE_MS, RESPONSE_LIMIT, RESPONSE_TIMEOUT_MS } from './chains/request.ts';
import { createChains } from './chains/service.ts';
import { createChainStore } from './chains/store.ts';
import type { Config } from './config.ts';
import { type CompatPorts, createCompat } from './dappnode/compat.ts';
import { createJournalReader } from './events/journal.ts';
import { createEventStream } from './events/stream.ts';
import { dashboardCards } from './dashboards/dashboards.ts';
import { readAddressRules } from './http/addresses.ts';
import { createAdmission } from './http/admitPerson.ts';
import { createGuard } from './http/auth.ts';
import { createGrafanaIdCheck } from './http/grafanaId.ts';
import { grafanaKeys } from './http/grafanaKeys.ts';
import { createOutbound } from './http/outbound.ts';
import { rateLimit } from './http/rateLimit.ts';
import { listen } from './http/server.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createAlertOwnership } from './monitors/alertOwnership.ts';
import { createIcons } from './icons/service.ts';
import { createEventRows } from './notifications/eventRows.ts';
import { createInbox } from './notifications/inbox.ts';
import { createNameLimits } from './notifications/names.ts';
import { createNotificationStore } from './notifications/store.ts';
import { FETCH_LIMIT, FETCH_TIMEOUT } from './packages/routes.ts';
import { createRegistry } from './packages/service.ts';
import type { CachedPackage } from './packages/cache.ts';
import { createPackageStore } from './packages/store.ts';
import { createPrometheusClient } from './monitors/prometheus/client.ts';
import { createHistory } from './monitors/prometheus/history.ts';
import { createProvisioning } from './provisioning/service.ts';
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
import { createSettingsStore } from './thresholds/store.ts';
import type { ShippedPackage } from './thresholds/shipped.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { WRITES } from './writes.ts';
import { provision } from './provisioning/writes.ts';
import { reportSettings } from './thresholds/writes.ts';
import { keepSynced } from './chains/writes.ts';

const PURGE_MS = 10_000;

export interface Bridge {
  /** Where it listens. */
  url: string;
  /** The further ports in place of DAppNode's notifier. */
  compatPorts: CompatPorts | undefined;
  /** Lets requests under way finish, closes the database. */
  close(): Promise<void>;
}

export const VERSION = (JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')) as { version: string })
  .version;

/** The process that it runs in. */
export interface Host {
  pid?: number;
  /** The bridge cannot go on: the process must end, so that its supervisor starts it again. */
  onFatal?: (cause: Error) => void;
  /** Milliseconds of a clock that nobody sets; default: the process's own. */
  elapsed?: () => number;
}

/**
 * @param now the system's clock, UTC milliseconds
 * @throws when the database or the address cannot be had, or another bridge uses the data folder
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
  const textIndex = createTextIndexer(db, writes);
  const store = createNotificationStore(db, now, textIndex);
  const stream = createEventStream({
    journal: createJournalReader(db),
    rows: createEventRows(db, now),
    onError: (error) => log.error({ err: error }, 'events could not be sent'),
  });
  writes.onEvents((events) => stream.publish(events));
  const metrics = createMetrics({
    writes,
    state,
    stream,
    store,
    db,
    chains: () => chains.nodes(),
    onRead: () => ownership.metricsScraped(),
    now,
  });
  const inner = createInbox(writes, store, now, steady, createNameLimits(db));
  const inbox: typeof inner = {
    ...inner,
    async receive(incoming) {
      const received = await inner.receive(incoming);
      textIndex.arrived(incoming.length);
      received.forEach(({ outcome }, index) => {
        metrics.received(incoming[index]?.source ?? 'api', outcome);
        metrics.ignored(outcome === 'stored' ? (incoming[index]?.ignored ?? []) : []);
      });
      return received;
    },
  };
  const readers = createReaders({
    readState: config.readState ?? 'each',
    writes,
    find: (key) => findReader(db, key),
    now: steady,
  });
  const senders = await createSenders(createTokenStore(db), writes, now, steady);
  const token = adminToken(config.dataDir, config.adminToken);
  const grafanaUrl = config.monitors?.grafana?.url;
  const admitPerson = createAdmission({
    checkId:
      grafanaUrl === undefined ? undefined : createGrafanaIdCheck({ fetchKeys: grafanaKeys(grafanaUrl), now, log }),
    requireId: config.requireGrafanaId ?? false,
  });
  const guard = createGuard({ mode: config.auth, adminToken: token, senders, admitPerson });
  const settingsStore = createSettingsStore(db);
  const registry = createRegistry({
    store: createPackageStore(db),
    settings: settingsStore,
    writes,
    validate: validatePackage,
    dashboardsOf: dashboardCards,
    nodeVersion: config.nodeVersion,
    now,
  });
  const backups = createBackups({ find: (dnpName) => registry.find(dnpName), dataDir: config.dataDir, now, log });
  await backups.recover(await registry.filesDirs());
  const outbound = createOutbound({
    allow: readAddressRules(config.outboundAllow),
    timeoutMs: FETCH_TIMEOUT,
    maxBytes: FETCH_LIMIT,
  });
  const icons = createIcons({
    outbound: createOutbound({
      allow: readAddressRules(config.outboundAllow),
      timeoutMs: LIMITS.iconFetchTime.value,
      maxBytes: LIMITS.iconBytes.value,
    }),
    log,
  });
  const overrides = createChainOverrides(() => void chains.sync());
  const provisioning = createProvisioning({
    dir: config.provisioning?.dir,
    env: config.provisioning?.env ?? {},
    registry,
    categories: () => store.categories(),
    senders,
    chains: overrides,
    adminHash: hashToken(token),
    store: (change) => writes.submit(provision, change),
    now,
    log,
  });
  const shippedPackages = async () => (await registry.cachedPackages()).map(shippedPackage);
  const monitorSettings = config.monitors ?? {};
  const { prometheusUrl, prometheusToken } = monitorSettings;
  const prometheus = prometheusUrl === undefined ? undefined : createPrometheusClient(prometheusUrl, prometheusToken);
  const history = createHistory({ prometheus, now });
  const thresholds = createThresholds({
    store: settingsStore,
    writes,
    packages: shippedPackages,
    reconciler: () => reconciler,
    hasHistory: (endpoint) => history.has(endpoint),
    problems: () => provisioning.mistakes(),
    now,
  });
  let listensAt = '';
  const chainStore = createChainStore(db, registry, settingsStore);
  const ownership = createAlertOwnership({
    isEnabled: monitorSettings.chainAlerts !== undefined,
    openAlerts: () => chainStore.openAlerts(),
    now,
  });
  const reconciler = createReconciler({
    monitors: createMonitors({
      settings: monitorSettings,
      listensAt: () => listensAt,
      webhookSecret: config.webhookSecret,
      prometheus,
      ownership,
    }),
    isOwnedByRule: ownership.isOwnedByRule,
    endpoints: () => thresholds.monitored(),
    onChange: ({ monitor, state, reason }) => {
      log.info({ monitor, state, reason }, reason === undefined ? 'monitor synced' : 'monitor not synced');
      void writes.submit(reportSettings, null).catch(() => undefined);
    },
    now,
  });
  writes.onEvents((events) => {
    // Monitors need the address of the bridge, which is known once it listens.
    if (listensAt !== '' && events.some(({ type }) => type === 'settings' || type === 'packages')) {
      reconciler.trigger();
    }
  });
  const chains = createChains({
    ...chainStore,
    reportedElsewhere: ownership.isOwnedByRule,
    overrides: () => overrides.all(),
    domain: config.nodeDomain,
    outboundTo: (address) =>
      createOutbound({
        allow: readAddressRules([...config.outboundAllow, ...rulesFor(address, config.nodeDomain)]),
        timeoutMs: RESPONSE_TIMEOUT_MS,
        maxBytes: RESPONSE_LIMIT,
        idleMs: CONNECTION_IDLE_MS,
      }),
    receive: inbox.receive,
    keepSynced: (dnpName) => writes.submit(keepSynced, dnpName),
    publish: (event) => stream.tell('chain', event),
    listening: () => stream.clients > 0,
    now,
    log,
  });
  writes.onEvents((events) => {
    if (events.some(({ type }) => type === 'settings' || type === 'packages')) {
      void chains.sync();
    }
  });

  const limit = rateLimit(config.rateLimit);
  const { host, allowedHosts } = config;
  const compat = createCompat(config.compat, { db, inbox, store, limit, host, allowedHosts, registry, log });
  const app = createApp({
    version: VERSION,
    allowedHosts: config.allowedHosts,
    guard,
    limit,
    inbox,
    store,
    readers,
    registry,
    backups,
    chains,
    thresholds,
    history,
    settings: createSettingsExchange({ store: settingsStore, writes, packages: shippedPackages, now }),
    outbound,
    icons,
    stream,
    metrics,
    metricsOpen: config.metricsOpen,
    webhooks: webhookRoutes({ receive: inbox.receive, webhookSecret: config.webhookSecret, now, log }),
    tokens: tokenRoutes(senders),
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
  // Before anybody asks, so that nobody sees less than what is provisioned.
  const watching = config.provisioning && (await watchFiles(() => provisioning.reload()));
  const listening = await listen(app, { host: config.host, port: config.port });
  const compatPorts = await compat.start();
  void thresholds
    .keepShippedOff()
    .catch((error: unknown) => log.error({ err: error }, 'what is shipped switched off was not kept'));
  listensAt = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listening.port}`;
  reconciler.trigger();
  void chains.sync();
  const purging = setInterval(() => void inbox.purge().catch(() => undefined), PURGE_MS);
  purging.unref();
  const keepTokens = () => Promise.all([senders.keepUse(), senders.removeRevoked()]);
  const keeping = setInterval(() => void keepTokens().catch(() => undefined), KEEP_USE_EVERY_MS);
  keeping.unref();

  return {
    url: listensAt,
    compatPorts,
    async close() {
      await compat.close();
      clearInterval(purging);
      clearInterval(keeping);
      textIndex.close();
      await chains.close();
      stream.close();
      await watching?.close();
      await reconciler.close();
      await listening.close();
      // What the store cannot take must not keep the database from being closed.
      await senders
        .keepUse()
        .catch((error: unknown) => log.error({ err: error }, 'when tokens were used last was not kept'));
      await opened.close();
    },
  };
}

function shippedPackage({ header, extract }: CachedPackage): ShippedPackage {
  const { icon } = extract.card;
  return {
    dnpName: header.dnp_name,
    version: header.version,
    ...(icon !== undefined && { icon }),
    ...(header.origin_file !== null && { file: header.origin_file }),
    endpoints: extract.shipped,
  };
}
