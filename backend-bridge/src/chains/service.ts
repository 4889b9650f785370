/** Watches the nodes: which there are, what each says, how it stands, and whom to tell. Everything is kept in memory, by node. */
import type { ChainDriver, ChainEvent, Chains } from '../../contract/chain.ts';
import type { Incoming } from '../notifications/receive.ts';
import type { ChainOverride } from './address.ts';
import { type Ask, createAsk, type NodeAddress } from './ask.ts';
import { askNode } from './askNode.ts';
import { oneAtATime } from './inTurn.ts';
import { createNews } from './news.ts';
import { createNotifier, type OpenNotice } from './notifier.ts';
import { createPoller } from './poller.ts';
import { nodeName, present } from './present.ts';
import type { Outbound } from '../http/outbound.ts';
import type { ThresholdOf } from './limits.ts';
import type { RpcEnvironment } from './environment.ts';
import { type ChainPackage, type ChainSource, sourceOf } from './sources.ts';
import { newMemory, type NodeMemory, step } from './state.ts';
import { createSynced } from './synced.ts';
import type { Reading } from './reading.ts';
import type { RpcMemory } from './rpc.ts';

export interface ChainLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ChainsDeps {
  /** Registered packages that name a chain, by name. */
  packages: () => Promise<ChainPackage[]>;
  /** What the compose file of a package says; asked once for each revision. */
  environment: (dnpName: string) => Promise<RpcEnvironment>;
  /** What admins have set, read anew. */
  thresholds: () => Promise<ThresholdOf>;
  /** Of the operator; read at each sync. */
  overrides: () => ReadonlyMap<string, ChainOverride>;
  domain: string | undefined;
  /** A way to this address and to no other. */
  outboundTo: (address: NodeAddress) => Outbound;
  receive: (incoming: Incoming[]) => Promise<unknown>;
  /** Threads of nodes that are open. */
  openNotices: () => Promise<OpenNotice[]>;
  /** Whether a rule in a monitor tells of it, so that the bridge does not. Default: none does. */
  toldElsewhere?: ((dnpName: string, correlationId: string) => boolean) | undefined;
  /** Packages whose nodes have been in sync. */
  everSynced: () => Promise<string[]>;
  /** Adds one to them. */
  keepSynced: (dnpName: string) => Promise<unknown>;
  /** Tells whoever listens. */
  tell: (event: ChainEvent) => void;
  listening: () => boolean;
  /** UTC milliseconds. */
  now: () => number;
  random?: () => number;
  log: ChainLog;
}

export interface ChainService {
  /** Looks at the packages, the settings and the operator's files again. Never rejects; what fails is logged. */
  sync(): Promise<void>;
  snapshot(): Chains;
  nodes(): Iterable<{ source: ChainSource; memory: NodeMemory }>;
  /** Nothing is asked any more when this is fulfilled. */
  close(): Promise<void>;
}

interface Watched {
  source: ChainSource;
  memory: NodeMemory;
  rpc: RpcMemory;
  /** When it was last asked for what hardly changes. */
  identityAt: number | undefined;
}

const IDENTITY_MS = 10 * 60_000;

export function createChains(deps: ChainsDeps): ChainService {
  const { now, log } = deps;
  const watched = new Map<string, Watched>();
  const poller = createPoller(deps.random);
  const notifier = createNotifier(deps);
  const synced = createSynced(deps);
  const environmentOf = createEnvironments(deps.environment);
  const news = createNews(deps, (name) => {
    const node = watched.get(name);
    return node && present(node.source, node.memory);
  });
  let closed = false;

  const watch = (source: ChainSource): void => {
    const { dnpName: name } = source.pkg;
    const memory = synced.recall(name, firstMemory(source, now()));
    const node: Watched = { source, memory, rpc: {}, identityAt: undefined };
    const { address, intervalMs } = source;
    watched.set(name, node);
    news.of(name);
    poller.remove(name);
    if (address !== undefined) {
      const outbound = deps.outboundTo(address);
      const asked = async (signal: AbortSignal): Promise<number> => {
        const before = node.memory;
        const reading = await question(node, createAsk(outbound, address, signal), deps);
        if (signal.aborted) {
          return 0;
        }
        node.memory = step(before, reading, { now: now(), limits: node.source.limits, intervalMs });
        tellLog(log, node.source, before, node.memory);
        news.of(name);
        await notifier.look(node.source, node.memory);
        await synced.look(name, node.memory);
        return node.memory.failures;
      };
      // Nobody is there to hear a rejection: it would end the bridge.
      const ask = (signal: AbortSignal): Promise<number> =>
        asked(signal).catch((error: unknown) => {
          log.error({ err: error, package: name }, 'what became of a question to a node could not be kept');
          return 1;
        });
      poller.add({ name, intervalMs, ask });
    }
  };

  const forget = async ({ source, memory }: Watched): Promise<void> => {
    const { dnpName } = source.pkg;
    watched.delete(dnpName);
    poller.remove(dnpName);
    news.of(dnpName);
    synced.forget(dnpName);
    await notifier.forget(source, memory);
  };

  const take = (source: ChainSource): void => {
    const known = watched.get(source.pkg.dnpName);
    if (known?.source.identity !== source.identity) {
      watch(source);
    } else if (JSON.stringify(known.source) !== JSON.stringify(source)) {
      known.source = source;
      news.of(source.pkg.dnpName);
    }
  };

  const sync = async (): Promise<void> => {
    const [packages, thresholdOf] = await Promise.all([deps.packages(), deps.thresholds()]);
    await notifier.learn();
    await synced.learn();
    const overrides = deps.overrides();
    for (const pkg of packages) {
      const environment = await environmentOf(pkg);
      if (closed) {
        return;
      }
      take(sourceOf(pkg, { domain: deps.domain, overrides, thresholdOf, environment }));
    }
    const names = new Set(packages.map(({ dnpName }) => dnpName));
    for (const gone of [...watched.values()].filter(({ source }) => !names.has(source.pkg.dnpName))) {
      await forget(gone);
    }
    const asked = [...watched.values()].filter(({ source }) => source.address !== undefined);
    await notifier.forgetOthers(new Set(asked.map(({ source }) => source.pkg.dnpName)));
  };

  const inTurn = oneAtATime(sync);
  return {
    sync: () => inTurn().catch((error: unknown) => log.error({ err: error }, 'the chains could not be looked up')),
    snapshot: () => ({
      now: new Date(now()).toISOString(),
      nodes: [...watched.values()]
        .sort((a, b) => (a.source.pkg.dnpName < b.source.pkg.dnpName ? -1 : 1))
        .map(({ source, memory }) => present(source, memory)),
    }),
    nodes: () => watched.values(),
    async close() {
      closed = true;
      news.close();
      await poller.close();
    },
  };
}

/** Asks for what hardly changes as well, when that is not known, may have changed, or is old. */
async function question(node: Watched, ask: Ask, { now, log }: ChainsDeps): Promise<Reading> {
  const { memory, source, identityAt } = node;
  const asked = now();
  const identity = identityAt === undefined || memory.failures > 0 || asked - identityAt >= IDENTITY_MS;
  const context = { ask, identity, memory: node.rpc };
  const reading = await askNode(source.driver as ChainDriver, context, memory.identity, log);
  if (identity && reading.kind === 'figures') {
    node.identityAt = asked;
  }
  return reading;
}

/** Compose files are read for the drivers that need them, and once for each revision of the package. */
function createEnvironments(read: ChainsDeps['environment']): (pkg: ChainPackage) => Promise<RpcEnvironment> {
  const kept = new Map<string, { revision: string; environment: RpcEnvironment }>();
  return async ({ dnpName, chain, revision }) => {
    if (chain.driver !== 'bitcoin') {
      kept.delete(dnpName);
      return {};
    }
    const known = kept.get(dnpName);
    const environment = known?.revision === revision ? known.environment : await read(dnpName);
    kept.set(dnpName, { revision, environment });
    return environment;
  };
}

function firstMemory({ driver, obstacle }: ChainSource, now: number): NodeMemory {
  const memory = newMemory(now);
  return obstacle === undefined
    ? memory
    : { ...memory, state: driver === undefined ? 'unsupported' : 'unconfigured', sentence: obstacle };
}

/** One line for each change of state. */
function tellLog(log: ChainLog, source: ChainSource, before: NodeMemory, after: NodeMemory): void {
  const { state, cause, sentence } = after;
  if (before.state !== state || before.cause !== cause) {
    const isBad = state !== 'synced' && state !== 'syncing' && state !== 'starting';
    const fields = { package: source.pkg.dnpName, state, ...(cause !== undefined && { cause }), before: before.state };
    log[isBad ? 'warn' : 'info'](fields, `${nodeName(source, after)}: ${sentence}`);
  }
}
