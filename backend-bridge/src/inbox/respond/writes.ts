/** Commenting on threads, and assigning them. Runs in the writer thread, each call inside a transaction. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Assignee, Assignment } from '../../../contract/respond.ts';
import { audit } from '../../platform/audit/writes.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { lexemes } from '../../platform/storage/words.ts';
import type { Written } from '../../platform/storage/write.ts';
import { addActivities, respondTo } from '../responses/activities.ts';
import { type Act, type Changed, idsOf, record, responded, type ThreadOf, threadsOf } from './threads.ts';

/** A stored comment. */
export interface Commented {
  /** Id of the comment. */
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
  return { result: { id: comment }, events: responded([thread.head]) };
}

async function indexWords(trx: Transacting, id: number, text: string): Promise<void> {
  await trx.deleteFrom('comment_words').where('id', '=', id).execute();
  await insertRows(
    trx,
    'comment_words',
    lexemes(text).map((word) => ({ word, id }))
  );
}

/** Changes a comment; `text` undefined deletes it. @param others as in `Responding.changeComment` */
export async function changeComment(
  trx: Transacting,
  { id, text, others, by, now }: Act & { id: number; text: string | undefined; others: string | undefined }
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
  const isOwn = row.actor_key !== null && row.actor_key === by?.key;
  const isAllowed = others !== undefined && (row.actor_key ?? others).startsWith(others);
  if (!isOwn && !isAllowed) {
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
  return { result: 'changed', events: responded([thread.head]) };
}

const threadById = (trx: Transacting, id: number): Promise<ThreadOf | undefined> =>
  trx
    .selectFrom('threads')
    .select((all) => ['id', 'priority', all.fn.coalesce('head_id', sql.lit(0)).as('head')])
    .where('id', '=', id)
    .executeTakeFirst();

export interface Assigned extends Changed {
  /** To whom the changed threads were assigned before; null: to nobody. */
  before: Assignment[];
}

/** An assignment, or its removal. */
export interface Assigning extends Act {
  ids: readonly number[];
  /** Null: to nobody. */
  assignee: string | null;
}

/** Assigns the threads of these notifications. `unknown`: there is no such person, so nothing is changed. */
export async function assign(
  trx: Transacting,
  { ids, assignee, by, now }: Assigning
): Promise<Written<Assigned | 'unknown'>> {
  const threads = await threadsOf(trx, ids);
  const person = assignee === null ? undefined : await personOf(trx, assignee);
  if (assignee !== null && person === undefined) {
    return { result: 'unknown', events: [] };
  }
  const known = await trx
    .selectFrom('responses')
    .select(['thread_id', 'assignee', 'assignee_name'])
    .where('assignee', 'is not', null)
    .where(inList('thread_id', idsOf(threads)))
    .execute();
  const before = new Map(known.map((row) => [row.thread_id, row]));
  const changing = threads.filter(({ id }) => (before.get(id)?.assignee ?? null) !== assignee);
  if (changing.length === 0) {
    return { result: { changed: [], before: [] }, events: [] };
  }
  await respondTo(trx, idsOf(changing), { assignee, assignee_name: person?.name ?? null });
  const was = before.get(changing[0]!.id);
  const heads = await record(
    trx,
    changing,
    { by, now },
    {
      ...{ kind: person ? 'assigned' : 'unassigned', text: person?.name, action: 'notification.assign' },
      before: was && { assignee: was.assignee, name: was.assignee_name },
      after: { assignee, ...(person && { name: person.name }) },
    }
  );
  const groups = Map.groupBy(changing, ({ id }) => before.get(id)?.assignee ?? null);
  return {
    result: {
      changed: heads,
      before: [...groups].map(([key, some]) => ({ assignee: key, ids: some.map(({ head }) => head) })),
    },
    events: responded(heads),
  };
}

async function personOf(trx: Transacting, key: string): Promise<Assignee | undefined> {
  const row = await trx.selectFrom('people').selectAll().where('key', '=', key).executeTakeFirst();
  return row && { key, name: row.login };
}
