/** Changes of retention. Runs in the writer thread. */
import { hash } from 'node:crypto';
import { type Actor, nameOfActor } from '../../../contract/audit.ts';
import type { Archived } from '../../../contract/archive.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { RetentionPolicy } from '../../../contract/retention.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { audit } from '../../platform/audit/writes.ts';
import { bringBack, deleteForGood } from '../notifications/deletions.ts';
import { threadKey } from '../notifications/receiveRows.ts';
import { named } from '../notifications/writes.ts';
import { keepLabelSets, readLabels, selectLabelSets } from '../labels/writes.ts';
import { inList, together } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import { takeNumbers } from '../../platform/storage/series.ts';
import type { Written } from '../../platform/storage/write.ts';
import { fromArchived } from './archived.ts';
import { type Criteria, findRemovable } from './scan.ts';
import type { Measure } from './store.ts';

export interface RemovedStep {
  ids: number[];
  /** See {@link Found}. */
  next: number | undefined;
}

/**
 * Removes the next notifications, without undo. They are looked up again here: what has changed since they were archived stays. Events
 * come later, by {@link announceRemoved}, so that many steps make few events.
 * @param archived only these, if given
 */
export async function removeOld(
  trx: Transacting,
  { max, archived, ...criteria }: Criteria & { max: number; archived?: number[] | undefined }
): Promise<Written<RemovedStep>> {
  const { rows, next } = await findRemovable(trx, criteria, max, { among: archived && new Set(archived) });
  if (rows.length > 0) {
    await deleteForGood(trx, rows);
  }
  return { result: { ids: rows.map(({ id }) => id), next }, events: [] };
}

/** The event `deleted` for what retention removed; the rows are gone already. */
export function announceRemoved(_trx: Transacting, { ids }: { ids: number[] }): Promise<Written<void>> {
  return Promise.resolve({ result: undefined, events: [{ type: 'deleted', data: { ids: named(ids) } }] });
}

interface PolicyChange {
  policy: RetentionPolicy;
  /** Revision of the policy that is replaced; undefined: any. */
  revision?: string | undefined;
  /** Null: the bridge. */
  by: Actor | null;
  now: number;
}

/** Identifies a policy, so that an admin does not overwrite changes of another. */
export const revisionOf = (policy: RetentionPolicy): string =>
  hash('sha256', JSON.stringify(policy), 'hex').slice(0, 16);

/** An admin sets the policy. @returns why nothing was changed, as a sentence */
export async function setRetention(
  trx: Transacting,
  { policy, revision, by, now }: PolicyChange
): Promise<Written<{ conflict: string | null }>> {
  const file = await trx.selectFrom('retention').select('file').where('file', '!=', '').executeTakeFirst();
  if (file) {
    const conflict = `Retention is provisioned by ${file.file}; it can be changed only there.`;
    return { result: { conflict }, events: [] };
  }
  const before = await trx.selectFrom('retention').select('policy').where('file', '=', '').executeTakeFirst();
  const current = before === undefined ? {} : (JSON.parse(before.policy) as RetentionPolicy);
  if (revision !== undefined && revision !== revisionOf(current)) {
    return { result: { conflict: 'Retention has been changed since it was read. Load it again.' }, events: [] };
  }
  await store(trx, '', policy, by, now);
  return { result: { conflict: null }, events: [] };
}

/** A provisioning file sets the policy, or no longer does (null). */
export async function provisionRetention(
  trx: Transacting,
  { file, policy, now }: { file: string; policy: RetentionPolicy | null; now: number }
): Promise<void> {
  if (policy === null) {
    const before = await trx.deleteFrom('retention').where('file', '=', file).returning('policy').executeTakeFirst();
    if (before) {
      const entry = { by: { kind: 'file', name: file }, action: 'retention.change', object: 'retention' } as const;
      await audit(trx, { ...entry, before: JSON.parse(before.policy), now });
    }
  } else {
    await store(trx, file, policy, { kind: 'file', name: file }, now);
  }
}

async function store(
  trx: Transacting,
  file: string,
  policy: RetentionPolicy,
  by: Actor | null,
  ts: number
): Promise<void> {
  const text = JSON.stringify(policy);
  const before = await trx.selectFrom('retention').select('policy').where('file', '=', file).executeTakeFirst();
  if (before?.policy !== text) {
    const values = { policy: text, ts, set_by: file === '' ? nameOfActor(by) : null };
    await trx
      .insertInto('retention')
      .values({ file, ...values })
      .onConflict((conflict) => conflict.column('file').doUpdateSet(values))
      .execute();
    const was = before && (JSON.parse(before.policy) as unknown);
    await audit(trx, { by, action: 'retention.change', object: 'retention', before: was, after: policy, now: ts });
  }
}

export interface ImportedStep {
  imported: number;
  present: number;
  conflicts: number[];
  /** End of the pause, by the bridge's own clock. */
  pausedUntil: number;
}

/**
 * Stores archived notifications with their ids, as read ones: nothing is unread, no event is sent. Pauses retention, which would remove
 * them again. What is there already stays as it is, also the state of a thread, so that newer ones have to be imported first.
 * @param now by the bridge's own clock
 * @param at the system's clock
 */
export async function importArchived(
  trx: Transacting,
  { notifications, now, by, at }: { notifications: Archived[]; now: number; by: Actor | null; at: number }
): Promise<Written<ImportedStep>> {
  const byId = new Map(notifications.map((one) => [one.id, one]));
  const known = await existing(trx, [...byId.keys()]);
  const isSame = (one: Archived, { ts, ...row }: Known): boolean =>
    Date.parse(one.timestamp) === ts && keyOf(one) === keyOfRow(row);
  const fresh = [...byId.values()].filter(({ id }) => !known.has(id)).sort((a, b) => a.id - b.id);
  const conflicts = [...byId.values()].filter((one) => known.has(one.id) && !isSame(one, known.get(one.id)!));
  if (fresh.length > 0) {
    await storeFresh(trx, fresh);
    const after = { imported: fresh.length, first: fresh[0]!.id, last: fresh.at(-1)!.id };
    await audit(trx, { by, action: 'archive.import', object: 'archive', after, now: at });
  }
  const pausedUntil = now + LIMITS.importPauseDays.value * DAY_MS;
  await raise(trx, 'retention-pause', pausedUntil);
  return {
    result: {
      imported: fresh.length,
      present: byId.size - fresh.length - conflicts.length,
      conflicts: conflicts.map(({ id }) => id),
      pausedUntil,
    },
    events: [],
  };
}

const keyOf = ({ dnpName, correlationId, node = '' }: Archived): string => threadKey(dnpName, correlationId, node);
const keyOfRow = (row: Pick<NotificationRow, 'dnp_name' | 'correlation_id' | 'node'>): string =>
  threadKey(row.dnp_name, row.correlation_id, row.node);

type Known = Pick<NotificationRow, 'id' | 'ts' | 'dnp_name' | 'correlation_id' | 'node'>;

/** Also those whose deletion can still be undone. */
async function existing(trx: Transacting, ids: readonly number[]): Promise<Map<number, Known>> {
  const rows: Known[] = [];
  for (const table of ['trash', 'notifications'] as const) {
    rows.push(
      ...(await trx
        .selectFrom(table)
        .select(['id', 'ts', 'dnp_name', 'correlation_id', 'node'])
        .where(inList('id', ids))
        .execute())
    );
  }
  return new Map(rows.map((row) => [row.id, row]));
}

async function storeFresh(trx: Transacting, fresh: readonly Archived[]): Promise<void> {
  const keys = [...new Set(fresh.map(keyOf))];
  const first = await takeNumbers(trx, 'thread', keys.length);
  const threads = new Map(keys.map((key, index) => [key, first + index]));
  await raise(trx, 'notification', fresh.at(-1)!.id);
  const labels = readLabels(fresh.map((one) => one.labels));
  const [stored] = await together(trx, selectLabelSets(trx, labels));
  const sets = await keepLabelSets(trx, labels, stored);
  await bringBack(
    trx,
    fresh.map((one, index) => fromArchived(one, threads.get(keyOf(one))!, sets[index] ?? 0))
  );
}

/** Raises a series to at least this. */
async function raise(trx: Transacting, name: string, last: number): Promise<void> {
  await trx
    .insertInto('series')
    .values({ name, last })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ last }).where('series.last', '<', last))
    .execute();
}

/** Stores the measured size of a notification: series `size-factor` and `size-measured`. */
export async function keepMeasure(trx: Transacting, { notifications, factor }: Measure): Promise<void> {
  for (const [name, last] of [
    ['size-factor', factor],
    ['size-measured', notifications],
  ] as const) {
    await trx
      .insertInto('series')
      .values({ name, last })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ last }))
      .execute();
  }
}
