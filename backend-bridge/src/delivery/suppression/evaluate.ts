/** Suppressions of open threads: between slices, and in large ones, other requests are served. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Suppression } from '../../inbox/notifications/receive.ts';
import type { Suppress } from '../../inbox/notifications/receiving.ts';
import { eachOf, inTurns } from '../../platform/runtime/steps.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { payloadsOf } from './store.ts';

/** Suppression of the newest notification of these threads, as far as there is one. */
export async function suppressionsOf(
  db: Database,
  of: Suppress,
  threads: readonly number[]
): Promise<ReadonlyMap<number, Suppression>> {
  // Reads of SQLite and what follows them would be one turn of the event loop.
  await nextTurn();
  const payloads = [...(await payloadsOf(db, threads))];
  const evaluated = await inTurns(eachOf(payloads, ([thread, payload]) => [thread, of({ payload })] as const));
  return new Map(evaluated.flatMap(([thread, suppression]) => (suppression ? [[thread, suppression]] : [])));
}
