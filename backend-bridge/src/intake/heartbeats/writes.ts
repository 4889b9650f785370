/**
 * Heartbeats of provisioning files, and the last sign of life of their senders: series `heartbeat <name>`, by the bridge's own clock. Runs
 * in the writer thread.
 */
import type { ProvisionedHeartbeat } from '../../../contract/heartbeat.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { storeClock } from '../../platform/storage/steadyClock.ts';

export const HEARD = 'heartbeat ';

/** Replaces those of the file. */
export async function provisionHeartbeats(
  trx: Transacting,
  { file, heartbeats }: { file: string; heartbeats: readonly ProvisionedHeartbeat[] }
): Promise<void> {
  await trx.deleteFrom('heartbeats').where('file', '=', file).execute();
  for (const one of heartbeats) {
    const values = { file, content: JSON.stringify(one) };
    await trx
      .insertInto('heartbeats')
      .values({ name: one.name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute();
  }
}

/** @param now the bridge's own clock */
export async function keepHeard(
  trx: Transacting,
  { heard, gone, now }: { heard: { name: string; ts: number }[]; gone: string[]; now: number }
): Promise<void> {
  // Compared with it after a restart.
  await storeClock(trx, now);
  for (const { name, ts } of heard) {
    await trx
      .insertInto('series')
      .values({ name: HEARD + name, last: ts })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ last: ts }))
      .execute();
  }
  if (gone.length > 0) {
    await trx
      .deleteFrom('series')
      .where(
        inList(
          'name',
          gone.map((name) => HEARD + name)
        )
      )
      .execute();
  }
}
