/** Actions on many notifications, a chunk in each call of the write queue. The response is sent after the last one. */
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
import type { Core } from '../../platform/core/area.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { clean } from './cleaning.ts';
import { isThreadView } from './filter.ts';
import { purge, remove, restore } from './deletions.ts';
import type { Destinations } from './receive.ts';
import { allowReopening, isResolution, reopen, resolve, type ResolvedStep, undoOf } from './resolving.ts';
import type { Chunk, Selected, Selections } from './selections.ts';
import { mark } from './writes.ts';

const limit = LIMITS.sliceRows.value;

/** Whether the rest of the threads is selected as well. */
const isOfThreads = (selected: Selected): boolean =>
  'ids' in selected ? selected.wholeThreads === true : isThreadView(selected.filter);

export interface BulkDeps extends Pick<Core, 'now' | 'steady'> {
  writes: Pick<WriteQueue, 'submit'>;
  selections: Selections;
  /** Where a notification goes that resolves a thread by hand. */
  destinations: () => Destinations | undefined;
}

export function createBulk(deps: BulkDeps) {
  const { writes, selections, now, steady } = deps;
  return {
    /**
     * @param seen false: of threads found by a filter, their newest member
     * @param reader the person who marks, and whose state a filter means, where that person has a read state of their own
     */
    async mark(selected: Selected, seen: boolean, reader?: Reader): Promise<Changed> {
      let changed = 0;
      for await (const ids of markable(selections, selected, seen, reader)) {
        changed += (await writes.submit(mark, { ids, seen, reader, now: now() })).changed;
      }
      return { changed };
    },
    /** Closes open threads by hand; `restore` takes it back. @param by null: the bridge */
    resolve: (selected: Selected, by: Actor | null): Promise<Resolved> => resolveAll(deps, selected, by),
    /** @param by null: the bridge */
    async remove(selected: Selected, by: Actor | null): Promise<Deleted> {
      const deletion = randomUUID();
      const of =
        'ids' in selected
          ? { ids: selected.ids.length, wholeThreads: selected.wholeThreads ?? false }
          : { filter: selected.filter };
      let [deleted, at] = [0, now()];
      for await (const ids of pages(selections, selected, isOfThreads(selected))) {
        at = now();
        // The time of the last chunk holds for all.
        const expiresTs = steady() + UNDO_MS;
        const step = await writes.submit(remove, { ids, deletion, expiresTs, audited: { by, of, now: at } });
        deleted += step.deleted;
      }
      return { deleted, undo: deletion, undoUntil: isoTime(at + UNDO_MS) };
    },
    ...createUndo(deps),
  };
}

/** @param whole with the rest of their threads @param inInbox as in {@link Selections.members} */
async function* pages(
  selections: Selections,
  selected: Selected,
  whole: boolean,
  inInbox?: boolean
): AsyncGenerator<Chunk['ids']> {
  for await (const chunk of selections.chunks(selected)) {
    if (whole) {
      yield* selections.members(chunk, inInbox);
    } else {
      yield chunk.ids;
    }
  }
}

/** A thread is unread because of its newest member: marking it unread leaves the older ones read. */
async function* markable(
  selections: Selections,
  selected: Selected,
  seen: boolean,
  reader: Reader | undefined
): AsyncGenerator<Chunk['ids']> {
  const whole = seen && isOfThreads(selected);
  if ('ids' in selected) {
    yield* pages(selections, selected, whole, true);
    return;
  }
  for (const filter of markableFilters(selected.filter, seen, reader)) {
    yield* pages(selections, { filter, reader: reader?.id }, whole, true);
  }
}

/** Marking as seen changes what the reader has not read, and what nobody has seen, which may be too old for the reader's list. */
function markableFilters(filter: NotificationFilter, seen: boolean, reader: Reader | undefined): NotificationFilter[] {
  if (!seen) {
    const none = filter.read === false || (!reader && filter.seen === false);
    return none ? [] : [{ ...filter, ...(reader ? { read: true } : { seen: true }) }];
  }
  const own = reader !== undefined && filter.read !== true;
  const none = filter.seen === true || filter.read === true || (own && filter.read === false);
  return [...(own ? [{ ...filter, read: false }] : []), ...(none ? [] : [{ ...filter, seen: false }])];
}

async function resolveAll(
  { writes, selections, now, steady, destinations }: BulkDeps,
  selected: Selected,
  by: Actor | null
): Promise<Resolved> {
  const of = 'ids' in selected ? { ids: selected.ids.length } : { filter: selected.filter };
  const resolution = randomUUID();
  const how = { by, of, resolution, destinations: destinations() };
  let resolved = 0;
  let range: ResolvedStep['range'];
  for await (const { ids } of selections.chunks(openOnly(selected))) {
    const step = await writes.submit(resolve, { ids, ...how, now: now(), steady: steady() });
    resolved += step.resolved;
    range = step.range ? { ...step.range, from: range?.from ?? step.range.from } : range;
  }
  const undo = undoOf(resolution, range ?? { from: 0, until: 0 });
  const undoUntil = isoTime(now() + UNDO_MS);
  if (range) {
    await writes.submit(allowReopening, { undo, expiresTs: steady() + UNDO_MS });
  }
  return { resolved, undo, undoUntil };
}

function openOnly(selected: Selected): Selected {
  if ('ids' in selected) {
    return selected;
  }
  return selected.filter.open === false ? { ids: [] } : { ...selected, filter: { ...selected.filter, open: true } };
}

function createUndo({ writes, now, steady }: BulkDeps) {
  const restoring = new Set<string>();

  const restoreAll = async (undo: string, by: Actor | null): Promise<number> => {
    restoring.add(undo);
    try {
      for (let restored = 0; ;) {
        const step = await writes.submit(isResolution(undo) ? reopen : restore, {
          deletion: undo,
          now: steady(),
          limit,
          audited: { by, now: now() },
        });
        restored += step.restored;
        if (!step.more) {
          return restored;
        }
      }
    } finally {
      restoring.delete(undo);
    }
  };

  return {
    /** @returns how many notifications are back, or threads open again; 0 when there is nothing to undo any more */
    restore: restoreAll,
    /**
     * Empties the trash of what can no longer be undone, finishes what was interrupted, and removes a bounded part of what is kept for a
     * time only. To be called every few seconds.
     */
    async purge(): Promise<void> {
      for (let more = true; more;) {
        const step = await writes.submit(purge, { now: steady(), limit });
        more = step.more;
        for (const undo of more ? [] : step.restoring.filter((one) => !restoring.has(one))) {
          await restoreAll(undo, null);
        }
      }
      await writes.submit(clean, { now: steady() });
    },
  };
}
