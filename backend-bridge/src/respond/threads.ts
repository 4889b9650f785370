/** The threads to which somebody responds, and the events of that. Runs in the writer thread. */
import { sql } from 'kysely';
import type { Actor } from '../../contract/audit.ts';
import { named } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import { inList } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import type { ThreadRow } from '../storage/schema.ts';

/** Who acts, and when (UTC milliseconds). */
export interface Act {
  /** Null: the bridge. */
  by: Actor | null;
  now: number;
}

export const responded = (ids: readonly number[], reader?: Reader) =>
  ids.length === 0
    ? []
    : [{ type: 'responded' as const, data: { ids: named([...ids]), ...(reader && { reader: reader.key }) } }];

export type ThreadOf = Pick<ThreadRow, 'id' | 'head_id' | 'priority'>;

/** The threads of these notifications. */
export async function threadsOf(trx: Transacting, ids: readonly number[]): Promise<ThreadOf[]> {
  return trx
    .selectFrom('threads')
    .select(['id', 'head_id', 'priority'])
    .where('id', 'in', (all) =>
      all
        .selectFrom('notifications')
        .select('thread_id')
        .where(inList(sql.ref('id'), ids))
    )
    .orderBy('id')
    .execute();
}

export const headOf = (thread: ThreadOf, id = 0): number => thread.head_id ?? id;
