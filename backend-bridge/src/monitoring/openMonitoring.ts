/**
 * Creates thresholds, the monitors that they are applied to, and the nodes that the bridge polls itself. Of several replicas one polls and
 * configures; the others show what it shares.
 */
import { createChainOverrides, nodeOutbound } from './chains/address.ts';
import { chainHandlers } from './chains/routes.ts';
import { openNodes } from './chains/openNodes.ts';
import { createChainStore, type NodePackages } from './chains/store.ts';
import type { EventStream } from '../inbox/events/stream.ts';
import { type AlertOwnership, createAlertOwnership } from './monitors/alertOwnership.ts';
import { createPrometheusClient, type PrometheusClient } from './monitors/prometheus/client.ts';
import { createHistory } from './monitors/prometheus/history.ts';
import { createMonitors } from './createMonitors.ts';
import type { MonitoredEndpoint } from './monitors/monitor.ts';
import { createReconciler, type MonitorReport } from './monitors/reconciler.ts';
import type { MonitorSettings } from './monitors/settings.ts';
import { MINUTE_MS } from '../../contract/time.ts';
import { repeat } from '../platform/runtime/repeat.ts';
import type { AlertmanagerService } from '../intake/alertmanager/service.ts';
import type { Receive } from '../inbox/notifications/receive.ts';
import type { Area, Core } from '../platform/core/area.ts';
import { sendToOwn } from './silences/own.ts';
import type { Gone } from '../inbox/autoResolve/writes.ts';
import { createRecorder } from '../platform/audit/record.ts';
import { silenceHandlers } from './silences/routes.ts';
import type { SuppressionService } from '../delivery/suppression/service.ts';
import { reportEnding } from './silences/ending.ts';
import { Silencing } from './silences/service.ts';
import { createSettingsExchange } from './thresholds/exchange.ts';
import { thresholdHandlers } from './thresholds/routes.ts';
import { createThresholds, type ThresholdsDeps } from './thresholds/service.ts';
import type { ShippedPackage } from './thresholds/shipped.ts';
import type { SettingsStore } from './thresholds/store.ts';
import { gatusState } from './vanished/gatus.ts';
import { type AlertState, alertmanagerState, Vanished } from './vanished/service.ts';
import { reportSettings } from './thresholds/writes.ts';

interface MonitoringDeps extends Core {
  monitors: MonitorSettings;
  /** Allowed destinations beyond the public internet. */
  allow: readonly string[];
  /** Domain of the container names in the node's network; undefined: the bridge is in no such network. */
  domain: string | undefined;
  /** Whether a notification is stored. */
  exists: (id: number) => Promise<boolean>;
  webhookSecret: string | undefined;
  settings: SettingsStore;
  /** The shipped endpoints of the registered packages. */
  packages: () => Promise<ShippedPackage[]>;
  registry: NodePackages;
  problems: ThresholdsDeps['problems'];
  /** Whether all provisioning files have been applied. */
  isProvisioned: () => boolean;
  receive: Receive;
  /** Resolves threads. */
  resolve: (gone: readonly Gone[]) => Promise<void>;
  stream: EventStream;
  alertmanager: AlertmanagerService;
  suppression: Pick<SuppressionService, 'list' | 'silenced'>;
}

/** Entry of the endpoints whose alerts a rule sends, beside those of the monitors. */
const OWNED = 'owned';

export function openMonitoring(deps: MonitoringDeps) {
  const { writes, now, monitors, settings, packages, replica } = deps;
  const { prometheusUrl, prometheusToken } = monitors;
  const prometheus = prometheusUrl === undefined ? undefined : createPrometheusClient(prometheusUrl, prometheusToken);
  const history = createHistory({ prometheus, now, steady: deps.steady });
  const chainStore = createChainStore(deps.db, deps.registry, settings);
  const ownership = createAlertOwnership({
    isEnabled: monitors.chainAlerts !== undefined,
    openAlerts: () => chainStore.openAlerts(),
    now: deps.steady,
  });
  const overrides = createChainOverrides(() => nodes.sync());
  const nodes = openNodes({
    ...deps,
    store: chainStore,
    overrides: () => overrides.all(),
    hasOverrides: deps.isProvisioned,
    outboundTo: nodeOutbound(deps.allow, deps.domain),
    reportedElsewhere: (dnpName, correlationId) => ownership.isOwnedByRule(dnpName, correlationId),
  });
  const synced = openMonitors(deps, { prometheus, ownership, endpoints: () => thresholds.monitored(), nodes });
  const thresholds = createThresholds({
    store: settings,
    writes,
    packages,
    reconciler: () => synced.followed(),
    hasHistory: (endpoint) => history.has(endpoint),
    problems: deps.problems,
    now,
  });
  const sync = (): void => {
    synced.sync();
    nodes.sync();
  };
  onSettings(replica, sync);
  const silences = openSilences(deps, () => thresholds.monitored());
  return {
    thresholds,
    overrides,
    forMetrics: { chains: nodes.nodes, onRead: ownership.metricsScraped },
    handlers: {
      ...thresholdHandlers(thresholds, createSettingsExchange({ store: settings, writes, packages, now }), history),
      ...chainHandlers(nodes, history),
      ...silenceHandlers({ silencing: silences.silencing, now }),
    },
    /** Polls nodes and configures monitors. */
    lead({ term, url }) {
      ownership.restart();
      const stops = [nodes.lead(term), synced.lead(term, url), silences.lead()];
      void thresholds
        .keepShippedOff()
        .catch((error: unknown) =>
          deps.log.error({ err: error }, 'could not store which endpoints are off by default')
        );
      sync();
      return () => Promise.all(stops.map((stop) => stop())).then(() => undefined);
    },
    close: () => nodes.close(),
  } satisfies Area<object> & Record<string, unknown>;
}

/** Silences, and what is read from their Alertmanagers. */
function openSilences(deps: MonitoringDeps, monitored: () => Promise<MonitoredEndpoint[]>) {
  const { monitors, alertmanager, suppression, exists, writes, log, now } = deps;
  const silencing = new Silencing({
    grafana: monitors.grafana,
    own: sendToOwn(alertmanager, now),
    silenced: () => suppression.silenced(),
    exists,
    writes,
    record: createRecorder(writes, now),
    now,
  });
  const { gatusUrl } = monitors;
  const states: AlertState[] = [
    alertmanagerState(() => silencing.firing()),
    ...(gatusUrl === undefined ? [] : [gatusState(gatusUrl, monitored)]),
  ];
  const vanished = states.map((state) => new Vanished({ ...deps, state }));
  const report = () => reportEnding({ ...deps, silencing });
  return {
    silencing,
    lead() {
      const stops = [
        ...vanished.map((one) => one.lead()),
        repeat('check silences that end soon', MINUTE_MS, report, log),
      ];
      return () => Promise.resolve(stops.forEach((stop) => stop()));
    },
  };
}

/** Calls `sync` when settings or packages have changed. */
function onSettings({ feed }: Core['replica'], sync: () => void): void {
  feed.onEvents((events, isComplete) => {
    if (!isComplete || events.some(({ type }) => type === 'settings' || type === 'packages')) {
      sync();
    }
  });
}

interface MonitorsDeps {
  prometheus: PrometheusClient | undefined;
  ownership: AlertOwnership;
  endpoints: () => Promise<MonitoredEndpoint[]>;
  nodes: Pick<ReturnType<typeof openNodes>, 'snapshot'>;
}

/** The monitors that the leading replica configures; the others show its results. */
function openMonitors(
  { monitors, webhookSecret, replica, writes, log, now }: MonitoringDeps,
  { prometheus, ownership, endpoints, nodes }: MonitorsDeps
) {
  /** Monitors are configured with it, so nothing is written before the bridge listens. */
  let listensAt = '';
  /** Undefined: this replica follows. `share` is undefined if there are no others. */
  let leading: { share: (report: boolean) => Promise<void> | undefined } | undefined;
  const shared = replica.reader<MonitorReport | string[]>('monitors');
  let obstacles: ReadonlyMap<string, string> = new Map();
  const reconciler = createReconciler({
    monitors: createMonitors({ settings: monitors, listensAt: () => listensAt, webhookSecret, prometheus, ownership }),
    isOwnedByRule: (dnpName, correlationId) => ownership.isOwnedByRule(dnpName, correlationId),
    obstacleOf: (dnpName) => obstacles.get(dnpName),
    endpoints,
    onSync: () => void leading?.share(false),
    onChange: ({ monitor, state, reason }) => {
      log.info({ monitor, state, reason }, reason === undefined ? 'monitor synced' : 'monitor not synced');
      void (leading?.share(true) ?? writes.submit(reportSettings, null).catch(() => undefined));
    },
    log,
    now,
  });
  return {
    sync() {
      if (leading) {
        reconciler.trigger();
      }
    },
    /** With the results of the leader. */
    async followed() {
      const unpolled = (await nodes.snapshot()).nodes.filter(({ state }) => state === 'unconfigured');
      obstacles = new Map(unpolled.map(({ dnpName, sentence }) => [dnpName, sentence]));
      const entries = leading ? undefined : await shared?.read();
      // It may have begun to lead meanwhile.
      if (entries && !leading) {
        const owned = entries.get(OWNED);
        ownership.adopt(Array.isArray(owned) ? owned : []);
        reconciler.adopt(new Map([...entries].flatMap(([name, one]) => (Array.isArray(one) ? [] : [[name, one]]))));
      }
      return reconciler;
    },
    lead(term: number, url: string) {
      listensAt = url;
      const writer = replica.writer('monitors', term);
      leading = {
        share(report) {
          reconciler.reports().forEach((one, name) => writer?.set(name, one));
          writer?.set(OWNED, ownership.owned());
          return writer?.flush(report);
        },
      };
      return async () => {
        leading = undefined;
        await reconciler.stop();
      };
    },
  };
}
