/**
 * Creates thresholds, the monitors that they are applied to, and the nodes that the bridge polls itself. Of several replicas one polls and
 * configures; the others show what it shares.
 */
import type { Logger } from 'pino';
import type { ChainNode } from '../../contract/chain.ts';
import { isoTime } from '../../contract/text.ts';
import { createChangeFeed } from './chains/present.ts';
import { type ChainsDeps, createChains } from './chains/service.ts';
import { type ChainStore, createChainStore, type NodePackages } from './chains/store.ts';
import { keepSynced } from './chains/writes.ts';
import type { EventStream } from '../inbox/events/stream.ts';
import { type AlertOwnership, createAlertOwnership } from './monitors/alertOwnership.ts';
import { createPrometheusClient } from './monitors/prometheus/client.ts';
import { createHistory } from './monitors/prometheus/history.ts';
import { createMonitors } from './createMonitors.ts';
import { createReconciler, type MonitorReport } from './monitors/reconciler.ts';
import type { MonitorSettings } from './monitors/settings.ts';
import type { Receive } from '../inbox/notifications/receive.ts';
import { repeat } from '../platform/runtime/repeat.ts';
import type { Replica } from '../platform/replicas/replica.ts';
import type { SharedReader } from '../platform/replicas/sharedState.ts';
import type { Store } from '../platform/store.ts';
import { createSettingsExchange } from './thresholds/exchange.ts';
import { createThresholds, type ThresholdsDeps } from './thresholds/service.ts';
import type { ShippedPackage } from './thresholds/shipped.ts';
import type { SettingsStore } from './thresholds/store.ts';
import { reportSettings } from './thresholds/writes.ts';

interface MonitoringDeps extends Pick<Store, 'db' | 'writes'>, Pick<ChainsDeps, 'domain' | 'outboundTo' | 'overrides'> {
  monitors: MonitorSettings;
  webhookSecret: string | undefined;
  settings: SettingsStore;
  /** The shipped endpoints of the registered packages. */
  packages: () => Promise<ShippedPackage[]>;
  registry: NodePackages;
  problems: ThresholdsDeps['problems'];
  receive: Receive;
  stream: EventStream;
  replica: Replica;
  log: Logger;
  /** UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock. */
  steady: () => number;
}

/** Interval of a follower's checks for changed nodes while a client is connected. Milliseconds. */
const FOLLOW_MS = 1000;
/** Entry of the endpoints whose alerts a rule sends, beside those of the monitors. */
const OWNED = 'owned';

export function openMonitoring(deps: MonitoringDeps) {
  const { db, writes, log, now, monitors, webhookSecret, settings, packages, registry, replica } = deps;
  const { prometheusUrl, prometheusToken, chainAlerts } = monitors;
  const prometheus = prometheusUrl === undefined ? undefined : createPrometheusClient(prometheusUrl, prometheusToken);
  /** Monitors are configured with it, so nothing is written before the bridge listens. */
  let listensAt = '';
  /** While this replica leads. */
  let leading: ReturnType<typeof lead> | undefined;
  const history = createHistory({ prometheus, now });
  const sharedNodes = replica.reader<ChainNode>('chains');
  const sharedMonitors = replica.reader<MonitorReport | string[]>('monitors');
  const followed = async () => {
    const entries = leading ? undefined : await sharedMonitors?.read();
    // It may have begun to lead meanwhile.
    if (entries && !leading) {
      const owned = entries.get(OWNED);
      ownership.adopt(Array.isArray(owned) ? owned : []);
      reconciler.adopt(new Map([...entries].flatMap(([name, one]) => (Array.isArray(one) ? [] : [[name, one]]))));
    }
    return reconciler;
  };
  const thresholds = createThresholds({
    store: settings,
    writes,
    packages,
    reconciler: followed,
    hasHistory: (endpoint) => history.has(endpoint),
    problems: deps.problems,
    now,
  });
  const chainStore = createChainStore(db, registry, settings);
  const ownership = createAlertOwnership({
    isEnabled: chainAlerts !== undefined,
    openAlerts: () => chainStore.openAlerts(),
    now: deps.steady,
  });
  const reconciler = createReconciler({
    monitors: createMonitors({ settings: monitors, listensAt: () => listensAt, webhookSecret, prometheus, ownership }),
    isOwnedByRule: ownership.isOwnedByRule,
    endpoints: () => thresholds.monitored(),
    onSync: () => void leading?.share(false),
    onChange: ({ monitor, state, reason }) => {
      log.info({ monitor, state, reason }, reason === undefined ? 'monitor synced' : 'monitor not synced');
      void (leading?.share(true) ?? writes.submit(reportSettings, null).catch(() => undefined));
    },
    now,
  });

  const lead = (term: number) => {
    const shared = replica.writer('monitors', term);
    ownership.restart();
    return {
      chains: openChains(deps, chainStore, ownership, term),
      /** Undefined: there are no other replicas. */
      share: (report: boolean): Promise<void> | undefined => {
        reconciler.reports().forEach((one, name) => shared?.set(name, one));
        shared?.set(OWNED, ownership.owned());
        return shared?.flush(report);
      },
    };
  };
  const sync = (): void => {
    if (leading) {
      reconciler.trigger();
      void leading.chains.sync();
    }
  };
  const snapshot = async () => {
    const nodes = leading ? undefined : await sharedNodes?.read();
    return leading?.chains.snapshot() ?? { now: isoTime(now()), nodes: [...(nodes?.values() ?? [])] };
  };
  const following = sharedNodes && followNodes(deps, sharedNodes, () => leading === undefined);
  replica.feed.onEvents((events, isComplete) => {
    if (!isComplete || events.some(({ type }) => type === 'settings' || type === 'packages')) {
      sync();
    }
  });
  return {
    history,
    thresholds,
    exchange: createSettingsExchange({ store: settings, writes, packages, now }),
    chains: { snapshot },
    /** The nodes that this replica polls. */
    nodes: () => leading?.chains.nodes() ?? [],
    syncNodes: () => void leading?.chains.sync(),
    metricsScraped: ownership.metricsScraped,
    /**
     * Polls nodes and configures monitors, until the function that it returns is called.
     * @param url where the bridge listens
     */
    start(url: string, term: number) {
      listensAt = url;
      const begun = (leading = lead(term));
      void thresholds
        .keepShippedOff()
        .catch((error: unknown) => log.error({ err: error }, 'could not store which endpoints are off by default'));
      sync();
      return async () => {
        leading = undefined;
        await begun.chains.close();
        await reconciler.stop();
      };
    },
    close: () => following?.(),
  };
}

const openChains = (
  deps: MonitoringDeps,
  store: ChainStore,
  { isOwnedByRule }: AlertOwnership,
  term: number
): ReturnType<typeof createChains> => {
  const shared = deps.replica.writer('chains', term);
  return createChains({
    ...store,
    reportedElsewhere: isOwnedByRule,
    overrides: deps.overrides,
    domain: deps.domain,
    outboundTo: deps.outboundTo,
    async receive(incoming) {
      if (deps.replica.leadership.term() !== term) {
        throw new Error('This replica no longer leads: the one that does sends the alerts of nodes.');
      }
      return deps.receive(incoming);
    },
    keepSynced: (dnpName) => deps.writes.submit(keepSynced, dnpName),
    publish: (event) => deps.stream.tell('chain', event),
    listening: () => deps.stream.clients > 0,
    share:
      shared &&
      ((changed) => {
        changed.forEach(([dnpName, node]) => shared.set(dnpName, node));
        void shared.flush();
      }),
    now: deps.now,
    log: deps.log,
  });
};

/** Sends the changes of nodes that another replica polls to the clients of this one. @returns stops it */
function followNodes(
  { stream, now, log }: MonitoringDeps,
  shared: SharedReader<ChainNode>,
  isFollowing: () => boolean
): () => void {
  let known: ReadonlyMap<string, ChainNode> = new Map();
  const listening = () => stream.clients > 0 && isFollowing();
  const changes = createChangeFeed({ publish: (event) => stream.tell('chain', event), listening, now }, (dnpName) =>
    known.get(dnpName)
  );
  const follow = async (): Promise<void> => {
    if (!listening()) {
      return;
    }
    const before = known;
    known = await shared.read();
    for (const name of new Set([...before.keys(), ...known.keys()])) {
      if (known.get(name) !== before.get(name)) {
        changes.add(name);
      }
    }
  };
  const stop = repeat('read the nodes that the leader polls', FOLLOW_MS, follow, log);
  return () => {
    stop();
    changes.close();
  };
}
