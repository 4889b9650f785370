/**
 * Removes what the policy no longer keeps: a window of notifications at a time, as writes between those of others. Runs on one bridge
 * only, between `start` and `stop`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../../contract/limits.ts';
import { ageMs, isActive, type RetentionPolicy, sizeBytes } from '../../../contract/retention.ts';
import { HOUR_MS } from '../../../contract/time.ts';
import { MAX_NAMED } from '../notifications/writes.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { toArchived } from './archived.ts';
import type { Archive } from './archiveFiles.ts';
import { arrivedBy } from './marks.ts';
import { type AgedRule, type Criteria, findRemovable } from './scan.ts';
import type { RetentionStore } from './store.ts';
import { announceRemoved, keepMeasure, removeOld } from './writes.ts';

/** Time for which other writes may delay a step, and interval of looking at the queue. Milliseconds. */
const WAIT_MS = 250;
const LOOK_MS = 10;
/** A step is followed by a pause of so many times its duration: retention uses at most a fifth of the time. */
const PAUSE_FACTOR = 4;
/** One event for all that was removed in this time. Milliseconds. */
const ANNOUNCE_MS = 5000;
/** Rows read at once for the archive, and characters that are written at once: texts can be long. */
const READ_ROWS = 25;
const WRITTEN_CHARACTERS = 4 * 1024 * 1024;

export interface RunDeps {
  db: Database;
  writes: Pick<WriteQueue, 'submit' | 'waiting'>;
  store: RetentionStore;
  archive: Archive;
  /** The bridge's own clock. */
  steady: () => number;
  /** Called with how many were removed by a step. */
  onRemoved: (count: number) => void;
  /** Milliseconds. */
  pause?: (ms: number) => Promise<unknown>;
}

/** The rules with the ids that are old enough for each. */
export async function agedRules(db: Database, { rules = [] }: RetentionPolicy, steady: number): Promise<AgedRule[]> {
  return Promise.all(
    rules.map(async (rule) => {
      const age = ageMs(rule.olderThan);
      return { ...rule, oldestUntil: Number.isFinite(age) ? await arrivedBy(db, steady - age) : -1 };
    })
  );
}

/** Number of notifications above the limit. */
export async function surplus(
  store: Pick<RetentionStore, 'meanBytes'>,
  { maxNotifications = Infinity, maxBytes }: RetentionPolicy,
  count: number
): Promise<number> {
  const mean = maxBytes === undefined ? 0 : await store.meanBytes();
  const fitting = maxBytes === undefined || mean === 0 ? Infinity : Math.floor(sizeBytes(maxBytes) / mean);
  return Math.max(0, count - Math.min(maxNotifications, fitting));
}

/**
 * Removes in transactions of 250, and pauses four times as long as each took (docs/decisions/0021-retention-and-backups.md).
 * @returns removes all that is to be removed now, from the oldest notification on; throws if an archive file or the store cannot be written
 */
export function createRun(deps: RunDeps): (policy: RetentionPolicy, signal: AbortSignal) => Promise<void> {
  const { db, writes, store, archive, steady, pause = sleep } = deps;
  const announcements = createAnnouncements(writes);
  /** Progress of the pass by age: ages change once an hour, with the marks. */
  let done: { key: string; after: number } = { key: '', after: 0 };
  /** Until here nothing is left that the limits may remove. */
  let swept: { key: string; after: number } = { key: '', after: 0 };

  /** Steps until the range is done or `wanted` are removed. @returns how far it came */
  const sweep = async (
    policy: RetentionPolicy,
    range: Criteria,
    wanted: number,
    signal: AbortSignal
  ): Promise<number> => {
    let left = wanted;
    let { after } = range;
    while (left > 0 && after < range.until && !signal.aborted) {
      const startedAt = performance.now();
      const max = Math.min(left, LIMITS.sliceRows.value);
      const step = await remove(deps, announcements, policy, { ...range, after }, max);
      left -= step.removed;
      after = step.next ?? range.until;
      await pause(Math.max(1, PAUSE_FACTOR * (performance.now() - startedAt)));
    }
    return after;
  };

  const once = async (policy: RetentionPolicy, signal: AbortSignal): Promise<void> => {
    if (!isActive(policy) || (await store.pausedUntil()) > steady()) {
      return;
    }
    const rules = await agedRules(db, policy, steady());
    const key = JSON.stringify(rules);
    const until = Math.max(0, ...rules.map((rule) => rule.oldestUntil));
    done = await pass(done, key, steady(), (after) =>
      sweep(policy, { rules, reason: 'rules', after, until }, Infinity, signal)
    );
    const measured = policy.maxBytes === undefined ? undefined : await store.measure();
    await (measured && writes.submit(keepMeasure, measured));
    const extra = await surplus(store, policy, await store.count());
    if (extra > 0) {
      const range = { rules, reason: 'limit' as const, until: await store.lastId() };
      swept = await pass(swept, key, steady(), (after) => sweep(policy, { ...range, after }, extra, signal));
    }
  };

  return async (policy, signal) => {
    try {
      // Nothing is archived on a disk that the archive has filled.
      await prune(archive, policy);
      await once(policy, signal);
    } finally {
      await announcements.send();
    }
  };
}

/** The next step of a range: at most `max` notifications. */
async function remove(
  deps: RunDeps,
  announcements: Announcements,
  policy: RetentionPolicy,
  range: Criteria,
  max: number
): Promise<{ removed: number; next: number | undefined }> {
  const { db, writes } = deps;
  const found = await findRemovable(db, range, max);
  if (found.rows.length === 0) {
    return { removed: 0, next: found.next };
  }
  const ids = found.rows.map(({ id }) => id);
  if (policy.archive) {
    await writeArchive(deps, ids, policy);
  }
  await idle(deps);
  const until = ids.at(-1)!;
  const step = await writes.submit(removeOld, { ...range, until, max, archived: ids });
  deps.onRemoved(step.ids.length);
  await announcements.add(step.ids);
  return { removed: step.ids.length, next: found.next };
}

async function prune(archive: Archive, { maxArchiveBytes }: RetentionPolicy): Promise<void> {
  await (maxArchiveBytes && archive.prune(sizeBytes(maxArchiveBytes)));
}

async function writeArchive({ store, archive }: RunDeps, ids: readonly number[], policy: RetentionPolicy) {
  let lines: string[] = [];
  let length = 0;
  const write = async (): Promise<void> => {
    await archive.append(lines);
    await prune(archive, policy);
    lines = [];
    length = 0;
  };
  for (let start = 0; start < ids.length; start += READ_ROWS) {
    const rows = await store.rows(ids.slice(start, start + READ_ROWS));
    const more = rows.map((row) => JSON.stringify(toArchived(row)));
    lines.push(...more);
    length += more.reduce((sum, line) => sum + line.length, 0);
    if (length >= WRITTEN_CHARACTERS) {
      await write();
    }
  }
  await (lines.length > 0 ? write() : undefined);
}

async function idle({ writes, pause = sleep }: RunDeps): Promise<void> {
  for (let waited = 0; writes.waiting > 0 && waited < WAIT_MS; waited += LOOK_MS) {
    await pause(LOOK_MS);
  }
}

type Announcements = ReturnType<typeof createAnnouncements>;

function createAnnouncements(writes: RunDeps['writes']) {
  let unannounced: number[] = [];
  let announcedAt = performance.now();
  const send = async (): Promise<void> => {
    const ids = unannounced;
    unannounced = [];
    announcedAt = performance.now();
    if (ids.length > 0) {
      await writes.submit(announceRemoved, { ids });
    }
  };
  return {
    async add(ids: readonly number[]): Promise<void> {
      // One more than an event names means "load again".
      unannounced = [...unannounced, ...ids].slice(0, MAX_NAMED + 1);
      if (performance.now() - announcedAt >= ANNOUNCE_MS) {
        await send();
      }
    },
    /** Sends what has not been announced yet. */
    send,
  };
}

/** Continues where the pass before stopped; begins anew each hour, since threads are resolved and notifications are read. */
async function pass(
  before: { key: string; after: number },
  rules: string,
  steady: number,
  sweep: (after: number) => Promise<number>
): Promise<{ key: string; after: number }> {
  const key = `${Math.floor(steady / HOUR_MS)} ${rules}`;
  return { key, after: await sweep(before.key === key ? before.after : 0) };
}
