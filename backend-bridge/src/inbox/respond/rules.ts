/** Rules that end an acknowledgement or a snooze. Pure. Reasons: docs/decisions/0010-read-state-and-responses.md. */
import type { Member, ThreadSummary } from '../notifications/thread.ts';

/** An acknowledgement or a snooze: the rank of the thread when it was made. */
export interface Answer {
  priority: number;
}

type Arriving = Pick<Member, 'status' | 'status_given' | 'priority' | 'muted' | 'hidden'>;
type Before = Pick<ThreadSummary, 'state'>;

const isNoticed = ({ muted, hidden }: Arriving): boolean => !muted && !hidden;
export const resolves = ({ status, status_given }: Pick<Arriving, 'status' | 'status_given'>): boolean =>
  status_given === 1 && status === 'resolved';

/** It fires again while it is open, at no higher priority than when it was acknowledged. */
export function isRepeat(before: Before, member: Arriving, { priority }: Answer): boolean {
  return member.status_given === 1 && !resolves(member) && before.state === 'open' && member.priority <= priority;
}

/**
 * An acknowledgement lasts until the thread fires with a higher priority, or again after it resolved, or an event without a status
 * arrives. What resolves it leaves it.
 */
export function endsAcknowledgement(before: Before, member: Arriving, answer: Answer): boolean {
  return isNoticed(member) && !resolves(member) && !isRepeat(before, member, answer);
}

/** A snooze ends early when the thread gets worse or resolves. */
export function endsSnooze(member: Arriving, { priority }: Answer): boolean {
  return isNoticed(member) && (resolves(member) || member.priority > priority);
}
