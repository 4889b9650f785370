/** Reads what the watching of nodes needs: which packages are nodes, what is set for them, and what is open. */
import { sql } from 'kysely';
import { CHAIN_ENDPOINT_IDS } from '../../contract/chainEndpoints.ts';
import type { Registry } from '../packages/service.ts';
import { inList } from '../storage/bulk.ts';
import type { Database } from '../storage/database.ts';
import { overlaysOf } from '../thresholds/overlay.ts';
import type { SettingsStore } from '../thresholds/store.ts';
import { rpcEnvironment } from './environment.ts';
import type { ChainsDeps } from './service.ts';
import type { ChainPackage } from './sources.ts';

type Reads = Pick<ChainsDeps, 'packages' | 'environment' | 'thresholds' | 'openNotices' | 'everSynced'>;

export function createChainStore(
  db: Database,
  registry: Pick<Registry, 'cachedPackages' | 'find'>,
  settings: Pick<SettingsStore, 'all'>
): Reads {
  return {
    async packages() {
      return (await registry.cachedPackages()).flatMap(({ header, extract }): ChainPackage[] => {
        const { dnpName, version, upstreamVersion, icon, links, chain } = extract.card;
        const shown = { dnpName, version, links, ...(upstreamVersion && { upstreamVersion }), ...(icon && { icon }) };
        return chain === undefined ? [] : [{ ...shown, chain, revision: header.revision }];
      });
    },
    async environment(dnpName) {
      return rpcEnvironment((await registry.find(dnpName))?.texts.compose);
    },
    async thresholds() {
      const overlays = overlaysOf(await settings.all());
      return (dnpName, correlationId) => overlays.get(dnpName)?.get(correlationId, 'threshold')?.value;
    },
    async openNotices() {
      const rows = await db
        .selectFrom('threads')
        .leftJoin('notifications', 'notifications.id', 'threads.head_id')
        .select(['threads.dnp_name', 'threads.correlation_id', 'notifications.source'])
        .where(inList(sql.ref('threads.correlation_id'), Object.values(CHAIN_ENDPOINT_IDS)))
        .where('threads.state', '=', 'open')
        .execute();
      return rows.map(({ dnp_name: dnpName, correlation_id: correlationId, source }) => ({
        dnpName,
        correlationId,
        byBridge: source === 'bridge',
      }));
    },
    async everSynced() {
      const rows = await db.selectFrom('synced_nodes').select('dnp_name').execute();
      return rows.map((row) => row.dnp_name);
    },
  };
}
