/**
 * The state of a thread. It changes when a member arrives ({@link advance}), and not when one is deleted or restored. Pure. Rules:
 * docs/decisions/0005-threads.md.
 */
import type { Source, Status, ThreadState } from '../../../contract/notification.ts';

/** Facts about a member that its thread needs. Times are UTC milliseconds. */
export interface Member {
  id: number;
  ts: number;
  status: Status;
  /** The sender said so; false when the default was taken. */
  statusGiven: boolean;
  source: Source;
  category: string;
  /** Rank: position in PRIORITIES. */
  priority: number;
  isBanner: boolean;
  seen: boolean;
  muted: boolean;
  /** It has `errors`: never shown in the inbox, and no part of the thread's state. */
  hidden: boolean;
  labelSet: number;
}

/** The newest shown member: the row that represents the thread. */
export interface Head {
  id: number;
  ts: number;
  category: string;
  priority: number;
  labelSet: number;
}

export interface ThreadSummary {
  state: ThreadState;
  openedTs: number | null;
  closedTs: number | null;
  lastTs: number;
  closedByHand: boolean;
  /** The last trigger was a banner. */
  banner: boolean;
  head: Head | null;
  /** Shown members, and those of them that are unseen. */
  count: number;
  unseen: number;
}

/** A thread without members yet. */
export function emptyThread(): ThreadSummary {
  return {
    state: 'event',
    openedTs: null,
    closedTs: null,
    lastTs: 0,
    closedByHand: false,
    banner: false,
    head: null,
    count: 0,
    unseen: 0,
  };
}

/**
 * The thread after one more member; members come in order of arrival.
 * The state is the newest member's status in its sender's own word; a status that was left out is an event.
 * A muted member is not shown, so it does not open again what is shown as over, nor raise a banner; but it may close.
 */
export function advance(thread: ThreadSummary, member: Member): ThreadSummary {
  if (member.hidden) {
    // Where nothing has come before, its arrival is the only time that the thread has.
    return thread.lastTs === 0 ? { ...thread, lastTs: member.ts } : thread;
  }
  const next: ThreadSummary = { ...thread, ...stateAfter(thread, member), lastTs: member.ts };
  if (!member.muted) {
    const { id, ts, category, priority, labelSet } = member;
    next.head = { id, ts, category, priority, labelSet };
    next.count += 1;
    next.unseen += member.seen ? 0 : 1;
  }
  return next;
}

/**
 * The thread after members were restored (sign 1) or deleted (sign -1): only counts and the head change.
 * @param head newest shown member from now on
 */
export function withMembers(
  thread: ThreadSummary,
  changed: readonly Pick<Member, 'seen' | 'muted' | 'hidden'>[],
  sign: 1 | -1,
  head: Head | null
): ThreadSummary {
  const shown = changed.filter(({ muted, hidden }) => !muted && !hidden);
  return {
    ...thread,
    head,
    count: thread.count + sign * shown.length,
    unseen: thread.unseen + sign * shown.filter(({ seen }) => !seen).length,
  };
}

type State = Pick<ThreadSummary, 'state' | 'openedTs' | 'closedTs' | 'closedByHand' | 'banner'>;

/** Whether a client that reads single members takes this one for a banner, or for the end of one: see NotificationRow.banner. */
export function concernsBanner(
  thread: Pick<ThreadSummary, 'banner'>,
  member: Pick<Member, 'isBanner' | 'status'>
): boolean {
  return member.isBanner || (member.status === 'resolved' && thread.banner);
}

const isSilent = (hasHead: boolean, { muted, status }: Member): boolean => muted && status !== 'resolved' && hasHead;

function stateAfter(thread: ThreadSummary, member: Member): State {
  if (isSilent(thread.head !== null, member)) {
    return thread;
  }
  if (!member.statusGiven) {
    return { state: 'event', openedTs: null, closedTs: null, closedByHand: false, banner: member.isBanner };
  }
  const wasOpen = thread.state === 'open';
  if (member.status === 'triggered') {
    return {
      state: 'open',
      openedTs: wasOpen ? thread.openedTs : member.ts,
      closedTs: null,
      closedByHand: false,
      banner: member.isBanner,
    };
  }
  const wasResolved = thread.state === 'resolved';
  return {
    state: 'resolved',
    openedTs: thread.openedTs,
    closedTs: wasResolved ? thread.closedTs : member.ts,
    closedByHand: wasResolved ? thread.closedByHand : member.source === 'admin',
    banner: thread.banner || member.isBanner,
  };
}
