/** What is kept of nodes, as the writer thread keeps it. */
import type { Transacting } from '../storage/bulk.ts';
import type { Written } from '../storage/writes.ts';

/** The node of this package has been in sync. Known already: nothing changes. */
export async function keepSynced(trx: Transacting, dnpName: string): Promise<Written<void>> {
  await trx
    .insertInto('synced_nodes')
    .values({ dnp_name: dnpName })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { result: undefined, events: [] };
}

/** Of packages that are removed: when one comes back, its node begins anew. */
export async function forgetSynced(trx: Transacting, dnpNames: readonly string[]): Promise<void> {
  for (const dnpName of dnpNames) {
    await trx.deleteFrom('synced_nodes').where('dnp_name', '=', dnpName).execute();
  }
}
