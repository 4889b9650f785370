/** Responses to threads, split into as many calls of the write queue as necessary. */
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import type { AssignedThreads, Assignment, Responded } from '../../../contract/respond.ts';
import type { PageKey } from '../notifications/select.ts';
import { MAX_NAMED, markThreads, type RestOfThreads } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { isSnoozeDue } from '../responses/store.ts';
import { acknowledge, acknowledgeMatching } from './acknowledging.ts';
import { setBackSnoozes, snooze, snoozeMatching, type Snoozed, wakeDue } from './snoozing.ts';
import type { Changed, Step } from './threads.ts';
import { addComment, assign, type Assigned, assignMatching, changeComment } from './writes.ts';

const limit = LIMITS.sliceRows.value;

interface Acknowledge {
  acknowledged: boolean;
  comment?: string | undefined;
  by: Actor | null;
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
  assignee: string | null;
  by: Actor | null;
}

/** Calls for many threads run in slices, between which sends are written. */
export interface Responding {
  /** The threads of these notifications. @returns how many of them exist as well */
  acknowledge(ids: readonly number[], act: Acknowledge): Promise<Responded & { found: number }>;
  acknowledgeMatching(filter: NotificationFilter, act: Acknowledge): Promise<Responded>;
  comment(id: number, text: string, by: Actor | null): Promise<{ id: number } | 'absent' | 'full'>;
  /**
   * @param text undefined: deletes it
   * @param others prefix of the keys of other authors whose comments may be changed, and those of scripts; undefined: only one's own
   */
  changeComment(
    id: number,
    text: string | undefined,
    by: Actor | null,
    others: string | undefined
  ): Promise<'changed' | 'absent' | 'foreign'>;
  snoozeMany(ids: readonly number[], act: Snooze): Promise<Responded | 'full'>;
  /** @param viewer whose state the filter means */
  snoozeMatching(filter: NotificationFilter, act: Snooze, viewer: Reader | undefined): Promise<Responded | 'full'>;
  /** @param assignee null: nobody */
  assignMany(ids: readonly number[], assignee: string | null, by: Actor | null): Promise<AssignedThreads | 'unknown'>;
  assignMatching(
    filter: NotificationFilter,
    act: Assign,
    viewer: Reader | undefined
  ): Promise<AssignedThreads | 'unknown'>;
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
  const collectSteps = async <S extends Ended>(steps: AsyncIterable<S>, marks?: Reader): Promise<Collected<S>> => {
    const done: S[] = [];
    for await (const step of steps) {
      await markRest(step.rest, marks);
      done.push(step);
      if (step.outcome === 'full' || step.outcome === 'unknown') {
        break;
      }
    }
    const changed = done.flatMap((step) => step.changed);
    return { done, changed, found: done.reduce((sum, { found }) => sum + found, 0), outcome: done.at(-1)?.outcome };
  };

  let wokenAt = Infinity;
  return {
    async acknowledge(ids, act) {
      const steps = slices(ids, (some) => writes.submit(acknowledge, { ids: some, now: now(), ...act }));
      const { found, changed } = await collectSteps(steps, act.reader);
      return { ...collected(changed), found };
    },
    async acknowledgeMatching(filter, act) {
      const steps = pages((after) =>
        writes.submit(acknowledgeMatching, { filter, viewer: act.reader, limit, after, now: now(), ...act })
      );
      return collected((await collectSteps(steps, act.reader)).changed);
    },
    ...createMany(writes, now, collectSteps),
    comment: (id, text, by) => writes.submit(addComment, { id, text, by, now: now() }),
    changeComment: (id, text, by, others) => writes.submit(changeComment, { id, text, others, by, now: now() }),
    async assign(id, assignee, by) {
      const { outcome, found } = await writes.submit(assign, { ids: [id], assignee, by, now: now() });
      return found === 0 ? 'absent' : outcome;
    },
    async snooze(id, until, by, reader) {
      const { outcome, found, rest } = await writes.submit(snooze, { ids: [id], until, by, reader, now: now() });
      await markRest(rest, undefined);
      return found === 0 ? 'absent' : outcome;
    },
    async wake() {
      const at = now();
      // Infinity: it may have been set back while no bridge ran.
      if (at < wokenAt - LIMITS.clockSkew.value) {
        await writes.submit(setBackSnoozes, { now: at });
      }
      wokenAt = at;
      while (await isSnoozeDue(db, now())) {
        await writes.submit(wakeDue, { now: now(), limit });
      }
    },
  };
}

type Many = Pick<Responding, 'snoozeMany' | 'snoozeMatching' | 'assignMany' | 'assignMatching'>;
type CollectSteps = <S extends Ended>(steps: AsyncIterable<S>, marks?: Reader) => Promise<Collected<S>>;

function createMany(writes: Pick<WriteQueue, 'submit'>, now: () => number, collectSteps: CollectSteps): Many {
  return {
    async snoozeMany(ids, act) {
      const steps = slices(ids, (some) => writes.submit(snooze, { ids: some, now: now(), ...act }));
      return snoozed(await collectSteps(steps));
    },
    async snoozeMatching(filter, act, viewer) {
      const steps = pages((after) =>
        writes.submit(snoozeMatching, { filter, viewer, limit, after, now: now(), ...act })
      );
      return snoozed(await collectSteps(steps));
    },
    async assignMany(ids, assignee, by) {
      const steps = slices(ids, (some) => writes.submit(assign, { ids: some, assignee, by, now: now() }));
      return assigned(await collectSteps(steps));
    },
    async assignMatching(filter, act, viewer) {
      const steps = pages((after) =>
        writes.submit(assignMatching, { filter, viewer, limit, after, now: now(), ...act })
      );
      return assigned(await collectSteps(steps));
    },
  };
}

type Ended = Changed & { outcome?: string };

/** All steps of one call. */
interface Collected<S extends Ended> extends Pick<Changed, 'found' | 'changed'> {
  done: S[];
  outcome: S['outcome'];
}

const collected = (changed: readonly number[]): Responded => ({
  changed: changed.length,
  ids: changed.length <= MAX_NAMED ? [...changed] : null,
});

const snoozed = ({ changed, outcome }: Collected<Snoozed>): Responded | 'full' =>
  outcome === 'full' ? 'full' : collected(changed);

function assigned({ done, changed, outcome }: Collected<Assigned>): AssignedThreads | 'unknown' {
  const result = collected(changed);
  const before = result.ids === null ? null : joined(done.flatMap((step) => step.before));
  return outcome === 'unknown' ? 'unknown' : { ...result, before };
}

async function* slices<S>(ids: readonly number[], submit: (some: number[]) => Promise<S>): AsyncGenerator<S> {
  for (let start = 0; start < ids.length; start += limit) {
    yield await submit(ids.slice(start, start + limit));
  }
}

/** Until there are no more that match. */
async function* pages<S extends Step<unknown>>(submit: (after: PageKey | undefined) => Promise<S>): AsyncGenerator<S> {
  for (let after: PageKey | undefined; ;) {
    const step = await submit(after);
    yield step;
    if (!step.more) {
      return;
    }
    after = step.next;
  }
}

/** One for each person. */
const joined = (all: readonly Assignment[]): Assignment[] =>
  [...Map.groupBy(all, ({ assignee }) => assignee)].map(([assignee, some]) => ({
    assignee,
    ids: some.flatMap(({ ids }) => ids),
  }));
