/**
 * Changes of many notifications, in several calls of the write queue, so that other writes run in between. The response is sent after
 * the last call.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../contract/audit.ts';
import { LIMITS } from '../../contract/limits.ts';
import { type Changed, type Deleted, type NotificationFilter, UNDO_MS } from '../../contract/query.ts';
import { isoTime } from '../../contract/text.ts';
import type { Reader } from '../readers/writes.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { clean } from './cleaning.ts';
import {
  type DeletedStep,
  type DeletionAudit,
  deleteMatching,
  deleteThese,
  deleteThreads,
  purge,
  restore,
} from './deletions.ts';
import { repairThreads } from './members.ts';
import type { PageKey } from './select.ts';
import { type MarkPosition, markMatching, markThese, markThreads, type RestOfThreads } from './writes.ts';

const limit = LIMITS.sliceRows.value;

export interface Slices {
  /** @param reader the person who marks, where that person has a read state of their own */
  markIds(ids: number[], wholeThreads: boolean, seen: boolean, reader?: Reader): Promise<Changed>;
  markMatching(filter: NotificationFilter, reader?: Reader): Promise<Changed>;
  /** @param by null: the bridge */
  deleteIds(ids: number[], wholeThreads: boolean, by: Actor | null): Promise<Deleted>;
  /** @param reader whose state `read` means */
  deleteMatching(filter: NotificationFilter, by: Actor | null, reader?: Reader): Promise<Deleted>;
  /** @returns how many are back; 0 when there is nothing to undo any more */
  restore(undo: string, by: Actor | null): Promise<number>;
  /**
   * Empties the trash of what can no longer be undone, finishes what was interrupted, and removes a bounded part of what is kept for a
   * time only. To be called every few seconds.
   */
  purge(): Promise<void>;
}

type Writes = Pick<WriteQueue, 'submit'>;

/** Brings threads in line after deletions. */
export async function finishRepairs(writes: Writes): Promise<void> {
  while ((await writes.submit(repairThreads, null)).more) {
    // The next slice.
  }
}

/** A deletion of any number of slices: it can be undone as a whole, for as long as promised, from its end on. */
function beginDeletion(
  writes: Writes,
  now: () => number,
  steady: () => number,
  { by, of }: Pick<DeletionAudit, 'by' | 'of'>
) {
  const deletion = randomUUID();
  let undoUntil = 0;
  let deleted = 0;
  const args = () => {
    const at = now();
    undoUntil = at + UNDO_MS;
    return { deletion, expiresTs: steady() + UNDO_MS, limit, audited: { by, of, now: at } };
  };
  /** Deletes what a slice has left of threads. */
  const finish = async (step: DeletedStep): Promise<void> => {
    deleted += step.deleted;
    let repairs = step.repairs;
    for (let rest = step.rest; rest;) {
      const next: DeletedStep = await writes.submit(deleteThreads, { rest, ...args() });
      deleted += next.deleted;
      repairs ||= next.repairs;
      rest = next.rest;
    }
    await (repairs ? finishRepairs(writes) : undefined);
  };
  const result = (): Deleted => ({ deleted, undo: deletion, undoUntil: isoTime(undoUntil) });
  return { args, finish, result };
}

/**
 * @param now the clock, UTC milliseconds
 * @param steady the bridge's own clock, by which ages are measured
 */
export function createSlices(writes: Writes, now: () => number, steady: () => number): Slices {
  const restoring = new Set<string>();

  const markRest = async (first: RestOfThreads | undefined, reader: Reader | undefined): Promise<number> => {
    let changed = 0;
    for (let rest = first; rest;) {
      const step = await writes.submit(markThreads, { rest, reader, limit });
      changed += step.changed;
      rest = step.rest;
    }
    return changed;
  };

  const repair = () => finishRepairs(writes);

  const restoreAll = async (undo: string, by: Actor | null): Promise<number> => {
    restoring.add(undo);
    try {
      for (let restored = 0, repairs = false; ;) {
        const step = await writes.submit(restore, {
          deletion: undo,
          now: steady(),
          limit,
          audited: { by, now: now() },
        });
        restored += step.restored;
        repairs ||= step.repairs;
        if (!step.more) {
          await (repairs ? repair() : undefined);
          return restored;
        }
      }
    } finally {
      restoring.delete(undo);
    }
  };

  return {
    async markIds(ids, wholeThreads, seen, reader) {
      const { changed, rest } = await writes.submit(markThese, { ids, wholeThreads, seen, reader, limit });
      return { changed: changed + (await markRest(rest, reader)) };
    },
    async markMatching(filter, reader) {
      let from: MarkPosition | undefined;
      for (let changed = 0; ;) {
        const step = await writes.submit(markMatching, { filter, reader, now: now(), limit, from });
        changed += step.changed + (await markRest(step.rest, reader));
        if (!step.next) {
          return { changed };
        }
        from = step.next;
      }
    },
    async deleteIds(ids, wholeThreads, by) {
      const of = { ids: ids.length, wholeThreads };
      const { args, finish, result } = beginDeletion(writes, now, steady, { by, of });
      for (let start = 0; start < ids.length; start += limit) {
        await finish(
          await writes.submit(deleteThese, { ids: ids.slice(start, start + limit), wholeThreads, ...args() })
        );
      }
      return result();
    },
    async deleteMatching(filter, by, reader) {
      const { args, finish, result } = beginDeletion(writes, now, steady, { by, of: { filter } });
      let after: PageKey | undefined;
      for (;;) {
        const step = await writes.submit(deleteMatching, { filter, reader, now: now(), after, ...args() });
        await finish(step);
        if (!step.more) {
          return result();
        }
        after = step.next;
      }
    },
    restore: restoreAll,
    async purge() {
      for (let more = true; more;) {
        const step = await writes.submit(purge, { now: steady(), limit });
        more = step.more;
        for (const undo of more ? [] : step.restoring.filter((one) => !restoring.has(one))) {
          await restoreAll(undo, null);
        }
      }
      await repair();
      await writes.submit(clean, { now: steady() });
    },
  };
}
