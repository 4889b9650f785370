/** Writes about nodes, run by the writer thread. */
import type { Transacting } from '../../platform/storage/engine.ts';

/** Stores that the node of this package has been in sync. Idempotent. */
export async function keepSynced(trx: Transacting, dnpName: string): Promise<void> {
  await trx
    .insertInto('synced_nodes')
    .values({ dnp_name: dnpName })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** For removed packages: a package that is registered again starts as never in sync. */
export async function removeSynced(trx: Transacting, dnpNames: readonly string[]): Promise<void> {
  for (const dnpName of dnpNames) {
    await trx.deleteFrom('synced_nodes').where('dnp_name', '=', dnpName).execute();
  }
}
