/** Commenting on threads, and assigning them. Runs in the writer thread, each call inside a transaction. */
import { LIMITS } from '../../contract/limits.ts';
import type { Assignee } from '../../contract/respond.ts';
import { audit } from '../audit/writes.ts';
import { insertRows } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import { lexemes } from '../storage/words.ts';
import type { Written } from '../storage/write.ts';
import { addActivities, respondTo } from './activities.ts';
import { type Act, headOf, responded, type ThreadOf, threadsOf } from './threads.ts';

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
