/** Creates thresholds, the monitors that they are applied to, and the nodes that the bridge polls itself. */
import type { Logger } from 'pino';
import { type ChainsDeps, createChains } from './chains/service.ts';
import { type ChainStore, createChainStore } from './chains/store.ts';
import { keepSynced } from './chains/writes.ts';
import type { EventStream } from './events/stream.ts';
import { type AlertOwnership, createAlertOwnership } from './monitors/alertOwnership.ts';
import { createPrometheusClient } from './monitors/prometheus/client.ts';
import { createHistory } from './monitors/prometheus/history.ts';
import { createMonitors, createReconciler } from './monitors/reconciler.ts';
import type { MonitorSettings } from './monitors/settings.ts';
import type { Receive } from './notifications/receive.ts';
import type { Registry } from './packages/service.ts';
import type { ProvisioningService } from './provisioning/service.ts';
import type { Store } from './storage/store.ts';
import { createSettingsExchange } from './thresholds/exchange.ts';
import { createThresholds } from './thresholds/service.ts';
import type { ShippedPackage } from './thresholds/shipped.ts';
import type { SettingsStore } from './thresholds/store.ts';
import { reportSettings } from './thresholds/writes.ts';

interface MonitoringDeps extends Pick<Store, 'db' | 'writes'>, Pick<ChainsDeps, 'domain' | 'outboundTo' | 'overrides'> {
  monitors: MonitorSettings;
  webhookSecret: string | undefined;
  settings: SettingsStore;
  registry: Registry;
  problems: ProvisioningService['mistakes'];
  receive: Receive;
  stream: EventStream;
  log: Logger;
  /** UTC milliseconds. */
  now: () => number;
}

export function openMonitoring(deps: MonitoringDeps) {
  const { db, writes, log, now, monitors, webhookSecret, settings, registry } = deps;
  const { prometheusUrl, prometheusToken, chainAlerts } = monitors;
  const prometheus = prometheusUrl === undefined ? undefined : createPrometheusClient(prometheusUrl, prometheusToken);
  /** Monitors are configured with it, so nothing is written before the bridge listens. */
  let listensAt = '';
  const packages = () => shippedPackages(registry);
  const history = createHistory({ prometheus, now });
  const thresholds = createThresholds({
    store: settings,
    writes,
    packages,
    reconciler: () => reconciler,
    hasHistory: (endpoint) => history.has(endpoint),
    problems: deps.problems,
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
  const chains = openChains(deps, chainStore, ownership);
  const sync = (): void => {
    if (listensAt !== '') {
      reconciler.trigger();
    }
    void chains.sync();
  };
  writes.onEvents((events) => events.some(({ type }) => type === 'settings' || type === 'packages') && sync());
  return {
    history,
    thresholds,
    exchange: createSettingsExchange({ store: settings, writes, packages, now }),
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

const openChains = (deps: MonitoringDeps, store: ChainStore, { isOwnedByRule }: AlertOwnership) =>
  createChains({
    ...store,
    reportedElsewhere: isOwnedByRule,
    overrides: deps.overrides,
    domain: deps.domain,
    outboundTo: deps.outboundTo,
    receive: deps.receive,
    keepSynced: (dnpName) => deps.writes.submit(keepSynced, dnpName),
    publish: (event) => deps.stream.tell('chain', event),
    listening: () => deps.stream.clients > 0,
    now: deps.now,
    log: deps.log,
  });

async function shippedPackages(registry: Pick<Registry, 'cachedPackages'>): Promise<ShippedPackage[]> {
  return (await registry.cachedPackages()).map(({ header, extract }) => ({
    dnpName: header.dnp_name,
    version: header.version,
    ...(extract.card.icon !== undefined && { icon: extract.card.icon }),
    ...(header.origin_file !== null && { file: header.origin_file }),
    endpoints: extract.shipped,
  }));
}
