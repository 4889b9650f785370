/** Audit entries, written in the transaction of the change that they record. Runs in the writer thread. */
import type { Actor, AuditAction } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Transacting } from '../storage/engine.ts';
import type { AuditRow } from '../storage/schema.ts';
import { takeNumbers } from '../storage/series.ts';
import type { Written } from '../storage/write.ts';

export interface NewAuditEntry {
  /** Null: the bridge itself. */
  by: Actor | null;
  action: AuditAction;
  object: string;
  /** Values as JSON, without secrets; undefined: none. */
  before?: unknown;
  after?: unknown;
  /** UTC milliseconds. */
  now: number;
}

/** Records a change. Call it in the transaction of the change, after it is certain that something changes. */
export async function audit(
  trx: Transacting,
  { by, action, object, before, after, now }: NewAuditEntry
): Promise<void> {
  const id = await takeNumbers(trx, 'audit', 1);
  const row: AuditRow = {
    id,
    ts: now,
    actor_kind: by?.kind ?? 'bridge',
    actor: by?.name ?? '',
    actor_key: by?.key ?? null,
    address: by?.address ?? null,
    action,
    object: object.slice(0, LIMITS.auditObject.value),
    before: valueColumn(before),
    after: valueColumn(after),
  };
  await trx.insertInto('audit').values(row).execute();
  await trx
    .deleteFrom('audit')
    .where('id', '<=', id - LIMITS.auditEntries.value)
    .execute();
}

/** A value that is too large is replaced by its beginning, so that it remains JSON. */
function valueColumn(value: unknown): string | null {
  const json = value === undefined || value === null ? undefined : JSON.stringify(value);
  if (json === undefined || json.length <= LIMITS.auditValue.value) {
    return json ?? null;
  }
  return JSON.stringify({ truncated: json.slice(0, LIMITS.auditValue.value / 2) });
}

/** Adds to `after.count` of the entry of a change that takes several transactions; the first one creates the entry. */
export async function auditStep(
  trx: Transacting,
  { count, after, ...entry }: NewAuditEntry & { count: number; after: Record<string, unknown> }
): Promise<void> {
  const row = await trx
    .selectFrom('audit')
    .select(['id', 'after'])
    .where('action', '=', entry.action)
    .where('object', '=', entry.object)
    .executeTakeFirst();
  if (row === undefined) {
    await (count > 0 ? audit(trx, { ...entry, after: { count, ...after } }) : undefined);
    return;
  }
  const known = JSON.parse(row.after ?? '{}') as { count?: number };
  await trx
    .updateTable('audit')
    .set({ after: JSON.stringify({ ...known, count: (known.count ?? 0) + count }) })
    .where('id', '=', row.id)
    .execute();
}

/** Records a state that is applied again at each start, if it differs from the state recorded last. */
export async function auditState(trx: Transacting, entry: NewAuditEntry): Promise<void> {
  const last = await trx
    .selectFrom('audit')
    .select('after')
    .where('action', '=', entry.action)
    .where('object', '=', entry.object)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if ((last?.after ?? null) !== valueColumn(entry.after)) {
    const before = last?.after == null ? undefined : (JSON.parse(last.after) as unknown);
    await audit(trx, { ...entry, before });
  }
}

/** Removes at most `limit` entries that are older than `before`. @returns whether there may be more */
export async function cleanAudit(
  trx: Transacting,
  { before, limit }: { before: number; limit: number }
): Promise<Written<{ more: boolean }>> {
  // A later one may have an earlier time: the clock was set back.
  const kept = await trx
    .selectFrom('audit')
    .select('id')
    .where('ts', '>=', before)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const old = await trx
    .selectFrom('audit')
    .select('id')
    .where('ts', '<', before)
    .where('id', '<', kept?.id ?? Number.MAX_SAFE_INTEGER)
    .orderBy('id')
    .limit(limit)
    .execute();
  const last = old.at(-1);
  if (last !== undefined) {
    await trx.deleteFrom('audit').where('id', '<=', last.id).where('ts', '<', before).execute();
  }
  return { result: { more: old.length === limit }, events: [] };
}
