/** Acknowledging, commenting, snoozing and assigning. Runs in the writer thread, each call inside a transaction. */
import { sql } from 'kysely';
import type { Actor } from '../../contract/audit.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Assignee } from '../../contract/respond.ts';
import { isoTime } from '../../contract/text.ts';
import { audit } from '../audit/writes.ts';
import { isThreadView, matching, type PageKey } from '../notifications/select.ts';
import { isIndexing, markThese, type Matching, named, type RestOfThreads } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import { inList, insertRows } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import type { ThreadRow } from '../storage/schema.ts';
import { lexemes } from '../storage/words.ts';
import type { Written } from '../storage/write.ts';
import { addActivities, respondTo, shownName } from './activities.ts';
import { wake } from './arrivals.ts';

/** Who acts, and when (UTC milliseconds). */
interface Act {
  /** Null: the bridge. */
  by: Actor | null;
  now: number;
}

const responded = (ids: readonly number[], reader?: Reader) =>
  ids.length === 0
    ? []
    : [{ type: 'responded' as const, data: { ids: named([...ids]), ...(reader && { reader: reader.key }) } }];

type ThreadOf = Pick<ThreadRow, 'id' | 'head_id' | 'priority'>;

/** The threads of these notifications. */
async function threadsOf(trx: Transacting, ids: readonly number[]): Promise<ThreadOf[]> {
  return trx
    .selectFrom('threads')
    .select(['id', 'head_id', 'priority'])
    .where('id', 'in', (all) =>
      all
        .selectFrom('notifications')
        .select('thread_id')
        .where(inList(sql.ref('id'), ids))
    )
    .orderBy('id')
    .execute();
}

const headOf = (thread: ThreadOf, id = 0): number => thread.head_id ?? id;

export interface Acknowledging extends Act {
  ids: number[];
  acknowledged: boolean;
  comment?: string | undefined;
  /** The person who acts, and has read it by that. */
  reader?: Reader | undefined;
}

export interface RespondedStep {
  found: number;
  /** The newest notification of each changed thread. */
  changed: number[];
  /** Members of long threads that are not marked as seen yet. */
  rest?: RestOfThreads | undefined;
}

/** Acknowledges the threads of these notifications, or takes that back. The last one who acts counts; who repeats it changes nothing. */
export async function acknowledge(
  trx: Transacting,
  { ids, acknowledged, comment, by, reader, now }: Acknowledging
): Promise<Written<RespondedStep>> {
  const threads = await threadsOf(trx, ids);
  const known = new Map(
    (
      await trx
        .selectFrom('responses')
        .selectAll()
        .where('ack_ts', 'is not', null)
        .where(
          inList(
            sql.ref('thread_id'),
            threads.map(({ id }) => id)
          )
        )
        .execute()
    ).map((row) => [row.thread_id, row])
  );
  const key = by?.key ?? null;
  const name = shownName(by);
  const text = comment?.trim() ? comment.trim() : undefined;
  const changing = threads.filter(({ id, priority }) => {
    const before = known.get(id);
    if (!acknowledged) {
      return before !== undefined;
    }
    const same = before?.ack_key === key && before.ack_by === name && (before.ack_comment ?? undefined) === text;
    return !same || (before.ack_priority ?? 0) < priority;
  });
  if (changing.length === 0) {
    return { result: { found: threads.length, changed: [] }, events: [] };
  }
  for (const [priority, some] of Map.groupBy(changing, (thread) => thread.priority)) {
    const values = acknowledged
      ? { ack_ts: now, ack_by: name, ack_key: key, ack_comment: text ?? null, ack_priority: priority }
      : { ack_ts: null, ack_by: null, ack_key: null, ack_comment: null, ack_priority: null };
    await respondTo(
      trx,
      some.map(({ id }) => id),
      values
    );
  }
  await addActivities(
    trx,
    changing.map(({ id }) => ({
      thread: id,
      ts: now,
      kind: acknowledged ? 'acknowledged' : 'unacknowledged',
      by,
      text,
    }))
  );
  const heads = changing.map((thread) => headOf(thread, ids[0]));
  const first = known.get(changing[0]!.id);
  await audit(trx, {
    by,
    action: acknowledged ? 'notification.acknowledge' : 'notification.unacknowledge',
    object: heads.length === 1 ? String(heads[0]) : '',
    ...(heads.length === 1 && first && { before: { by: first.ack_by, comment: first.ack_comment } }),
    after: {
      ...(heads.length > 1 && { count: heads.length, ids: named(heads) }),
      ...(text !== undefined && { comment: text }),
    },
    now,
  });
  const read = acknowledged
    ? await markThese(trx, { ids: heads, wholeThreads: true, seen: true, reader, limit: LIMITS.sliceRows.value })
    : undefined;
  return {
    result: { found: threads.length, changed: heads, rest: read?.result.rest },
    events: [...responded(heads), ...(read?.events ?? [])],
  };
}

/** The same of at most `limit` that match. */
export async function acknowledgeMatching(
  trx: Transacting,
  { filter, reader, now, limit, after, ...act }: Matching & Omit<Acknowledging, 'ids'> & { after?: PageKey | undefined }
): Promise<Written<RespondedStep & { next?: PageKey | undefined; more: boolean }>> {
  if (await isIndexing(trx, filter)) {
    return { result: { found: 0, changed: [], more: true, next: after }, events: [] };
  }
  const byThread = isThreadView(filter) ? filter : { ...filter, latest: true };
  const found = await matching(trx, { filter: byThread, reader: reader?.id, now, limit, after });
  const ids = found.map(({ id }) => id);
  const written = await acknowledge(trx, { ids, reader, now, ...act });
  return { ...written, result: { ...written.result, more: found.length === limit, next: found.at(-1) } };
}

export interface Commented {
  /** Of the comment. */
  id: number;
}

/** Adds a comment to the thread of a notification. */
export async function addComment(
  trx: Transacting,
  { id, text, by, now }: Act & { id: number; text: string }
): Promise<Written<Commented | 'absent' | 'full'>> {
  const [thread] = await threadsOf(trx, [id]);
  if (thread === undefined) {
    return { result: 'absent', events: [] };
  }
  const known = await trx
    .selectFrom('responses')
    .select('comments')
    .where('thread_id', '=', thread.id)
    .executeTakeFirst();
  const comments = known?.comments ?? 0;
  if (comments >= LIMITS.threadComments.value) {
    return { result: 'full', events: [] };
  }
  await respondTo(trx, [thread.id], { comments: comments + 1 });
  const comment = await addActivities(trx, [{ thread: thread.id, ts: now, kind: 'comment', by, text }]);
  await indexWords(trx, comment, text);
  await audit(trx, { by, action: 'comment.add', object: String(comment), after: { notification: id, text }, now });
  return { result: { id: comment }, events: responded([headOf(thread, id)]) };
}

async function indexWords(trx: Transacting, id: number, text: string): Promise<void> {
  await trx.deleteFrom('comment_words').where('id', '=', id).execute();
  await insertRows(
    trx,
    'comment_words',
    lexemes(text).map((word) => ({ word, id }))
  );
}

/** Changes a comment; `text` undefined deletes it. @param any not only one's own */
export async function changeComment(
  trx: Transacting,
  { id, text, any, by, now }: Act & { id: number; text: string | undefined; any: boolean }
): Promise<Written<'changed' | 'absent' | 'foreign'>> {
  const row = await trx
    .selectFrom('timeline')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'comment')
    .executeTakeFirst();
  const thread = row && (await threadById(trx, row.thread_id));
  if (!thread) {
    return { result: 'absent', events: [] };
  }
  if (!any && (row.actor_key === null || row.actor_key !== by?.key)) {
    return { result: 'foreign', events: [] };
  }
  if (row.content === (text ?? null)) {
    return { result: 'changed', events: [] };
  }
  if (text === undefined) {
    await trx.deleteFrom('timeline').where('id', '=', id).execute();
    await trx
      .updateTable('responses')
      .set((all) => ({ comments: all('comments', '-', 1) }))
      .where('thread_id', '=', row.thread_id)
      .execute();
  } else {
    await trx.updateTable('timeline').set({ content: text, edited_ts: now }).where('id', '=', id).execute();
  }
  await indexWords(trx, id, text ?? '');
  await audit(trx, {
    by,
    action: text === undefined ? 'comment.delete' : 'comment.edit',
    object: String(id),
    before: { by: row.actor, text: row.content },
    ...(text !== undefined && { after: { text } }),
    now,
  });
  return { result: 'changed', events: responded([headOf(thread)]) };
}

const threadById = (trx: Transacting, id: number): Promise<ThreadOf | undefined> =>
  trx.selectFrom('threads').select(['id', 'head_id', 'priority']).where('id', '=', id).executeTakeFirst();

/** Assigns the thread of a notification; null: to nobody. */
export async function assign(
  trx: Transacting,
  { id, assignee, by, now }: Act & { id: number; assignee: string | null }
): Promise<Written<'assigned' | 'absent' | 'unknown'>> {
  const [thread] = await threadsOf(trx, [id]);
  if (thread === undefined) {
    return { result: 'absent', events: [] };
  }
  const person = assignee === null ? undefined : await personOf(trx, assignee);
  if (assignee !== null && person === undefined) {
    return { result: 'unknown', events: [] };
  }
  const before = await trx
    .selectFrom('responses')
    .select(['assignee', 'assignee_name'])
    .where('thread_id', '=', thread.id)
    .executeTakeFirst();
  if ((before?.assignee ?? null) === assignee) {
    return { result: 'assigned', events: [] };
  }
  await respondTo(trx, [thread.id], { assignee, assignee_name: person?.name ?? null });
  const kind = person ? 'assigned' : 'unassigned';
  await addActivities(trx, [{ thread: thread.id, ts: now, kind, by, text: person?.name }]);
  await audit(trx, {
    by,
    action: 'notification.assign',
    object: String(headOf(thread, id)),
    ...(before?.assignee && { before: { assignee: before.assignee, name: before.assignee_name } }),
    after: { assignee, ...(person && { name: person.name }) },
    now,
  });
  return { result: 'assigned', events: responded([headOf(thread, id)]) };
}

async function personOf(trx: Transacting, key: string): Promise<Assignee | undefined> {
  const row = await trx.selectFrom('people').selectAll().where('key', '=', key).executeTakeFirst();
  return row && { key, name: row.login };
}

export interface Snoozed {
  outcome: 'snoozed' | 'absent' | 'full';
  rest?: RestOfThreads | undefined;
}

/** @param until UTC milliseconds; null: ends it. @param reader whose; undefined: of all */
export async function snooze(
  trx: Transacting,
  { id, until, reader, by, now }: Act & { id: number; until: number | null; reader: Reader | undefined }
): Promise<Written<Snoozed>> {
  const [thread] = await threadsOf(trx, [id]);
  if (thread === undefined) {
    return { result: { outcome: 'absent' }, events: [] };
  }
  const owner = reader?.id ?? 0;
  const before = await trx
    .selectFrom('snoozes')
    .selectAll()
    .where('reader', '=', owner)
    .where('thread_id', '=', thread.id)
    .where('woken_ts', 'is', null)
    .executeTakeFirst();
  if ((before?.until_ts ?? null) === until) {
    return { result: { outcome: 'snoozed' }, events: [] };
  }
  if (until === null) {
    await trx.deleteFrom('snoozes').where('reader', '=', owner).where('thread_id', '=', thread.id).execute();
  } else {
    const { count } = await trx
      .selectFrom('snoozes')
      .select((all) => all.fn.countAll<number>().as('count'))
      .where('reader', '=', owner)
      .where('woken_ts', 'is', null)
      .executeTakeFirstOrThrow();
    if (!before && count >= LIMITS.readerSnoozes.value) {
      return { result: { outcome: 'full' }, events: [] };
    }
    await respondTo(trx, [thread.id]);
    await insertRows(
      trx,
      'snoozes',
      [
        {
          thread_id: thread.id,
          reader: owner,
          until_ts: until,
          priority: thread.priority,
          set_ts: now,
          set_by: shownName(by),
          woken_ts: null,
        },
      ],
      `on conflict (reader, thread_id) do update set ${['until_ts', 'priority', 'set_ts', 'set_by', 'woken_ts']
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')}`
    );
  }
  const head = headOf(thread, id);
  if (reader) {
    return { result: { outcome: 'snoozed' }, events: responded([head], reader) };
  }
  const shown = until === null ? undefined : isoTime(until);
  await addActivities(trx, [
    { thread: thread.id, ts: now, kind: until === null ? 'unsnoozed' : 'snoozed', by, text: shown },
  ]);
  await audit(trx, {
    by,
    action: 'notification.snooze',
    object: String(head),
    ...(before && { before: { until: isoTime(before.until_ts) } }),
    after: { until: shown ?? null, for: 'all' },
    now,
  });
  // The shared state knows no snoozes.
  const marked =
    until === null
      ? undefined
      : await markThese(trx, { ids: [head], wholeThreads: true, seen: true, limit: LIMITS.sliceRows.value });
  return {
    result: { outcome: 'snoozed', rest: marked?.result.rest },
    events: [...responded([head]), ...(marked?.events ?? [])],
  };
}

/** Ends the snoozes that are due, at most so many. */
export async function wakeDue(
  trx: Transacting,
  { now, limit }: { now: number; limit: number }
): Promise<Written<{ more: boolean }>> {
  const due = await trx
    .selectFrom('snoozes as s')
    .innerJoin('threads as t', 't.id', 's.thread_id')
    .leftJoin('readers as r', 'r.id', 's.reader')
    .select(['s.thread_id', 's.reader', 't.head_id', 'r.key'])
    .where('s.woken_ts', 'is', null)
    .where('s.until_ts', '<=', now)
    .orderBy('s.until_ts')
    .limit(limit)
    .execute();
  await wake(
    trx,
    due.map(({ thread_id, reader, head_id }) => ({ thread: thread_id, reader, notification: head_id ?? 0, now }))
  );
  const own = due.flatMap(({ reader, head_id, key }) =>
    reader === 0 || key === null || head_id === null ? [] : [responded([head_id], { id: reader, key })]
  );
  const heads = due.flatMap(({ reader, head_id }) => (reader === 0 && head_id !== null ? [head_id] : []));
  const unseen =
    heads.length === 0
      ? []
      : (await markThese(trx, { ids: heads, wholeThreads: false, seen: false, limit: heads.length })).events;
  return { result: { more: due.length === limit }, events: [...own.flat(), ...responded(heads), ...unseen] };
}
