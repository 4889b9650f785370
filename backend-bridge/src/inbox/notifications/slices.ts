/**
 * Changes of many notifications, in several calls of the write queue, so that other writes run in between. The response is sent after
 * the last call.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import {
  type Changed,
  type Deleted,
  type NotificationFilter,
  type Resolved,
  UNDO_MS,
} from '../../../contract/query.ts';
import { isoTime } from '../../../contract/text.ts';
import type { Reader } from '../readers/writes.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
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
import {
  allowReopening,
  isResolution,
  newResolution,
  reopen,
  type Resolution,
  type ResolvedStep,
  resolveMatching,
  resolveThese,
  undoOf,
} from './resolving.ts';
import type { Destinations } from './receive.ts';
import type { PageKey } from './select.ts';
import { type MarkPosition, markMatching, markThese, markThreads, markUnseen, type RestOfThreads } from './writes.ts';

const limit = LIMITS.sliceRows.value;

export interface Slices {
  /** @param reader the person who marks, where that person has a read state of their own */
  markIds(ids: number[], wholeThreads: boolean, seen: boolean, reader?: Reader): Promise<Changed>;
  /** @param seen false: of threads, their newest member */
  markMatching(filter: NotificationFilter, reader?: Reader, seen?: boolean): Promise<Changed>;
  /** Closes open threads by hand; {@link Slices.restore} takes it back. @param by null: the bridge */
  resolveIds(ids: number[], by: Actor | null): Promise<Resolved>;
  /** @param reader whose state `read` means */
  resolveMatching(filter: NotificationFilter, by: Actor | null, reader?: Reader): Promise<Resolved>;
  /** @param by null: the bridge */
  deleteIds(ids: number[], wholeThreads: boolean, by: Actor | null): Promise<Deleted>;
  /** @param reader whose state `read` means */
  deleteMatching(filter: NotificationFilter, by: Actor | null, reader?: Reader): Promise<Deleted>;
  /** @returns how many notifications are back, or threads open again; 0 when there is nothing to undo any more */
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

/** A resolution of any number of slices: it can be taken back as a whole, for as long as promised, from its end on. */
function beginResolution(
  writes: Writes,
  now: () => number,
  steady: () => number,
  who: Pick<Resolution, 'by' | 'of' | 'destinations'>
) {
  const resolution = newResolution();
  let resolved = 0;
  let range: ResolvedStep['range'];
  const args = () => ({ ...who, resolution, now: now(), steady: steady() });
  const add = (step: ResolvedStep): void => {
    resolved += step.resolved;
    range = step.range ? { ...step.range, from: range?.from ?? step.range.from } : range;
  };
  const end = async (): Promise<Resolved> => {
    const undo = undoOf(resolution, range ?? { from: 0, until: 0 });
    const undoUntil = isoTime(now() + UNDO_MS);
    if (range) {
      await writes.submit(allowReopening, { undo, expiresTs: steady() + UNDO_MS });
    }
    return { resolved, undo, undoUntil };
  };
  return { args, add, end };
}

/**
 * @param now the clock, UTC milliseconds
 * @param steady the bridge's own clock, by which ages are measured
 * @param destinations where a notification goes that resolves a thread by hand
 */
export function createSlices(
  writes: Writes,
  now: () => number,
  steady: () => number,
  destinations: () => Destinations | undefined = () => undefined
): Slices {
  const restoring = new Set<string>();

  const markRest = async (first: RestOfThreads | undefined, reader: Reader | undefined): Promise<number> => {
    let changed = 0;
    for (let rest = first; rest;) {
      const step = await writes.submit(markThreads, { rest, reader, limit, now: now() });
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
        const step = await writes.submit(isResolution(undo) ? reopen : restore, {
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
      const { changed, rest } = await writes.submit(markThese, {
        ids,
        wholeThreads,
        seen,
        reader,
        limit,
        now: now(),
      });
      return { changed: changed + (await markRest(rest, reader)) };
    },
    async markMatching(filter, reader, seen = true) {
      let from: MarkPosition | undefined;
      for (let changed = 0; ;) {
        const step = await writes.submit(seen ? markMatching : markUnseen, { filter, reader, now: now(), limit, from });
        changed += step.changed + (await markRest(step.rest, reader));
        if (!step.next) {
          return { changed };
        }
        from = step.next;
      }
    },
    async resolveIds(ids, by) {
      const of = { ids: ids.length };
      const { args, add, end } = beginResolution(writes, now, steady, { by, of, destinations: destinations() });
      for (let start = 0; start < ids.length; start += limit) {
        add(await writes.submit(resolveThese, { ids: ids.slice(start, start + limit), ...args() }));
      }
      return end();
    },
    async resolveMatching(filter, by, reader) {
      const of = { filter };
      const { args, add, end } = beginResolution(writes, now, steady, { by, of, destinations: destinations() });
      let after: PageKey | undefined;
      for (;;) {
        const step = await writes.submit(resolveMatching, { filter, reader, limit, after, ...args() });
        add(step);
        if (!step.more) {
          return end();
        }
        after = step.next;
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
