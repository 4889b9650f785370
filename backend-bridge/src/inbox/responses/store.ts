/** Reading what people did with threads. */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Activity, ActivityKind, Assignee } from '../../../contract/respond.ts';
import { isoTime } from '../../../contract/text.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { fold } from '../../platform/storage/words.ts';

/** The timeline of a thread, oldest first. @param me whose comments are `own` */
export async function timelineOf(db: Database, thread: number, me: string | undefined): Promise<Activity[]> {
  const rows = await db.selectFrom('timeline').selectAll().where('thread_id', '=', thread).orderBy('id').execute();
  return rows.map(({ id, ts, kind, actor, actor_key, content, edited_ts }) => ({
    id,
    at: isoTime(ts),
    kind: kind as ActivityKind,
    by: actor,
    ...(content !== null && { text: content }),
    ...(edited_ts !== null && { editedAt: isoTime(edited_ts) }),
    ...(kind === 'comment' && me !== undefined && actor_key === me && { own: true }),
  }));
}

/** Users of the same organisation of Grafana. @param prefix of their keys, as `org:1/`; undefined: of all */
export async function peopleOf(db: Database, prefix: string | undefined): Promise<Assignee[]> {
  const rows = await db
    .selectFrom('people')
    .selectAll()
    .$if(prefix !== undefined, (query) => query.where('key', '>=', prefix!).where('key', '<', `${prefix!}\u{10ffff}`))
    .orderBy('last_ts', 'desc')
    .limit(LIMITS.people.value)
    .execute();
  return rows
    .map(({ key, login }) => ({ key, name: login }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.key.localeCompare(b.key));
}

/** Threads with a comment that holds every word; the last word may be a beginning. At most as many as a search counts. */
export async function commentedThreads(db: Database, words: readonly string[]): Promise<number[]> {
  const folded = words.map(fold).filter((word) => word !== '');
  if (folded.length === 0) {
    return [];
  }
  const has = (word: string, index: number): RawBuilder<boolean> =>
    index === folded.length - 1
      ? sql<boolean>`a.id in (select w.id from comment_words w where w.word >= ${word} and w.word < ${`${word}\u{10ffff}`})`
      : sql<boolean>`a.id in (select w.id from comment_words w where w.word = ${word})`;
  const { rows } = await sql<{ thread_id: number }>`select distinct a.thread_id as thread_id from timeline a
    where ${sql.join(folded.map(has), sql` and `)} limit ${LIMITS.commentMatches.value}`.execute(db);
  return rows.map(({ thread_id }) => thread_id);
}

/** Whether a snooze is due, so that a write is only made then. One of a thread in the trash waits for its restoration. */
export async function isSnoozeDue(db: Database, now: number): Promise<boolean> {
  const due = await db
    .selectFrom('snoozes as s')
    .innerJoin('threads as t', 't.id', 's.thread_id')
    .select('s.thread_id')
    .where('s.woken_ts', 'is', null)
    .where('s.until_ts', '<=', now)
    .where('t.head_id', 'is not', null)
    .limit(1)
    .execute();
  return due.length > 0;
}
