/**
 * The state of a thread, member by member. Pure: {@link advance} is the rule. What is stored of each member ({@link place}) leads to
 * the same state without reading all of them (members.ts). Rules: docs/decisions/0005-threads.md.
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
}

/** The newest shown member: the row that represents the thread. */
export interface Head {
  id: number;
  ts: number;
  category: string;
  priority: number;
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
    next.head = { id: member.id, ts: member.ts, category: member.category, priority: member.priority };
    next.count += 1;
    next.unseen += member.seen ? 0 : 1;
  }
  return next;
}

type State = Pick<ThreadSummary, 'state' | 'openedTs' | 'closedTs' | 'closedByHand' | 'banner'>;

/** Whether a client that reads single members takes this one for a banner, or for the end of one: see NotificationRow.banner. */
export function concernsBanner(
  thread: Pick<ThreadSummary, 'banner'>,
  member: Pick<Member, 'isBanner' | 'status'>
): boolean {
  return member.isBanner || (member.status === 'resolved' && thread.banner);
}

/** Kinds of members as stored: the newest member of a kind is found without reading the others. */
export const KINDS = {
  /** Has `errors`. */
  hidden: 0,
  /** Muted, and no part of the thread's state. */
  silent: 1,
  /** Muted, and part of the state. */
  muted: 2,
  /** Muted, and the state before it was another. */
  mutedTurn: 3,
  shown: 4,
  /** Shown, and the state before it was another. */
  shownTurn: 5,
} as const;
export type Kind = (typeof KINDS)[keyof typeof KINDS];

/** State before a member, on which its kind and its banner depend. */
export interface Point {
  state: ThreadState;
  banner: boolean;
  /** Something shown has come before. */
  hasHead: boolean;
}

/** One member seen from the point before it: its kind, whether it concerns a banner, and the point after it. */
export function place(before: Point, member: Member): { kind: Kind; banner: boolean; after: Point } {
  const banner = concernsBanner(before, member);
  if (member.hidden) {
    return { kind: KINDS.hidden, banner, after: before };
  }
  if (isSilent(before.hasHead, member)) {
    return { kind: KINDS.silent, banner, after: before };
  }
  const state = stateOf(member);
  const turns = state !== before.state;
  const kind = member.muted ? (turns ? KINDS.mutedTurn : KINDS.muted) : turns ? KINDS.shownTurn : KINDS.shown;
  return { kind, banner, after: { state, banner, hasHead: before.hasHead || !member.muted } };
}

/** The state of a thread whose newest member, of those that are part of its state, is this one. */
export function stateOf({ status, statusGiven }: Pick<Member, 'status' | 'statusGiven'>): ThreadState {
  return !statusGiven ? 'event' : status === 'triggered' ? 'open' : 'resolved';
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
