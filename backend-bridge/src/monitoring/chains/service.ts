/** Monitors the nodes: polls each, keeps its state in memory, and passes changes to events, alerts and the database. */
import type { Chains } from '../../../contract/chain.ts';
import type { ChainDriver } from '../../../contract/chainEndpoints.ts';
import { isoTime } from '../../../contract/text.ts';
import type { Outbound } from '../../platform/http/outbound.ts';
import { Reread } from '../../platform/runtime/reread.ts';
import type { ChainOverride, RpcEnvironment } from './address.ts';
import type { Query, RpcState } from './drivers/driver.ts';
import { queryNode } from './drivers/index.ts';
import { Notifier, type NotifierDeps } from './notifier.ts';
import { createPoller } from './poller.ts';
import { type ChangeFeedDeps, createChangeFeed, nodeName, present } from './present.ts';
import type { Reading } from './drivers/reading.ts';
import { createQuery, type NodeAddress } from './request.ts';
import { type ChainPackage, type ChainSource, sourceOf } from './sources.ts';
import { newNodeState, type NodeState } from './nodeState.ts';
import { type Conditions, step } from './state.ts';
import { type ChainStore, createSyncedNodes, type SyncedNodesDeps } from './store.ts';

export interface ChainLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ChainsDeps
  extends ChainStore, Omit<NotifierDeps, 'log'>, Pick<SyncedNodesDeps, 'keepSynced'>, ChangeFeedDeps {
  /** Configured by the operator; read on each sync. */
  overrides: () => ReadonlyMap<string, ChainOverride>;
  /** Whether `overrides` has all of them. */
  hasOverrides: () => boolean;
  domain: string | undefined;
  /** Allows connections to this address only. */
  outboundTo: (address: NodeAddress) => Outbound;
  random?: () => number;
  log: ChainLog;
}

interface MonitoredNode {
  source: ChainSource;
  nodeState: NodeState;
  rpc: RpcState;
  /** When version and network were last queried, by the bridge's own clock. */
  identityAt: number | undefined;
}

const IDENTITY_MS = 10 * 60_000;

export type ChainService = ReturnType<typeof createChains>;

export function createChains(deps: ChainsDeps) {
  const { now, log } = deps;
  const notifier = new Notifier(deps);
  const synced = createSyncedNodes(deps);
  const monitored = createMonitoredNodes(deps, notifier, synced);
  const environmentOf = createEnvironments((dnpName) => deps.environment(dnpName));
  let closed = false;

  const sync = async (): Promise<void> => {
    const [packages, thresholdOf] = await Promise.all([deps.packages(), deps.thresholds()]);
    await notifier.load();
    await synced.load();
    const overrides = deps.overrides();
    for (const pkg of packages) {
      const environment = await environmentOf(pkg);
      if (closed) {
        return;
      }
      monitored.apply(sourceOf(pkg, { domain: deps.domain, overrides, thresholdOf, environment }));
    }
    const names = new Set(packages.map(({ dnpName }) => dnpName));
    for (const removed of monitored.all().filter(({ source }) => !names.has(source.pkg.dnpName))) {
      await monitored.remove(removed);
    }
    if (deps.hasOverrides()) {
      const polled = monitored.all().filter(({ source }) => source.address !== undefined);
      await notifier.removeOthers(new Set(polled.map(({ source }) => source.pkg.dnpName)));
    }
  };

  const nodes = new Reread('sync the monitored nodes', sync, log);
  return {
    /** Reloads packages, settings and the operator's configuration. Never rejects: errors are logged, and it is tried again. */
    sync: (): Promise<void> => nodes.now().catch(() => undefined),
    snapshot: (): Chains => ({
      now: isoTime(now()),
      nodes: monitored
        .all()
        .sort((a, b) => (a.source.pkg.dnpName < b.source.pkg.dnpName ? -1 : 1))
        .map(({ source, nodeState }) => present(source, nodeState)),
    }),
    nodes: (): Iterable<{ source: ChainSource; nodeState: NodeState }> => monitored.all(),
    /** Resolves once no request is in flight. */
    async close(): Promise<void> {
      closed = true;
      nodes.stop();
      await monitored.close();
    },
  };
}

/** Where the state of a node goes after each poll. */
interface Outputs {
  deps: ChainsDeps;
  notifier: Notifier;
  synced: ReturnType<typeof createSyncedNodes>;
  changes: ReturnType<typeof createChangeFeed>;
}

/** The nodes with their states; those with an address are polled. */
function createMonitoredNodes(deps: ChainsDeps, notifier: Outputs['notifier'], synced: Outputs['synced']) {
  const monitored = new Map<string, MonitoredNode>();
  const poller = createPoller(deps.random);
  const changes = createChangeFeed(deps, (name) => {
    const node = monitored.get(name);
    return node && present(node.source, node.nodeState);
  });
  const outputs: Outputs = { deps, notifier, synced, changes };

  const start = (source: ChainSource): void => {
    const { address, intervalMs } = source;
    const name = source.pkg.dnpName;
    const nodeState = synced.restore(source, initialState(source, deps));
    const node: MonitoredNode = { source, nodeState, rpc: {}, identityAt: undefined };
    monitored.set(name, node);
    changes.add(name);
    poller.remove(name);
    if (address !== undefined) {
      const outbound = deps.outboundTo(address);
      const onFailure = pollFailed(deps.log, name);
      const pollOnce = (signal: AbortSignal): Promise<number> =>
        pollNode(node, createQuery(outbound, address, signal), signal, outputs).catch(onFailure);
      poller.add({ name, intervalMs, poll: pollOnce });
    }
  };

  return {
    all: () => [...monitored.values()],
    apply(source: ChainSource) {
      const known = monitored.get(source.pkg.dnpName);
      if (known?.source.identity !== source.identity) {
        start(source);
      } else if (JSON.stringify(known.source) !== JSON.stringify(source)) {
        known.source = source;
        changes.add(source.pkg.dnpName);
      }
    },
    async remove({ source, nodeState }: MonitoredNode) {
      const { dnpName } = source.pkg;
      monitored.delete(dnpName);
      poller.remove(dnpName);
      changes.add(dnpName);
      synced.remove(dnpName);
      await notifier.remove(source, nodeState);
    },
    close() {
      changes.close();
      return poller.close();
    },
  };
}

/** @returns failures in a row; 0: success */
async function pollNode(node: MonitoredNode, query: Query, signal: AbortSignal, outputs: Outputs): Promise<number> {
  const { deps, notifier, synced, changes } = outputs;
  const before = node.nodeState;
  const reading = await readNode(node, query, deps);
  if (signal.aborted) {
    return 0;
  }
  const { limits, intervalMs, pkg } = node.source;
  node.nodeState = step(before, reading, { ...clocksOf(deps), limits, intervalMs });
  logChange(deps.log, node.source, before, node.nodeState);
  changes.add(pkg.dnpName);
  await notifier.update(node.source, node.nodeState);
  await synced.record(node.source, node.nodeState);
  return node.nodeState.failing?.count ?? 0;
}

/** An unhandled rejection would end the bridge. @returns one failure */
const pollFailed = (log: ChainLog, name: string) => (error: unknown) => {
  log.error({ err: error, package: name }, 'could not process the poll of a node');
  return 1;
};

/** Queries version and network as well if they are unknown, old, or may have changed. */
async function readNode(node: MonitoredNode, query: Query, { steady, log }: ChainsDeps): Promise<Reading> {
  const { nodeState, source, identityAt } = node;
  const queriedAt = steady();
  const identity = identityAt === undefined || nodeState.failing !== undefined || queriedAt - identityAt >= IDENTITY_MS;
  const context = { query, identity, rpc: node.rpc };
  const reading = await queryNode(source.driver as ChainDriver, context, nodeState.identity, log);
  if (identity && reading.kind === 'figures') {
    node.identityAt = queriedAt;
  }
  return reading;
}

/** Reads compose files only for the drivers that need them, and once per revision of the package. */
function createEnvironments(read: ChainsDeps['environment']): (pkg: ChainPackage) => Promise<RpcEnvironment> {
  const cache = new Map<string, { revision: string; environment: RpcEnvironment }>();
  return async ({ dnpName, chain, revision }) => {
    if (chain.driver !== 'bitcoin') {
      cache.delete(dnpName);
      return {};
    }
    const cached = cache.get(dnpName);
    const environment = cached?.revision === revision ? cached.environment : await read(dnpName);
    cache.set(dnpName, { revision, environment });
    return environment;
  };
}

function clocksOf({ now, steady }: ChainsDeps): Pick<Conditions, 'now' | 'ahead'> {
  const at = steady();
  return { now: at, ahead: now() - at };
}

function initialState({ driver, obstacle }: ChainSource, deps: ChainsDeps): NodeState {
  const { now, ahead } = clocksOf(deps);
  const initial = newNodeState(now, ahead);
  return obstacle === undefined
    ? initial
    : { ...initial, state: driver === undefined ? 'unsupported' : 'unconfigured', sentence: obstacle };
}

/** One line per change of state. */
function logChange(log: ChainLog, source: ChainSource, before: NodeState, after: NodeState): void {
  const { state, cause, sentence } = after;
  if (before.state !== state || before.cause !== cause) {
    const isBad = state !== 'synced' && state !== 'syncing' && state !== 'starting';
    const fields = { package: source.pkg.dnpName, state, ...(cause !== undefined && { cause }), before: before.state };
    log[isBad ? 'warn' : 'info'](fields, `${nodeName(source, after)}: ${sentence}`);
  }
}
