/** Records notifications sent to another bridge. Runs in the writer thread. */
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { dropOutbox } from './writes.ts';

/** The outcome of a batch. */
export interface ForwardedNote {
  channel: string;
  sent: { id: number; threadId: number; turn: 'opens' | 'resolves' | 'none'; rank: number }[];
  /** Rows of the outbox without anything to send. */
  gone: number[];
  /** UTC milliseconds. */
  now: number;
  /** The bridge's own clock. */
  steady: number;
}

/** Marks a batch as sent, and stores which threads the other bridge has open. */
export async function noteForwarded(
  trx: Transacting,
  { channel, sent, gone, now, steady }: ForwardedNote
): Promise<void> {
  if (gone.length > 0) {
    await dropOutbox(trx, { ids: gone });
  }
  if (sent.length > 0) {
    await trx
      .updateTable('outbox')
      .set({ state: 'sent', done_ts: now, reason: null })
      .where(
        inList(
          'id',
          sent.map(({ id }) => id)
        )
      )
      .execute();
  }
  const threads = new Map(sent.flatMap((one) => (one.turn === 'none' ? [] : [[one.threadId, one] as const])));
  const open = [...threads.values()].filter(({ turn }) => turn === 'opens');
  await insertRows(
    trx,
    'channel_threads',
    open.map(({ threadId, rank }) => ({
      channel,
      thread_id: threadId,
      ref: '',
      priority: rank,
      ts: steady,
      response_ts: 0,
    })),
    'on conflict (channel, thread_id) do update set priority = excluded.priority, ts = excluded.ts'
  );
  const over = [...threads.values()].flatMap(({ turn, threadId }) => (turn === 'resolves' ? [threadId] : []));
  if (over.length > 0) {
    await trx.deleteFrom('channel_threads').where('channel', '=', channel).where(inList('thread_id', over)).execute();
  }
}
