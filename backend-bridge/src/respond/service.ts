/** What people do with threads, in as many calls of the write queue as it takes. */
import type { Actor } from '../../contract/audit.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { NotificationFilter } from '../../contract/query.ts';
import type { Responded } from '../../contract/respond.ts';
import type { PageKey } from '../notifications/select.ts';
import { MAX_NAMED, markThreads, type RestOfThreads } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import type { Database } from '../storage/engine.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { isSnoozeDue } from './store.ts';
import { acknowledge, acknowledgeMatching } from './acknowledging.ts';
import { snooze, wakeDue } from './snoozing.ts';
import { addComment, assign, changeComment } from './writes.ts';

const limit = LIMITS.sliceRows.value;

interface Acknowledge {
  acknowledged: boolean;
  comment?: string | undefined;
  by: Actor | null;
  reader?: Reader | undefined;
}

export interface Responding {
  /** The threads of these notifications. @returns how many of them exist as well */
  acknowledge(ids: readonly number[], act: Acknowledge): Promise<Responded & { found: number }>;
  acknowledgeMatching(filter: NotificationFilter, act: Acknowledge): Promise<Responded>;
  comment(id: number, text: string, by: Actor | null): Promise<{ id: number } | 'absent' | 'full'>;
  /** @param text undefined: deletes it. @param any not only one's own */
  changeComment(
    id: number,
    text: string | undefined,
    by: Actor | null,
    any: boolean
  ): Promise<'changed' | 'absent' | 'foreign'>;
  /** @param assignee null: nobody */
  assign(id: number, assignee: string | null, by: Actor | null): Promise<'assigned' | 'absent' | 'unknown'>;
  /** @param until UTC milliseconds; null: ends it. @param reader undefined: for all */
  snooze(
    id: number,
    until: number | null,
    by: Actor | null,
    reader: Reader | undefined
  ): Promise<'snoozed' | 'absent' | 'full'>;
  /** Ends the snoozes that are due. To be called every second. */
  wake(): Promise<void>;
}

/** @param now the clock, UTC milliseconds: snoozes end at a time of the day */
export function createResponding(db: Database, writes: Pick<WriteQueue, 'submit'>, now: () => number): Responding {
  const markRest = async (first: RestOfThreads | undefined, reader: Reader | undefined): Promise<void> => {
    for (let rest = first; rest;) {
      rest = (await writes.submit(markThreads, { rest, reader, limit, now: now() })).rest;
    }
  };
  const collected = (changed: readonly number[]): Responded => ({
    changed: changed.length,
    ids: changed.length <= MAX_NAMED ? [...changed] : null,
  });

  return {
    async acknowledge(ids, act) {
      const changed: number[] = [];
      let found = 0;
      for (let start = 0; start < ids.length; start += limit) {
        const step = await writes.submit(acknowledge, { ids: ids.slice(start, start + limit), now: now(), ...act });
        changed.push(...step.changed);
        found += step.found;
        await markRest(step.rest, act.reader);
      }
      return { ...collected(changed), found };
    },
    async acknowledgeMatching(filter, act) {
      const changed: number[] = [];
      let after: PageKey | undefined;
      for (;;) {
        const step = await writes.submit(acknowledgeMatching, { filter, now: now(), limit, after, ...act });
        changed.push(...step.changed);
        await markRest(step.rest, act.reader);
        if (!step.more) {
          return collected(changed);
        }
        after = step.next;
      }
    },
    comment: (id, text, by) => writes.submit(addComment, { id, text, by, now: now() }),
    changeComment: (id, text, by, any) => writes.submit(changeComment, { id, text, any, by, now: now() }),
    assign: (id, assignee, by) => writes.submit(assign, { id, assignee, by, now: now() }),
    async snooze(id, until, by, reader) {
      const { outcome, rest } = await writes.submit(snooze, { id, until, by, reader, now: now() });
      await markRest(rest, undefined);
      return outcome;
    },
    async wake() {
      while (await isSnoozeDue(db, now())) {
        await writes.submit(wakeDue, { now: now(), limit });
      }
    },
  };
}
