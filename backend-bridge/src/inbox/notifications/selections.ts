/**
 * Resolves the selection of a bulk action into chunks of ids. Reading only: the writer changes one chunk at a time, so that sends pass in
 * between.
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { withLabelSets } from '../labels/match.ts';
import type { ReaderId } from '../readers/unread.ts';
import { bigint, eachOf, inList, loopOrder } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { Answer, Read, Reads } from '../../platform/storage/read.ts';
import { lastNumber } from '../../platform/storage/series.ts';
import { matching, type PageKey, type SelectOptions } from './select.ts';
import type { NotificationStore } from './store.ts';

/** The notifications that a bulk action changes: these, with all of their threads if requested, or all that match. */
export type Selected =
  | { ids: readonly number[]; wholeThreads?: boolean | undefined }
  | {
      filter: NotificationFilter;
      /** Whose state `read` and `snoozed` mean. */
      reader?: ReaderId;
    };

/** Notifications for one transaction. */
export interface Chunk {
  ids: readonly number[];
  /** Highest id when they were found; undefined: the present one. Members that arrive later are not selected. */
  untilId?: number;
}

const limit = LIMITS.sliceRows.value;

/** The next that match, and the highest id at that time. */
export const readMatching: Read<Omit<SelectOptions, 'now'>, Answer & { found: PageKey[]; untilId: number }> = async (
  db,
  args,
  now
) => {
  const last = await lastNumber(db, 'notification');
  const filter = await withLabelSets(db, args.filter);
  const found = await matching(db, { ...args, filter, now });
  return { found, untilId: Math.max(last, ...found.map(({ id }) => id)) };
};

export interface SelectionsDeps {
  db: Database;
  reads: Pick<Reads, 'run'>;
  store: Pick<NotificationStore, 'searchable'>;
}

export type Selections = ReturnType<typeof createSelections>;

export function createSelections({ db, reads, store }: SelectionsDeps) {
  return {
    /** The selected ones: of threads found by a filter, the newest member of each. Newest first if found by a filter. */
    async *chunks(selected: Selected): AsyncGenerator<Chunk> {
      if ('ids' in selected) {
        for (let start = 0; start < selected.ids.length; start += limit) {
          yield { ids: selected.ids.slice(start, start + limit) };
        }
        return;
      }
      await store.searchable(selected.filter);
      let after: PageKey | undefined;
      for (let more = true; more;) {
        const { found, untilId } = await reads.run(readMatching, { ...selected, after, limit });
        if (found.length > 0) {
          yield { ids: found.map(({ id }) => id), untilId };
        }
        more = found.length === limit;
        after = found.at(-1);
      }
    },
    /**
     * Members of the threads of these notifications, thread by thread, the oldest first.
     * @param inInbox without those that have errors, unless they are named
     */
    async *members({ ids, untilId }: Chunk, inInbox = false): AsyncGenerator<number[]> {
      const named = new Set(ids);
      const until = untilId ?? (await lastNumber(db, 'notification'));
      let threads = await threadsOf(db, ids);
      for (let fromId = 0; threads.length > 0;) {
        const rows = await membersFrom(db, threads, fromId, until);
        const chosen = rows.filter(({ id, hidden }) => !inInbox || hidden === 0 || named.has(id));
        if (chosen.length > 0) {
          yield chosen.map(({ id }) => id);
        }
        const last = rows.length < limit ? undefined : rows.at(-1);
        threads = last ? threads.slice(threads.indexOf(last.thread_id)) : [];
        fromId = (last?.id ?? 0) + 1;
      }
    },
  };
}

async function threadsOf(db: Database, ids: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('notifications').select('thread_id').distinct().where(inList('id', ids)).execute();
  return rows.map(({ thread_id }) => thread_id);
}

/** Members of these threads, by id within each: of the first thread from an id on, of the others all. */
async function membersFrom(db: Database, threads: readonly number[], fromId: number, untilId: number) {
  const { rows } = await sql<{ id: number; thread_id: number; hidden: number }>`select n.id, n.thread_id, n.hidden
    from ${eachOf(threads, 't')} cross join notifications n
    where n.thread_id = t.value and n.id >= case when t.place = 0 then ${bigint(fromId)} else 0 end and n.id <= ${untilId}
    ${loopOrder(sql`t.place, n.id`)} limit ${limit}`.execute(db);
  return rows;
}
