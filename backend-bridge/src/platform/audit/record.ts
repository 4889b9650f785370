/** Records changes outside of the database, such as of files, and removes old entries. */
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { audit, cleanAudit, type NewAuditEntry } from './writes.ts';

export type RecordChange = (entry: Omit<NewAuditEntry, 'now'>) => Promise<void>;

/** Interval for calling `removeOldEntries`. Milliseconds. */
export const CLEAN_EVERY_MS = 3_600_000;

type Writes = Pick<WriteQueue, 'submit'>;

export const createRecorder =
  (writes: Writes, now: () => number): RecordChange =>
  (entry) =>
    writes.submit(audit, { ...entry, now: now() });

/** @param steady the bridge's own clock, so that a clock that was wrong for a moment removes nothing */
export async function removeOldEntries(writes: Writes, steady: () => number): Promise<void> {
  const before = steady() - LIMITS.auditDays.value * DAY_MS;
  while ((await writes.submit(cleanAudit, { before, limit: LIMITS.sliceRows.value })).more) {
    // The next slice.
  }
}
