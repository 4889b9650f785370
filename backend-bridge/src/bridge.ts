/** Creates the rooms of the bridge from its settings, starts them, and closes them. Tests start it here as well. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { findPackageJSON } from 'node:module';
import type { Logger } from 'pino';
import { LIMITS } from '../contract/limits.ts';
import { validatePackage } from './validation/package/validatePackage.ts';
import { createApp } from './app.ts';
import { openAccess } from './platform/access/access.ts';
import type { NameOwners } from './platform/access/nameOwners.ts';
import { adminTokenHandlers, tokenHandlers } from './platform/access/routes.ts';
import { KEEP_USE_EVERY_MS } from './platform/access/service.ts';
import { createRecorder } from './platform/audit/record.ts';
import { auditHandlers } from './platform/audit/routes.ts';
import { backupHandlers } from './packages/volumes/routes.ts';
import { createBackups } from './packages/volumes/service.ts';
import { categoryHandlers } from './inbox/categories/routes.ts';
import { openVault } from './platform/access/vault.ts';
import { channelHandlers } from './delivery/channels/routes.ts';
import { createRouting, type Routing } from './delivery/channels/routing.ts';
import { Channels } from './delivery/channels/service.ts';
import { createSameBridgeAlert } from './delivery/channels/sameBridge.ts';
import { createOutboxStore } from './delivery/channels/store.ts';
import { createChainOverrides, nodeOutbound } from './monitoring/chains/address.ts';
import { chainHandlers } from './monitoring/chains/routes.ts';
import type { Config } from './config.ts';
import { type CompatPorts, createCompat } from './packages/dappnode/compat.ts';
import { createJournalReader } from './platform/events/journal.ts';
import { createEventStream } from './inbox/events/stream.ts';
import { dashboardCards } from './packages/dashboards/dashboards.ts';
import { dashboardHandlers } from './packages/dashboards/routes.ts';
import { eventHandlers } from './inbox/events/routes.ts';
import { readAddressRules } from './platform/http/addresses.ts';
import { documentHandlers } from './platform/http/openapi.ts';
import { createOutbound, type Outbound } from './platform/http/outbound.ts';
import { rateLimit } from './platform/http/rateLimit.ts';
import { ReadGate } from './platform/http/readGate.ts';
import { listen } from './platform/http/server.ts';
import { viaGuard } from './platform/http/via.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { openMonitoring } from './monitoring/openMonitoring.ts';
import { iconHandlers } from './packages/icons/routes.ts';
import { createIcons } from './packages/icons/service.ts';
import { createEventRows } from './inbox/notifications/eventRows.ts';
import { heartbeatHandlers } from './intake/heartbeats/routes.ts';
import { createHeartbeats } from './intake/heartbeats/service.ts';
import { batchHandlers } from './inbox/notifications/batch.ts';
import { createInbox } from './inbox/notifications/inbox.ts';
import { createNameLimits } from './inbox/notifications/names.ts';
import type { Receive } from './inbox/notifications/receive.ts';
import { isFiring } from './inbox/notifications/ownAlerts.ts';
import { notificationHandlers } from './inbox/notifications/routes.ts';
import { createNotificationStore } from './inbox/notifications/store.ts';
import { FETCH_LIMIT, FETCH_TIMEOUT, packageHandlers } from './packages/registry/routes.ts';
import { createRegistry, shippedPackages } from './packages/registry/service.ts';
import { createPackageStore } from './packages/registry/store.ts';
import { createProvisioning, type ProvisioningDeps, type ProvisioningReport } from './provisioning/service.ts';
import { watchFiles } from './provisioning/watch.ts';
import { pushHandlers } from './delivery/push/routes.ts';
import { createPush } from './delivery/push/service.ts';
import { createPushStore } from './delivery/push/store.ts';
import { repeat } from './platform/runtime/repeat.ts';
import { whileLeading } from './platform/replicas/leadership.ts';
import { aloneOn, openReplica, type Replica } from './platform/replicas/replica.ts';
import type { SharedWriter } from './platform/replicas/sharedState.ts';
import { catchUp, startReport } from './inbox/report/roller.ts';
import { reportHandlers } from './inbox/report/routes.ts';
import { openRetention } from './inbox/retention/openRetention.ts';
import { retentionHandlers } from './inbox/retention/routes.ts';
import { statusHandlers } from './platform/status/routes.ts';
import { createStatus } from './platform/status/status.ts';
import { respondHandlers } from './inbox/respond/routes.ts';
import { createResponding } from './inbox/respond/service.ts';
import { peopleOf } from './inbox/responses/store.ts';
import { silenceHandlers } from './monitoring/silences/routes.ts';
import { createSilencing } from './monitoring/silences/service.ts';
import { createPeople } from './inbox/readers/people.ts';
import { createReaders, type ReadState } from './inbox/readers/service.ts';
import { findReader } from './inbox/readers/unread.ts';
import { engineOf } from './platform/storage/engine.ts';
import { readBridgeId } from './platform/storage/bridgeId.ts';
import { createSteadyClock } from './platform/storage/steadyClock.ts';
import { openStore, type Store } from './platform/store.ts';
import { createTextIndexer } from './platform/storage/textIndex.ts';
import { thresholdHandlers } from './monitoring/thresholds/routes.ts';
import { createSettingsStore } from './monitoring/thresholds/store.ts';
import { lastBackup } from './platform/backup/record.ts';
import { webhookHandlers } from './intake/webhooks/routes.ts';
import { provision } from './provisioning/writes.ts';
import { READS } from './reads.ts';
import { WRITES } from './writes.ts';

/** Interval of looking for snoozes that end. Milliseconds. */
const WAKE_MS = 1000;
const PURGE_MS = 10_000;
/** Entry of what the provisioning files have led to, for other replicas. */
const FILES = 'files';

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
    return await serve(await openRooms(core, config), core, config);
  } catch (error) {
    await replica?.close();
    await opened.close();
    throw error;
  }
}

/** Listens, and starts what needs the address. */
async function serve(rooms: Rooms, core: Core, config: Config): Promise<Bridge> {
  const { inbox, access, provisioning, monitoring, compat, retention, channels, responding, push } = rooms;
  const { heartbeats } = rooms;
  const { host, port } = config;
  const { log } = core;
  const { leadership } = core.replica;
  // Before the first request, so that no response lacks what is provisioned.
  const stopProvisioning = await whileLeading(leadership, (term) => provisioning.start(term), log);
  const listening = await listen(routesOf(rooms, core, config), { host, port });
  const compatPorts = await compat.start().catch(async (error: unknown) => {
    await stopProvisioning();
    await listening.close();
    throw error;
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`;
  const stopLeading = await whileLeading(
    leadership,
    (term) => {
      const stopMonitoring = monitoring.start(url, term);
      const stopPurging = repeat('purge deleted notifications', PURGE_MS, () => inbox.purge(), log);
      const stopWaking = repeat('end snoozes', WAKE_MS, () => responding.wake(), log);
      const stopPackages = compat.lead();
      const stopRetention = retention.lead(term);
      const stopReport = startReport(core);
      const stopChannels = channels.start();
      const stopPush = push.start();
      const stopHeartbeats = heartbeats.start();
      return Promise.resolve(async () => {
        stopPurging();
        stopWaking();
        await stopHeartbeats();
        await stopChannels();
        await stopPush();
        await stopReport();
        await stopRetention();
        await stopPackages();
        await stopMonitoring();
      });
    },
    log
  );

  return {
    url,
    compatPorts,
    async close() {
      await compat.close();
      inbox.close();
      inbox.stream.close();
      monitoring.close();
      await stopLeading();
      await retention.close();
      await stopProvisioning();
      // Before requests in progress end: another replica leads meanwhile.
      await core.replica.close();
      await listening.close();
      await access.close();
      await core.close();
    },
  };
}

/** Dependencies common to all areas. */
interface Core extends Store {
  log: Logger;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The clock by which ages are measured, UTC milliseconds. */
  steady: () => number;
  replica: Replica;
  gate: ReadGate;
  /** contract/via.ts. */
  id: string;
}

type Rooms = Awaited<ReturnType<typeof openRooms>>;

async function openRooms(core: Core, config: Config) {
  const { db, writes, state, now, log, gate } = core;
  const outbox = createOutboxStore(db);
  const devices = createPushStore(db);
  const routing = await createRouting(outbox, () => devices.places());
  const inbox = openInbox(
    core,
    routing,
    (incoming, received) => metrics.received(incoming, received),
    () => access.senders.owners()
  );
  const { store, stream, receive } = inbox;
  const { readState = 'each' } = config;
  const readers = openReaders(core, readState);
  const responding = createResponding(db, writes, now);
  const access = await openAccess(core, config);
  const { settings, registry, backups } = await openPackages(core, config.dataDir, config.nodeVersion);
  const retention = openRetention(core, config.dataDir);
  const network = { allow: config.outboundAllow, now };
  const { feed } = core.replica;
  const push = createPush({ ...core, store: devices, outbox, routing, feed, readState, network });
  const channels = new Channels({
    ...core,
    store: outbox,
    bridge: core.id,
    routing,
    feed,
    receive,
    leads: () => core.replica.leadership.term() !== undefined,
    vault: openVault(config),
    push,
    network,
  });
  const heartbeats = createHeartbeats({
    ...core,
    tokens: () => access.senders.list(),
    receive,
    leads: () => core.replica.leadership.term() !== undefined,
    lagMs: core.replica.isAlone ? 0 : 2 * KEEP_USE_EVERY_MS,
  });
  const overrides = createChainOverrides(() => monitoring.syncNodes());
  const provisioning = openProvisioning(core, config, {
    registry,
    categories: () => store.categories(),
    senders: access.senders,
    chains: overrides,
    channels,
    heartbeats,
    retentionFile: () => retention.provisionedBy(),
    isAdminHash: access.adminToken.hasHash,
  });
  const monitoring = openMonitoring({
    ...core,
    monitors: config.monitors ?? {},
    webhookSecret: config.webhookSecret,
    outboundTo: nodeOutbound(config.outboundAllow, config.nodeDomain),
    domain: config.nodeDomain,
    settings,
    packages: () => shippedPackages(registry),
    registry,
    overrides: () => overrides.all(),
    problems: () => provisioning.mistakes(),
    receive,
    stream,
  });
  const metrics = createMetrics({
    writes,
    state,
    stream,
    store,
    db,
    retention: retention.figures,
    channels,
    heartbeats,
    leads: () => core.replica.leadership.term() !== undefined,
    chains: () => monitoring.nodes(),
    onRead: () => monitoring.metricsScraped(),
    now,
  });
  const limit = rateLimit(config.rateLimit);
  const compat = createCompat(config.compat, {
    reads: core.reads,
    inbox,
    store,
    limit,
    gate,
    host: config.host,
    registry,
    log,
  });
  return {
    inbox,
    readers,
    responding,
    access,
    registry,
    backups,
    provisioning,
    monitoring,
    metrics,
    limit,
    compat,
    retention,
    channels,
    heartbeats,
    push,
  };
}

function routesOf(
  rooms: Rooms,
  { db, writes, reads, state, replica, gate, id, now, steady, log }: Core,
  config: Config
): RequestListener {
  const { inbox, readers, access, registry, backups, provisioning, monitoring, metrics, limit, compat } = rooms;
  const { retention, channels, responding, push, heartbeats } = rooms;
  const { store, stream } = inbox;
  const { webhookSecret } = config;
  const { chains, history, thresholds, exchange } = monitoring;
  const receive: Receive = (incoming) => inbox.receive(incoming);
  const record = createRecorder(writes, now);
  const outbound = (timeoutMs: number, maxBytes: number): Outbound =>
    createOutbound({ allow: readAddressRules(config.outboundAllow), timeoutMs, maxBytes });
  const icons = createIcons({ outbound: outbound(LIMITS.iconFetchTime.value, LIMITS.iconBytes.value), log });
  const silencing = createSilencing({
    grafana: config.monitors?.grafana,
    exists: async (id) => (await store.byIds([id])).length > 0,
    writes,
    now,
  });
  const via = viaGuard(id);
  const status = createStatus({
    version: VERSION,
    auth: config.auth,
    webhookSecret: webhookSecret !== undefined,
    failure: () => state.failure,
    database: engineOf(db).name,
    replica: () => replica.status(),
    pages: () => stream.clients,
    lastReceivedAt: () => store.newestAt(),
    lastBackup: () => lastBackup(db),
    now,
  });
  return createApp({
    ...config,
    guard: access.guard,
    limit,
    via,
    inbox,
    compat: compat.routes,
    log,
    handlers: {
      ...notificationHandlers({ inbox, via, store, reads, readers }),
      ...batchHandlers({
        receive,
        bridge: id,
        onSameBridge: createSameBridgeAlert({ isFiring: (one) => isFiring(db, one), receive, steady, log }),
      }),
      ...heartbeatHandlers,
      ...webhookHandlers({ receive, webhookSecret, via, now, log }),
      ...respondHandlers({ responding, reads, readers, people: (prefix) => peopleOf(db, prefix), now }),
      ...silenceHandlers({ silencing, now }),
      ...eventHandlers({ stream, readers, gate }),
      ...categoryHandlers({ writes, store, reads, readers, now }),
      ...reportHandlers({
        reads,
        catchUp: () =>
          // Without new arrivals, while the store cannot be written.
          catchUp({ db, writes }).catch((error: unknown) => log.warn({ err: error }, 'the report is not up to date')),
        now,
      }),
      ...packageHandlers({ registry, thresholds, outbound: outbound(FETCH_TIMEOUT, FETCH_LIMIT) }),
      ...iconHandlers({ store, registry, icons }),
      ...dashboardHandlers(registry),
      ...backupHandlers(backups, record),
      ...thresholdHandlers(thresholds, exchange, history),
      ...chainHandlers(chains, history),
      ...channelHandlers(channels),
      ...pushHandlers(push),
      ...retentionHandlers(retention),
      ...tokenHandlers(access.senders, heartbeats),
      ...adminTokenHandlers({ token: access.adminToken, record, now }),
      ...auditHandlers(reads),
      ...statusHandlers({ version: VERSION, state, metrics, provisioning: () => provisioning.status(), status }),
      ...documentHandlers(VERSION),
    },
  });
}

type Provisioned = Pick<
  ProvisioningDeps,
  'registry' | 'categories' | 'senders' | 'chains' | 'channels' | 'heartbeats' | 'retentionFile' | 'isAdminHash'
>;

function openProvisioning({ writes, log, now, replica }: Core, { provisioning }: Config, rooms: Provisioned) {
  const reader = replica.reader<ProvisioningReport>('provisioning');
  let leading: { shared: SharedWriter | undefined } | undefined;
  const service = createProvisioning({
    ...rooms,
    dir: provisioning?.dir,
    env: provisioning?.env ?? {},
    store: (change) => writes.submit(provision, change),
    share(report) {
      leading?.shared?.set(FILES, report);
      void leading?.shared?.flush();
    },
    followed: async () => (leading ? undefined : (await reader?.read())?.get(FILES)),
    now,
    log,
  });
  return {
    ...service,
    /** Applies the files and watches them, until the function that it returns is called. */
    async start(term: number) {
      leading = { shared: replica.writer('provisioning', term) };
      service.restart();
      const watching = await (provisioning ? watchFiles(() => service.reload()) : service.reload());
      return async () => {
        leading = undefined;
        await ('close' in watching ? watching.close() : undefined);
      };
    },
  };
}

function openInbox(
  { db, writes, replica, log, now, steady }: Core,
  routing: Routing,
  onReceived: Metrics['received'],
  owners: () => NameOwners
) {
  const textIndex = createTextIndexer(db, writes);
  const store = createNotificationStore(db, now, textIndex);
  const stream = createEventStream({
    journal: createJournalReader(db),
    rows: createEventRows(db, now),
    onError: (error) => log.error({ err: error }, 'could not send events'),
  });
  replica.feed.onEvents((events, isComplete) => (isComplete ? stream.publish(events) : stream.reset()));
  const inbox = createInbox(writes, store, now, steady, createNameLimits(db, owners), routing);
  const receive: Receive = async (incoming) => {
    const received = await inbox.receive(incoming);
    textIndex.arrived(incoming.length);
    received.forEach((one, index) => onReceived(incoming[index]!, one));
    return received;
  };
  return { ...inbox, receive, store, stream, close: () => textIndex.close() };
}

const openReaders = ({ db, writes, steady }: Core, readState: ReadState) =>
  createReaders({
    readState,
    writes,
    find: (key) => findReader(db, key),
    now: steady,
    meet: createPeople(writes, steady),
  });

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
