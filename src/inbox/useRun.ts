import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_LIMIT } from '@nodebell/contract/query.ts';
import type { These } from '../api/query';
import { type ActionId, ACTIONS, type Run, type Targets } from './actions';
import { burstOf, threadsOf } from '../components/bursts';
import type { Loaded } from './loaded';
import { rowsKey } from './queries';
import { keyOf, type Rows } from './rows';
import { showsThreads, type View } from './view';

/** A finished action that can be undone. */
export interface Undoable {
  id: ActionId;
  count: number;
  undo: () => Promise<unknown>;
  /** Takes back the optimistic change of the list. */
  revert?: (() => void) | undefined;
}

interface Job {
  id: ActionId;
  targets: Targets;
  args: unknown;
}

/** The ids per request are limited. `count`: of its targets. */
function requestsOf({ ids, filters, rows, count }: Targets): Array<{ these: These; count: number }> {
  const chunks = Array.from({ length: Math.ceil(ids.length / MAX_LIMIT) }, (_, index) =>
    ids.slice(index * MAX_LIMIT, (index + 1) * MAX_LIMIT)
  );
  const bursts = rows === 'all' ? [] : rows.filter(burstOf);
  return [
    ...chunks.map((chunk) => ({ these: { ids: chunk }, count: chunk.length })),
    ...filters.map((filter, index) => ({ these: { filter }, count: bursts[index] ? threadsOf(bursts[index]) : count })),
  ];
}

/** A finished request of an action, with the number of its targets. */
interface Part {
  sent: Awaited<ReturnType<(typeof ACTIONS)[ActionId]['send']>>;
  count: number;
}

/**
 * Sends the requests of an action one after another.
 * @param offer called if one fails, with what those before it did
 * @returns undefined if it cannot be undone, or changed nothing
 */
async function send({ id, targets, args }: Job, offer: (done: Undoable) => void): Promise<Undoable | undefined> {
  const parts: Part[] = [];
  try {
    for (const { these, count } of requestsOf(targets)) {
      parts.push({ sent: await ACTIONS[id].send(these, args as never, targets.wholeThreads), count });
    }
  } catch (error) {
    const done = undoableOf(id, parts);
    if (done) {
      offer(done);
    }
    throw error;
  }
  return undoableOf(id, parts);
}

function undoableOf(id: ActionId, parts: readonly Part[]): Undoable | undefined {
  const changed = parts.filter(({ sent }) => sent !== undefined && sent.count !== 0);
  if (changed.length === 0 || parts.some(({ sent }) => sent === undefined)) {
    return undefined;
  }
  const undo = async () => {
    for (const { sent } of changed) {
      await sent?.undo();
    }
  };
  return { id, undo, count: changed.reduce((sum, { sent, count }) => sum + (sent?.count ?? count), 0) };
}

/**
 * Runs actions. The list changes optimistically where the action says how; the bridge's event confirms it, a failure reverts it.
 * @param offer called with what can be undone
 */
export function useRun(view: View, offer: (done: Undoable) => void): { run: Run; runAsync: Run<Promise<unknown>> } {
  const client = useQueryClient();
  const threads = showsThreads(view);
  const key = rowsKey(view);
  const rowsNow = () => client.getQueryData<Loaded>(key)?.rows;
  const patchRows = (change: (rows: Rows) => Rows) => {
    // A request in flight would overwrite the optimistic update.
    void client.cancelQueries({ queryKey: key });
    client.setQueryData<Loaded>(key, (loaded) => loaded && { ...loaded, rows: change(loaded.rows) });
  };

  const { mutate, mutateAsync } = useMutation({
    meta: { failure: ({ id }: Job) => ACTIONS[id].failure() },
    // The list is reverted when the action fails, so this undo reverts nothing.
    mutationFn: (job: Job) => send(job, offer),
    onMutate: ({ id, targets: { rows } }: Job) => {
      const { patch } = ACTIONS[id];
      if (!patch) {
        return undefined;
      }
      const keys = rows === 'all' ? rows : new Set(rows.map((row) => keyOf(row, threads)));
      const before = rowsNow();
      patchRows((all) => patch.change(all, keys));
      const after = rowsNow();
      return () => before && after && patchRows((all) => patch.revert(all, before, after, keys));
    },
    onSuccess: (done, _job, revert) => done && offer({ ...done, revert }),
    onError: (_error, _job, revert) => revert?.(),
    onSettled: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });
  return {
    run: (id, targets, ...[args]) => mutate({ id, targets, args }),
    /** Rejects if it fails. */
    runAsync: (id, targets, ...[args]) => mutateAsync({ id, targets, args }),
  };
}
