/** Retention: its policy, its runs, and the use of the disk. */
import type { Actor } from '../../../contract/audit.ts';
import type { Archived, ArchiveImported } from '../../../contract/archive.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { RetentionPolicy, RetentionPreview, RetentionStatus } from '../../../contract/retention.ts';
import { isoTime } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import { databaseBytes } from '../../platform/storage/bulk.ts';
import { engineOf } from '../../platform/storage/engine.ts';
import { agedRules, createRun, type RunDeps, surplus } from './run.ts';
import { findRemovable, type Reason } from './scan.ts';
import { importArchived, revisionOf, setRetention } from './writes.ts';

/** Interval of looking for something to remove. Milliseconds. */
const EVERY_MS = 10_000;
/** Days whose average is what a day costs, and the longest forecast. */
const COST_DAYS = 7;
const FORECAST_DAYS = 3650;

/** The policy, its runs, archives and the use of the disk. */
export type Retention = ReturnType<typeof createRetention>;
export type RetentionFigures = Retention['figures'];

/** Results of the runs. */
export type RetentionReport = Pick<RetentionStatus, 'removed' | 'lastRemovedAt' | 'error' | 'archive' | 'archiveError'>;

export interface RetentionDeps extends Omit<RunDeps, 'onRemoved'> {
  /** Free bytes on the disk of the database; undefined: unknown. */
  diskFree: () => number | undefined;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
  /** Shares what has been done with the other replicas. */
  share?: ((report: RetentionReport) => void) | undefined;
  /** Results of the leading replica; undefined: this one runs. */
  followed?: (() => Promise<RetentionReport | undefined>) | undefined;
}

/** Runs on the leader only; the policy of a provisioning file takes precedence over that of an admin. */
export function createRetention(deps: RetentionDeps) {
  const { db, writes, store, archive, now, steady } = deps;
  const runs = createRuns(deps);
  const status = () => readStatus(deps, runs);
  let stopping = AbortSignal.abort();
  const inTurn = createSerial();
  /** Removes all that is to be removed now; only while this replica leads. */
  const run = (): Promise<void> => {
    const signal = stopping;
    return inTurn(() => (signal.aborted ? undefined : runs.run(signal)));
  };

  return {
    status,
    /**
     * @param revision of the policy that is replaced; undefined: whichever it is
     * @throws HttpProblem 409 if it is provisioned, or has another revision
     */
    async set(policy: RetentionPolicy, by: Actor | null, revision?: string): Promise<RetentionStatus> {
      const { conflict } = await writes.submit(setRetention, { policy, by, revision, now: now() });
      if (conflict !== null) {
        throw new HttpProblem('conflict', conflict);
      }
      return status();
    },
    preview: (policy: RetentionPolicy) => preview(deps, policy),
    /** The provisioning file that sets the policy. */
    provisionedBy: async () => (await store.policy()).file,
    async import(notifications: Archived[], by: Actor | null): Promise<ArchiveImported> {
      const change = { notifications, now: steady(), by, at: now() };
      const { pausedUntil, ...result } = await writes.submit(importArchived, change);
      return { ...result, pausedUntil: isoTime(now() + pausedUntil - steady()) };
    },
    run,
    /** For metrics. */
    figures: {
      /** Since the start. */
      removed: () => runs.removed(),
      notifications: () => store.count(),
      /** Bytes inside the database that are free. */
      databaseFree: () => engineOf(db).freeBytesInside(db),
      /** Undefined: unknown. */
      diskFree: () => deps.diskFree(),
      archiveBytes: async () => (await archive.size()).bytes,
      /** Whether the last run failed. */
      failed: () => runs.failed(),
    },
    /** Removes notifications, until the function that it returns is called and resolves. Only one bridge of a database may. */
    lead(): () => Promise<void> {
      const ending = new AbortController();
      stopping = ending.signal;
      // A run may take hours: others do not wait behind it.
      const stopRuns = repeat('remove old notifications', EVERY_MS, run, deps.log);
      return async () => {
        ending.abort();
        stopRuns();
        await inTurn(() => undefined);
      };
    },
    close: () => archive.close(),
  };
}

type Runs = ReturnType<typeof createRuns>;

function createRuns(deps: RetentionDeps) {
  const { store, archive, now, log } = deps;
  let removed = 0;
  let lastRemovedTs: number | undefined;
  let failure: string | undefined;
  const once = createRun({
    ...deps,
    onRemoved(count) {
      removed += count;
      lastRemovedTs = count > 0 ? now() : lastRemovedTs;
    },
  });

  const report = async (): Promise<RetentionReport> => ({
    removed,
    ...(lastRemovedTs !== undefined && { lastRemovedAt: isoTime(lastRemovedTs) }),
    ...(failure !== undefined && { error: failure }),
    ...(await archive.size().then(
      (size) => ({ archive: size }),
      (error: Error) => ({ archiveError: error.message })
    )),
  });

  const run = async (signal: AbortSignal): Promise<void> => {
    const before = removed;
    try {
      const { policy } = await store.policy();
      await once(policy, signal);
      failure = undefined;
    } catch (error) {
      const message = (error as Error).message;
      if (failure !== message) {
        log.error({ err: error }, 'retention failed; retrying');
      }
      failure = message;
    }
    deps.share?.(await report());
    if (removed > before) {
      log.info({ removed: removed - before }, 'old notifications removed');
    }
  };

  return {
    /** Does not throw: a failure is logged and reported. */
    run,
    report,
    removed: (): number => removed,
    failed: (): boolean => failure !== undefined,
  };
}

async function readStatus(deps: RetentionDeps, runs: Runs): Promise<RetentionStatus> {
  const { db, store, now, steady } = deps;
  const { policy, file, changedTs, changedBy } = await store.policy();
  const [notifications, mean, perDay] = [
    await store.count(),
    await store.meanBytes(),
    await store.perDay(now(), COST_DAYS),
  ];
  const [databaseSize, free, pausedUntil] = [
    await databaseBytes(db),
    await engineOf(db).freeBytesInside(db),
    await store.pausedUntil(),
  ];
  const day = { notifications: Math.round(perDay), bytes: Math.round(perDay * mean) };
  const diskFree = deps.diskFree();
  const days = diskFree === undefined || day.bytes === 0 ? Infinity : (diskFree + free) / day.bytes;
  const left = pausedUntil - steady();
  return {
    policy,
    revision: revisionOf(policy),
    ...(file !== undefined && { file }),
    ...(changedTs !== undefined && { changedAt: isoTime(changedTs) }),
    ...(changedBy !== undefined && { changedBy }),
    ...((await deps.followed?.()) ?? (await runs.report())),
    ...(left > 0 && { pausedUntil: isoTime(now() + left) }),
    notifications,
    databaseBytes: databaseSize,
    databaseFreeBytes: free,
    notificationBytes: Math.round(notifications * mean),
    day,
    ...(diskFree !== undefined && { diskFreeBytes: diskFree }),
    ...(days < FORECAST_DAYS && { diskFullAt: isoTime(now() + days * DAY_MS) }),
  };
}

/** Previews a policy for all notifications or the oldest. Requests are served in between. */
async function preview({ db, store, steady }: RetentionDeps, policy: RetentionPolicy): Promise<RetentionPreview> {
  const rules = await agedRules(db, policy, steady());
  const [notifications, mean, until] = [await store.count(), await store.meanBytes(), await store.lastId()];
  const range = { rules, until };
  let looked = 0;
  const countOf = async (reason: Reason): Promise<{ found: number; inOpenThreads: number; complete: boolean }> => {
    let [found, inOpenThreads, after] = [0, 0, 0];
    const kept = new Set<number>();
    for (let next: number | undefined = 0; next !== undefined;) {
      if (looked >= LIMITS.retentionPreviewRows.value) {
        return { found, inOpenThreads, complete: false };
      }
      const step = await findRemovable(db, { ...range, reason, after }, Infinity, { kept });
      found += step.rows.length;
      inOpenThreads += step.inOpenThreads;
      looked += step.looked;
      next = step.next;
      after = next ?? after;
      await new Promise(setImmediate);
    }
    return { found, inOpenThreads, complete: true };
  };
  const byRules = await countOf('rules');
  const extra = await surplus(store, policy, notifications - byRules.found);
  looked = 0;
  // The limits would remove those that the rules remove as well.
  const byLimit = extra > 0 ? (await countOf('limit')).found - byRules.found : 0;
  const removed = byRules.found + Math.max(0, Math.min(extra, byLimit));
  return {
    removed,
    notifications,
    bytes: Math.round(removed * mean),
    heldByOpenThreads: byRules.inOpenThreads,
    complete: byRules.complete,
  };
}
