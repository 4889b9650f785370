/** Reads what monitoring of nodes needs from the database, and keeps which nodes have been in sync. */
import { CHAIN_ENDPOINT_IDS } from '../../../contract/chainEndpoints.ts';
import type { PackageSummary } from '../../../contract/package.ts';
import { hasMembers } from '../../inbox/notifications/rows.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { PackageRow } from '../../platform/storage/schema.ts';
import { fits, overlaysOf } from '../thresholds/overlay.ts';
import type { SettingsStore } from '../thresholds/store.ts';
import { type RpcEnvironment, rpcEnvironment } from './address.ts';
import type { ChainPackage, ThresholdOf } from './sources.ts';
import type { NodeState } from './nodeState.ts';

/** The registered packages, as the monitoring of their nodes reads them. */
export interface NodePackages {
  cachedPackages(): Promise<
    {
      header: Pick<PackageRow, 'revision'>;
      extract: { card: Pick<PackageSummary, 'dnpName' | 'version' | 'upstreamVersion' | 'icon' | 'links' | 'chain'> };
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

export type ChainStore = ReturnType<typeof createChainStore>;

export function createChainStore(db: Database, registry: NodePackages, settings: Pick<SettingsStore, 'all'>) {
  return {
    /** Registered packages that name a chain, sorted by name. */
    async packages(): Promise<ChainPackage[]> {
      return (await registry.cachedPackages()).flatMap(({ header, extract }): ChainPackage[] => {
        const { dnpName, version, upstreamVersion, icon, links, chain } = extract.card;
        const shown = { dnpName, version, links, ...(upstreamVersion && { upstreamVersion }), ...(icon && { icon }) };
        return chain === undefined ? [] : [{ ...shown, chain, revision: header.revision }];
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
    async openAlerts(): Promise<OpenAlert[]> {
      const rows = await db
        .selectFrom('threads')
        .leftJoin('notifications', 'notifications.id', 'threads.head_id')
        .select(['threads.dnp_name', 'threads.correlation_id', 'notifications.source'])
        .where(inList('threads.correlation_id', Object.values(CHAIN_ENDPOINT_IDS)))
        .where('threads.state', '=', 'open')
        .where(hasMembers())
        .where('threads.node', '=', '')
        .execute();
      return rows.map(({ dnp_name: dnpName, correlation_id: correlationId, source }) => ({
        dnpName,
        correlationId,
        byBridge: source === 'bridge',
      }));
    },
    /** Packages whose nodes have been in sync. */
    async everSynced(): Promise<string[]> {
      const rows = await db.selectFrom('synced_nodes').select('dnp_name').execute();
      return rows.map((row) => row.dnp_name);
    },
  };
}

export interface SyncedNodesDeps extends Pick<ChainStore, 'everSynced'> {
  keepSynced: (dnpName: string) => Promise<unknown>;
  log: { error(fields: object, message: string): void };
}

/** Nodes that have been in sync, across restarts: only such a node can fall behind. */
export function createSyncedNodes({ everSynced, keepSynced, log }: SyncedNodesDeps) {
  let stored: Set<string> | undefined;
  return {
    /** On the first call: reads the nodes that were in sync before the bridge started. */
    async load(): Promise<void> {
      stored ??= new Set(await everSynced());
    },
    /** The state of a node that is new to this process, completed with what is stored. */
    restore: (dnpName: string, nodeState: NodeState): NodeState => ({
      ...nodeState,
      inSync: stored?.has(dnpName) === true,
    }),
    /** Stores that the node is in sync. Never rejects: a failed write is logged and retried after the next poll. */
    async record(dnpName: string, { inSync }: NodeState): Promise<void> {
      if (inSync && stored?.has(dnpName) === false) {
        try {
          await keepSynced(dnpName);
          stored.add(dnpName);
        } catch (error) {
          log.error({ err: error }, 'could not store that a node was synced');
        }
      }
    },
    /** For a removed package; its row is deleted together with the package. */
    remove: (dnpName: string): void => void stored?.delete(dnpName),
  };
}
