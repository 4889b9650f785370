/** Reads maintenance windows, inhibition rules, and what they suppress. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Labels } from '../../../contract/matchers.ts';
import type { Status } from '../../../contract/notification.ts';
import type { Suppressor } from '../../../contract/respond.ts';
import type { InhibitRule, MaintenanceBody } from '../../../contract/suppression.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { priorityOf } from '../../inbox/notifications/rows.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { StoredWindow } from './writes.ts';

export async function readWindows(db: Database): Promise<StoredWindow[]> {
  const rows = await db.selectFrom('maintenance_windows').selectAll().orderBy('id').execute();
  return rows.map(({ id, file, content, created_by: by, updated_ts: updatedAt }) => ({
    ...(JSON.parse(content) as MaintenanceBody),
    ...{ id, file, by, updatedAt },
  }));
}

export async function readRules(db: Database): Promise<(InhibitRule & { file: string })[]> {
  const rows = await db.selectFrom('inhibit_rules').selectAll().orderBy('file').execute();
  return rows.flatMap(({ file, rules }) => (JSON.parse(rules) as InhibitRule[]).map((rule) => ({ ...rule, file })));
}

/** A silence, window or rule that suppresses threads, and how many. */
export interface Count {
  suppressor: Suppressor;
  ref: string;
  count: number;
}

export const countSuppressed = (db: Database): Promise<Count[]> =>
  db
    .selectFrom('suppressed')
    .select((all) => ['suppressor', 'ref', all.fn.countAll<number>().as('count')])
    .groupBy(['suppressor', 'ref'])
    .execute();

/** Threads that silences suppress, by id of the silence. */
export async function silencedThreads(
  db: Database
): Promise<Map<string, { correlationId: string; dnpName: string }[]>> {
  const rows = await db
    .selectFrom('suppressed as s')
    .innerJoin('threads as t', 't.id', 's.thread_id')
    .innerJoin('notifications as n', 'n.id', 't.head_id')
    .select(['s.ref', 'n.correlation_id', 'n.dnp_name'])
    .where('s.suppressor', '=', 'silence')
    .limit(LIMITS.listRows.value)
    .execute();
  const byId = Map.groupBy(rows, ({ ref }) => ref);
  return new Map(
    [...byId].map(([id, of]) => [
      id,
      of.map(({ correlation_id: correlationId, dnp_name: dnpName }) => ({ correlationId, dnpName })),
    ])
  );
}

/** Threads of these silences, windows or rules, and those whose source is no longer open, or no longer matches its rule by the same labels. */
export async function endedThreads(
  db: Database,
  ended: readonly Pick<Count, 'suppressor' | 'ref'>[],
  limit: number
): Promise<number[]> {
  const released = await db
    .selectFrom('suppressed as s')
    .leftJoin('threads as t', 't.id', 's.source_thread')
    .select('s.thread_id')
    .where('s.suppressor', '=', 'inhibition')
    .where(
      sql<boolean>`(coalesce(t.state, '') <> 'open'
        or not exists (select 1 from inhibitors i
          where i.thread_id = s.source_thread and i.rule = s.ref and i.equal_key = s.equal_key))`
    )
    .limit(limit)
    .execute();
  const refs = ended.map(({ ref }) => ref);
  const others = await db
    .selectFrom('suppressed')
    .select('thread_id')
    .where(inList('ref', refs))
    .limit(limit)
    .execute();
  return [...new Set([...released, ...others].map(({ thread_id }) => thread_id))];
}

/** Open threads with their newest notification, in the order of their ids. */
export const openHeads = (db: Database, after: number, limit: number): Promise<{ thread_id: number; id: number }[]> =>
  db
    .selectFrom('threads as t')
    .innerJoin('notifications as n', 'n.id', 't.head_id')
    .select(['n.thread_id', 'n.id'])
    .where('t.state', '=', 'open')
    .where('t.id', '>', after)
    .orderBy('t.id')
    .limit(limit)
    .execute();

/** The newest notification of these threads, as far as routes and matchers compare it. */
export async function payloadsOf(db: Database, threads: readonly number[]): Promise<Map<number, Incoming['payload']>> {
  const rows = await db
    .selectFrom('threads as t')
    .innerJoin('notifications as n', 'n.id', 't.head_id')
    .leftJoin('label_sets as l', 'l.id', 'n.label_set')
    .select(['t.id', 'n.category', 'n.dnp_name', 'n.node', 'n.priority', 'n.status', 'l.labels'])
    .where(inList('t.id', threads))
    .execute();
  return new Map(
    rows.map(({ id, category, dnp_name: dnpName, node, priority, status, labels }) => [
      id,
      {
        ...{ title: '', body: '', category, dnpName, node },
        priority: priorityOf(priority),
        status: status as Status,
        ...(labels !== null && { labels: JSON.parse(labels) as Labels }),
      },
    ])
  );
}
