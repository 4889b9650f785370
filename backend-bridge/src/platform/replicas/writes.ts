/** Writes of the leader's shared state. Run by the writer. */
import { randomUUID } from 'node:crypto';
import { inList, insertRows } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import type { Written } from '../storage/write.ts';
import { ANY_SETTING } from '../storage/events.ts';

/** Kinds of shared state, each with named entries. `leader` has one: the name of the leader. */
export type SharedScope = 'leader' | 'chains' | 'monitors' | 'provisioning' | 'retention';

export interface ShareState {
  /** Writing replica: its write is discarded if another one leads by now. */
  leader: string;
  scope: SharedScope;
  /** Removes all other entries of the scope: those of the leader before. */
  reset: boolean;
  /** Value as JSON; null removes the entry. */
  entries: [name: string, value: string | null][];
  /** Notifies pages that what was set took effect in a monitor. */
  report: boolean;
}

export async function shareState(
  trx: Transacting,
  { leader, scope, reset, entries, report }: ShareState
): Promise<Written<{ leads: boolean }>> {
  const found = await trx.selectFrom('shared_state').select('name').where('scope', '=', 'leader').executeTakeFirst();
  if (found?.name !== leader) {
    return { result: { leads: false }, events: [] };
  }
  if (reset) {
    await trx.deleteFrom('shared_state').where('scope', '=', scope).execute();
  }
  const revision = randomUUID();
  const rows = entries.flatMap(([name, value]) => (value === null ? [] : [{ scope, name, value, revision }]));
  await insertRows(
    trx,
    'shared_state',
    rows,
    'on conflict (scope, name) do update set value = excluded.value, revision = excluded.revision'
  );
  const removed = entries.flatMap(([name, value]) => (value === null ? [name] : []));
  if (removed.length > 0) {
    await trx.deleteFrom('shared_state').where('scope', '=', scope).where(inList('name', removed)).execute();
  }
  return { result: { leads: true }, events: report ? [ANY_SETTING] : [] };
}

export interface RecordLeader {
  /** Identifies the term of a replica. */
  leader: string;
  /** JSON that describes it; null: it no longer leads. */
  value: string | null;
}

/** Records who leads; the end of a term only where no other has begun since. */
export async function recordLeader(trx: Transacting, { leader, value }: RecordLeader): Promise<void> {
  const before = trx.deleteFrom('shared_state').where('scope', '=', 'leader');
  await (value === null ? before.where('name', '=', leader) : before).execute();
  if (value !== null) {
    await trx
      .insertInto('shared_state')
      .values({ scope: 'leader', name: leader, value, revision: randomUUID() })
      .execute();
  }
}
