/**
 * The state of a thread. It changes when a member arrives ({@link advance}), and not when one is deleted or restored. Pure. Rules:
 * docs/decisions/0005-threads.md.
 */
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';

/** Columns of a member that its thread needs. A hidden one has `errors`: it is never shown, and no part of the thread's state. */
export type Member = Pick<
  NotificationRow,
  'status' | 'status_given' | 'source' | 'is_banner' | 'seen' | 'muted' | 'hidden' | keyof Head
>;

/** The newest shown member: the row that represents the thread. */
export type Head = Pick<NotificationRow, 'id' | 'ts' | 'category' | 'priority' | 'label_set'>;

/** Columns that members change. `banner`: the last trigger was one. `count` and `unseen` are of shown members. */
export type ThreadSummary = Omit<ThreadRow, 'id' | 'dnp_name' | 'correlation_id' | 'node' | 'answered'>;

export const WITHOUT_MEMBERS = {
  head_id: null,
  head_ts: null,
  category: '',
  priority: 0,
  label_set: 0,
  count: 0,
  unseen: 0,
} as const;

/** A thread without members yet. */
export const EMPTY_THREAD: ThreadSummary = {
  state: 'event',
  opened_ts: null,
  closed_ts: null,
  last_ts: 0,
  closed_by_hand: 0,
  banner: 0,
  burst: null,
  ...WITHOUT_MEMBERS,
};

/**
 * The thread after one more member; members come in order of arrival.
 * The state is the newest member's status in its sender's own word; a status that was left out is an event.
 * A muted member is not shown, so it does not open again what is shown as over, nor raise a banner; but it may close.
 */
export function advance<T extends ThreadSummary>(thread: T, member: Member): T {
  if (member.hidden) {
    // Where nothing has come before, its arrival is the only time that the thread has.
    return thread.last_ts === 0 ? { ...thread, last_ts: member.ts } : thread;
  }
  const next = { ...thread, ...stateAfter(thread, member), last_ts: member.ts };
  return member.muted ? next : withMembers(next, [member], 1, member);
}

/**
 * The thread after members were added or restored (sign 1) or deleted (sign -1): only counts and the head change.
 * @param head newest shown member from now on; undefined: it stays
 */
export function withMembers<T extends ThreadSummary>(
  thread: T,
  changed: readonly Pick<Member, 'seen' | 'muted' | 'hidden'>[],
  sign: 1 | -1,
  head?: Head | null
): T {
  const shown = changed.filter(({ muted, hidden }) => !muted && !hidden);
  return {
    ...thread,
    ...(head !== undefined && headedBy(thread, head)),
    count: thread.count + sign * shown.length,
    unseen: thread.unseen + sign * shown.filter(({ seen }) => !seen).length,
  };
}

/** Threads of a burst are of one category: a thread that gets another one leaves it. */
function headedBy({ category, burst }: ThreadSummary, head: Head | null) {
  const hasMoved = head !== null && category !== '' && category !== head.category;
  return {
    head_id: head?.id ?? null,
    head_ts: head?.ts ?? null,
    category: head?.category ?? '',
    priority: head?.priority ?? 0,
    label_set: head?.label_set ?? 0,
    burst: hasMoved ? null : burst,
  };
}

type State = Pick<ThreadSummary, 'state' | 'opened_ts' | 'closed_ts' | 'closed_by_hand' | 'banner'>;

/** Whether a client that reads single members takes this one for a banner, or for the end of one: see NotificationRow.banner. */
export const concernsBanner = (
  thread: Pick<ThreadSummary, 'banner'>,
  member: Pick<Member, 'is_banner' | 'status'>
): boolean => member.is_banner === 1 || (member.status === 'resolved' && thread.banner === 1);

function stateAfter(thread: ThreadSummary, member: Member): State {
  if (member.muted && member.status !== 'resolved' && thread.head_id !== null) {
    return thread;
  }
  const { ts, is_banner: banner } = member;
  if (!member.status_given) {
    return { state: 'event', opened_ts: null, closed_ts: null, closed_by_hand: 0, banner };
  }
  if (member.status === 'triggered') {
    const opened_ts = thread.state === 'open' ? thread.opened_ts : ts;
    return { state: 'open', opened_ts, closed_ts: null, closed_by_hand: 0, banner };
  }
  const wasResolved = thread.state === 'resolved';
  return {
    state: 'resolved',
    opened_ts: thread.opened_ts,
    closed_ts: wasResolved ? thread.closed_ts : ts,
    closed_by_hand: wasResolved ? thread.closed_by_hand : member.source === 'admin' ? 1 : 0,
    banner: thread.banner || banner,
  };
}
