/** Responses to threads, split into as many calls of the write queue as necessary. */
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AssignedThreads, Assignment, Responded } from '../../../contract/respond.ts';
import { isThreadView } from '../notifications/filter.ts';
import type { Selected, Selections } from '../notifications/selections.ts';
import { mark, MAX_NAMED } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { acknowledge } from './acknowledging.ts';
import { setBackSnoozes, snooze, wakeDue } from './snoozing.ts';
import { isSnoozeDue } from '../responses/store.ts';
import type { Changed } from './threads.ts';
import { addComment, assign, type Assigned, changeComment } from './writes.ts';

interface Acknowledge {
  acknowledged: boolean;
  comment?: string | undefined;
  by: Actor | null;
  /** The person who acts, and has read it by that. */
  reader?: Reader | undefined;
}

interface Snooze {
  /** UTC milliseconds; null: ends it. */
  until: number | null;
  by: Actor | null;
  /** Owner of the snooze; undefined: all. */
  reader: Reader | undefined;
}

interface Assign {
  /** Null: nobody. */
  assignee: string | null;
  by: Actor | null;
}

export interface RespondingDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit'>;
  selections: Selections;
  /** The clock, UTC milliseconds: snoozes end at a time of the day. */
  now: () => number;
}

/** Acts on the threads of the selected notifications, in chunks, between which sends are written. */
export type Responding = ReturnType<typeof createResponding>;

export function createResponding({ db, writes, selections, now }: RespondingDeps) {
  /** @param marks who has read the changed threads by that; undefined: all. @returns the steps, or why the last one changed nothing */
  const change = async <S extends Changed | string>(
    selected: Selected,
    submit: (ids: readonly number[]) => Promise<S>,
    marks?: Reader
  ): Promise<Extract<S, Changed>[] | Extract<S, string>> => {
    const steps: Extract<S, Changed>[] = [];
    for await (const { ids } of selections.chunks(byThread(selected))) {
      const step = await submit(ids);
      if (typeof step === 'string') {
        return step as Extract<S, string>;
      }
      steps.push(step as Extract<S, Changed>);
      if (step.readUntil !== undefined) {
        for await (const members of selections.members({ ids: step.changed, untilId: step.readUntil }, true)) {
          await writes.submit(mark, { ids: members, seen: true, reader: marks, now: now() });
        }
      }
    }
    return steps;
  };

  let wokenAt = Infinity;
  return {
    async acknowledge(selected: Selected, { reader, ...act }: Acknowledge): Promise<Responded> {
      return collected(
        await change(selected, (ids) => writes.submit(acknowledge, { ids, now: now(), ...act }), reader)
      );
    },
    async snooze(selected: Selected, act: Snooze): Promise<Responded | 'full'> {
      const steps = await change(selected, (ids) => writes.submit(snooze, { ids, now: now(), ...act }));
      return steps === 'full' ? steps : collected(steps);
    },
    async assign(selected: Selected, act: Assign): Promise<AssignedThreads | 'unknown'> {
      const steps = await change(selected, (ids) => writes.submit(assign, { ids, now: now(), ...act }));
      return steps === 'unknown' ? steps : assigned(steps);
    },
    comment: (id: number, text: string, by: Actor | null): Promise<{ id: number } | 'absent' | 'full'> =>
      writes.submit(addComment, { id, text, by, now: now() }),
    /**
     * @param text undefined: deletes it
     * @param others prefix of the keys of other authors whose comments may be changed, and those of scripts; undefined: only one's own
     */
    changeComment: (
      id: number,
      text: string | undefined,
      by: Actor | null,
      others: string | undefined
    ): Promise<'changed' | 'absent' | 'foreign'> => writes.submit(changeComment, { id, text, others, by, now: now() }),
    /** Ends the snoozes that are due. To be called every second. */
    async wake(): Promise<void> {
      const at = now();
      // Infinity: it may have been set back while no bridge ran.
      if (at < wokenAt - LIMITS.clockSkew.value) {
        await writes.submit(setBackSnoozes, { now: at });
      }
      wokenAt = at;
      while (await isSnoozeDue(db, now())) {
        await writes.submit(wakeDue, { now: now(), limit: LIMITS.sliceRows.value });
      }
    },
  };
}

function byThread(selected: Selected): Selected {
  return 'ids' in selected || isThreadView(selected.filter)
    ? selected
    : { ...selected, filter: { ...selected.filter, latest: true } };
}

function collected(steps: readonly Changed[]): Responded {
  const changed = steps.flatMap((step) => step.changed);
  return { changed: changed.length, ids: changed.length <= MAX_NAMED ? changed : null };
}

function assigned(steps: readonly Assigned[]): AssignedThreads {
  const result = collected(steps);
  return { ...result, before: result.ids === null ? null : joined(steps.flatMap((step) => step.before)) };
}

/** One for each person. */
const joined = (all: readonly Assignment[]): Assignment[] =>
  [...Map.groupBy(all, ({ assignee }) => assignee)].map(([assignee, some]) => ({
    assignee,
    ids: some.flatMap(({ ids }) => ids),
  }));
