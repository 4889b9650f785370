/** Reads what monitoring of nodes needs from the database, and keeps which nodes have been in sync. */
import { hash } from 'node:crypto';
import { CHAIN_ENDPOINT_IDS } from '../../../contract/chainEndpoints.ts';
import type { PackageSummary } from '../../../contract/package.ts';
import { hasMembers } from '../../inbox/notifications/rows.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { PackageRow } from '../../platform/storage/schema.ts';
import type { ShippedEndpoint } from '../monitors/monitor.ts';
import { fits, overlaysOf } from '../thresholds/overlay.ts';
import type { SettingsStore } from '../thresholds/store.ts';
import { type RpcEnvironment, rpcEnvironment } from './address.ts';
import type { ChainPackage, ChainSource, ThresholdOf } from './sources.ts';
import type { NodeState } from './nodeState.ts';
import type { SyncedNode } from './writes.ts';

/** The registered packages, as the monitoring of their nodes reads them. */
export interface NodePackages {
  cachedPackages(): Promise<
    {
      header: Pick<PackageRow, 'revision'>;
      extract: {
        card: Pick<PackageSummary, 'dnpName' | 'version' | 'upstreamVersion' | 'icon' | 'links' | 'chain'>;
        shipped: Pick<ShippedEndpoint, 'kind' | 'correlationId'>[];
      };
    }[]
  >;
  find(dnpName: string): Promise<{ texts: { compose?: string | undefined } } | undefined>;
}

/** An open thread of a node. */
export interface OpenAlert {
  dnpName: string;
  correlationId: string;
  /** Whether the bridge sent its newest notification; otherwise a monitor or the package did. */
  byBridge: boolean;
}

const ownIds = ({ shipped }: { shipped: Pick<ShippedEndpoint, 'kind' | 'correlationId'>[] }): string[] =>
  shipped.flatMap(({ kind, correlationId }) => (kind === 'chain' ? [] : correlationId));

export type ChainStore = ReturnType<typeof createChainStore>;

export function createChainStore(db: Database, registry: NodePackages, settings: Pick<SettingsStore, 'all'>) {
  return {
    /** Registered packages that name a chain, sorted by name. */
    async packages(): Promise<ChainPackage[]> {
      return (await registry.cachedPackages()).flatMap(({ header, extract }): ChainPackage[] => {
        const { dnpName, version, upstreamVersion, icon, links, chain } = extract.card;
        const shown = { dnpName, version, links, ...(upstreamVersion && { upstreamVersion }), ...(icon && { icon }) };
        return chain === undefined ? [] : [{ ...shown, chain, revision: header.revision, own: ownIds(extract) }];
      });
    },
    /** RPC settings in the compose file of a package; read once per revision. */
    async environment(dnpName: string): Promise<RpcEnvironment> {
      return rpcEnvironment((await registry.find(dnpName))?.texts.compose);
    },
    /** Thresholds that admins have configured, at the time of the call. */
    async thresholds(): Promise<ThresholdOf> {
      const overlays = overlaysOf(await settings.all());
      return (dnpName, correlationId) => {
        const row = overlays.get(dnpName)?.get(correlationId, 'threshold');
        return row && fits({}, row) ? row.value : undefined;
      };
    },
    /** Without those of a package's own endpoints. */
    async openAlerts(): Promise<OpenAlert[]> {
      const packages = await registry.cachedPackages();
      const own = new Map(packages.map(({ extract }) => [extract.card.dnpName, ownIds(extract)]));
      const rows = await db
        .selectFrom('threads')
        .leftJoin('notifications', 'notifications.id', 'threads.head_id')
        .select(['threads.dnp_name', 'threads.correlation_id', 'notifications.source'])
        .where(inList('threads.correlation_id', Object.values(CHAIN_ENDPOINT_IDS)))
        .where('threads.state', '=', 'open')
        .where(hasMembers())
        .where('threads.node', '=', '')
        .execute();
      return rows
        .map(({ dnp_name: dnpName, correlation_id: correlationId, source }) => ({
          dnpName,
          correlationId,
          byBridge: source === 'bridge',
        }))
        .filter(({ dnpName, correlationId, byBridge }) => byBridge || !own.get(dnpName)?.includes(correlationId));
    },
    /** Packages whose nodes have been in sync, with the hashes of their addresses. */
    async everSynced(): Promise<Map<string, string>> {
      const rows = await db.selectFrom('synced_nodes').selectAll().execute();
      return new Map(rows.map(({ dnp_name: dnpName, address }) => [dnpName, address]));
    },
  };
}

export interface SyncedNodesDeps extends Pick<ChainStore, 'everSynced'> {
  keepSynced: (node: SyncedNode) => Promise<unknown>;
  log: { error(fields: object, message: string): void };
}

/** Hashed, since it may contain a key. */
const hashOf = ({ driver, address }: ChainSource): string =>
  hash('sha256', JSON.stringify([driver, address?.url]), 'hex').slice(0, 32);

/** Nodes that have been in sync, across restarts: only such a node can fall behind. Another address is another node. */
export function createSyncedNodes({ everSynced, keepSynced, log }: SyncedNodesDeps) {
  let stored: Map<string, string> | undefined;
  return {
    /** On the first call: reads the nodes that were in sync before the bridge started. */
    async load(): Promise<void> {
      stored ??= await everSynced();
    },
    /** The state of a node that is new to this process, completed with what is stored. */
    restore(source: ChainSource, nodeState: NodeState): NodeState {
      const address = stored?.get(source.pkg.dnpName);
      return { ...nodeState, inSync: address === '' || address === hashOf(source) };
    },
    /** Stores that the node is in sync. Never rejects: a failed write is logged and retried after the next poll. */
    async record(source: ChainSource, { inSync }: NodeState): Promise<void> {
      const { dnpName } = source.pkg;
      const address = hashOf(source);
      if (inSync && stored && stored.get(dnpName) !== address) {
        try {
          await keepSynced({ dnpName, address });
          stored.set(dnpName, address);
        } catch (error) {
          log.error({ err: error }, 'could not store that a node was synced');
        }
      }
    },
    /** For a removed package; its row is deleted together with the package. */
    remove: (dnpName: string): void => void stored?.delete(dnpName),
  };
}
