/** Writes about nodes, run by the writer thread. */
import type { Transacting } from '../../platform/storage/engine.ts';

export interface SyncedNode {
  dnpName: string;
  /** Hash of its address and driver. */
  address: string;
}

/** Stores that the node of this package has been in sync. Idempotent. */
export async function keepSynced(trx: Transacting, { dnpName, address }: SyncedNode): Promise<void> {
  await trx
    .insertInto('synced_nodes')
    .values({ dnp_name: dnpName, address })
    .onConflict((conflict) => conflict.column('dnp_name').doUpdateSet({ address }))
    .execute();
}

/** For removed packages: a package that is registered again starts as never in sync. */
export async function removeSynced(trx: Transacting, dnpNames: readonly string[]): Promise<void> {
  for (const dnpName of dnpNames) {
    await trx.deleteFrom('synced_nodes').where('dnp_name', '=', dnpName).execute();
  }
}
