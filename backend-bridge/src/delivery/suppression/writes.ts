/** Stores maintenance windows and inhibition rules, and sends what is no longer suppressed. Runs in the writer thread. */
import { sql } from 'kysely';
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type InhibitRule, type MaintenanceBody, maintenanceBodyOf } from '../../../contract/suppression.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Destinations, Suppression } from '../../inbox/notifications/receive.ts';
import { responded } from '../../inbox/respond/threads.ts';
import { isSnoozed } from '../../inbox/responses/conditions.ts';
import { audit, auditState } from '../../platform/audit/writes.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import { addedFor, enqueue } from '../channels/enqueue.ts';
import { shortHash } from './rules.ts';
import { sentBefore } from './sentSteps.ts';
import { type Candidate, openSources, sidesOf, suppress, toRow, withdraw } from './arrivals.ts';

/** For all replicas: they read windows, rules and silences again. */
export const SUPPRESSIONS_CHANGED = { type: 'suppressions', data: {} } as const;

export interface StoredWindow extends MaintenanceBody {
  id: string;
  /** Empty: none. */
  file: string;
  by: string;
  updatedAt: number;
}

/** @param before how it was; undefined: it is new */
export async function keepWindow(
  trx: Transacting,
  { window, before, by }: { window: StoredWindow; before: MaintenanceBody | undefined; by: Actor | null }
): Promise<Written<void>> {
  await put(trx, window);
  const { id: object, updatedAt: now } = window;
  await audit(trx, {
    by,
    action: 'maintenance.set',
    object,
    before: before && maintenanceBodyOf(before),
    after: maintenanceBodyOf(window),
    now,
  });
  const old = now - LIMITS.keptWindowDays.value * DAY_MS;
  await trx
    .deleteFrom('maintenance_windows')
    .where('updated_ts', '<', old)
    .where('file', '=', '')
    .where(sql<boolean>`${inList('id', await expiredBefore(trx, old))}`)
    .execute();
  return { result: undefined, events: [SUPPRESSIONS_CHANGED] };
}

/** Windows that ended before, UTC milliseconds. */
async function expiredBefore(trx: Transacting, before: number): Promise<string[]> {
  const rows = await trx.selectFrom('maintenance_windows').select(['id', 'content']).execute();
  const hasEnded = (content: string) => Date.parse((JSON.parse(content) as MaintenanceBody).endsAt ?? '') < before;
  return rows.flatMap(({ id, content }) => (hasEnded(content) ? [id] : []));
}

async function put(trx: Transacting, window: StoredWindow): Promise<void> {
  const { id, file, by: created_by, updatedAt: updated_ts } = window;
  const values = { content: JSON.stringify(maintenanceBodyOf(window)), created_by, updated_ts };
  await trx
    .insertInto('maintenance_windows')
    .values({ id, file, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

export async function removeWindow(
  trx: Transacting,
  { id, by, now }: { id: string; by: Actor | null; now: number }
): Promise<Written<boolean>> {
  const row = await trx.deleteFrom('maintenance_windows').where('id', '=', id).returning('content').executeTakeFirst();
  if (row) {
    await audit(trx, { by, action: 'maintenance.remove', object: id, before: JSON.parse(row.content) as unknown, now });
  }
  return { result: row !== undefined, events: row ? [SUPPRESSIONS_CHANGED] : [] };
}

/** The id of a window of a provisioning file. */
export const fileWindowId = (name: string): string => shortHash(name);

/** All windows and rules of a provisioning file. */
export async function provisionSuppressions(
  trx: Transacting,
  { file, windows, rules, now }: { file: string; windows: MaintenanceBody[]; rules: InhibitRule[]; now: number }
): Promise<Written<void>['events']> {
  const by = { kind: 'file', name: file } as const;
  const known = await trx.selectFrom('maintenance_windows').selectAll().where('file', '=', file).execute();
  const wanted = new Map(windows.map((window) => [fileWindowId(window.name), window]));
  const knownRules = await trx.selectFrom('inhibit_rules').select('rules').where('file', '=', file).executeTakeFirst();
  const text = JSON.stringify(rules);
  const isEqual =
    known.length === wanted.size &&
    known.every(({ id, content }) => wanted.has(id) && JSON.stringify(maintenanceBodyOf(wanted.get(id)!)) === content);
  if (isEqual && (knownRules?.rules ?? '[]') === text) {
    return [];
  }
  await trx.deleteFrom('maintenance_windows').where('file', '=', file).execute();
  await trx.deleteFrom('inhibit_rules').where('file', '=', file).execute();
  for (const [id, window] of wanted) {
    await put(trx, { ...window, id, file, by: file, updatedAt: now });
  }
  if (rules.length > 0) {
    await trx.insertInto('inhibit_rules').values({ file, rules: text }).execute();
  }
  for (const id of new Set([...known.map((row) => row.id), ...wanted.keys()])) {
    const window = wanted.get(id);
    await auditState(trx, {
      by,
      action: 'maintenance.set',
      object: id,
      after: window && maintenanceBodyOf(window),
      now,
    });
  }
  await auditState(trx, { by, action: 'inhibition.configure', object: file, after: rules, now });
  return [SUPPRESSIONS_CHANGED];
}

/** A thread whose suppression may have ended. */
export interface Reconsidered {
  thread: number;
  suppression: Suppression | undefined;
  destinations: Destinations | undefined;
}

/** Sends the newest notification of threads that are no longer suppressed: an open one once, a resolved one where it was announced. */
export async function reconsider(
  trx: Transacting,
  { threads, now, steady }: { threads: Reconsidered[]; now: number; steady: number }
): Promise<Written<void>> {
  const ids = threads.map(({ thread }) => thread);
  const withoutSent = await sentBefore(trx, ids);
  const suppressed = await suppress(trx, threads, now);
  const released = new Map(threads.flatMap((one) => (suppressed.has(one.thread) ? [] : [[one.thread, one]])));
  const rows = await trx
    .selectFrom('threads as t')
    .innerJoin('notifications as n', 'n.id', 't.head_id')
    .leftJoin('responses as r', 'r.thread_id', 't.id')
    .select([
      'n.id',
      'n.thread_id',
      'n.ts',
      'n.status',
      'n.status_given',
      'n.muted',
      'n.hidden',
      'n.priority',
      't.state',
    ])
    .select(
      sql<number>`case when r.ack_ts is not null or ${isSnoozed(undefined, 't.id')} then 1 else 0 end`.as('handled')
    )
    .where(inList('t.id', ids))
    .execute();
  const sent = await sentAmong(
    trx,
    rows.map(({ id }) => id)
  );
  const arrivals = rows.flatMap((row) => {
    const destinations = released.get(row.thread_id)?.destinations;
    if (destinations === undefined || row.state === 'event' || (row.state === 'open' && row.handled === 1)) {
      return [];
    }
    const unsent = (channel: string): boolean => !sent.has(`${row.id} ${channel}`);
    const channels = destinations.channels.filter(unsent);
    const ifAnnounced = destinations.ifAnnounced.filter(unsent);
    const escalations = withoutSent(row.thread_id, destinations.escalations);
    const to =
      row.state === 'open'
        ? { ...destinations, channels, ifAnnounced, ...(escalations && { escalations }) }
        : { channels: [], ifAnnounced: [...channels, ...ifAnnounced] };
    return [{ row, destinations: to, sender: undefined, steady, begins: true as const }];
  });
  const added = await enqueue(trx, arrivals);
  return {
    result: undefined,
    events: [...responded(rows.map(({ id }) => id)), ...(added.channels.length > 0 ? [addedFor(added)] : [])],
  };
}

/** Notifications and channels, as `<id> <channel>`: sent before a source inhibited their threads. */
async function sentAmong(trx: Transacting, ids: readonly number[]): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('outbox')
    .select(['notification_id', 'channel'])
    .where(inList('notification_id', ids))
    .execute();
  return new Set(rows.map(({ notification_id, channel }) => `${notification_id} ${channel}`));
}

/** Suppresses those of these threads that a source inhibits and that are not suppressed yet. */
export async function inhibit(
  trx: Transacting,
  { candidates, now }: { candidates: readonly Candidate[]; now: number }
): Promise<Written<void>> {
  const known = await trx
    .selectFrom('suppressed')
    .select('thread_id')
    .where(
      inList(
        'thread_id',
        candidates.map(({ thread }) => thread)
      )
    )
    .execute();
  const ids = new Set(known.map(({ thread_id }) => thread_id));
  const others = candidates.filter(({ thread }) => !ids.has(thread));
  const sources = await openSources(trx, sidesOf(others));
  const inhibited = others.filter(({ thread, suppression }) => toRow(thread, suppression, sources) !== undefined);
  return inhibited.length > 0 ? withhold(trx, { candidates: inhibited, now }) : { result: undefined, events: [] };
}

/** Suppresses these threads, unless they have resolved meanwhile, and removes what waits of them. */
export async function withhold(
  trx: Transacting,
  { candidates, now }: { candidates: readonly Candidate[]; now: number }
): Promise<Written<void>> {
  const ids = candidates.map(({ thread }) => thread);
  const open = await trx
    .selectFrom('threads')
    .select(['id', 'head_id'])
    .where(inList('id', ids))
    .where('state', '=', 'open')
    .execute();
  const heads = new Map(open.map(({ id, head_id }) => [id, head_id]));
  const suppressed = await suppress(
    trx,
    candidates.filter(({ thread }) => heads.has(thread)),
    now
  );
  const threads = [...suppressed.keys()];
  await withdraw(trx, threads);
  return { result: undefined, events: responded(threads.flatMap((thread) => heads.get(thread) ?? [])) };
}
