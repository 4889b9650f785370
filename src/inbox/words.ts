/** The words and signs that say what a notification is. */
import { dateTimeFormat } from '@grafana/data';
import type { BadgeColor, IconName } from '@grafana/ui';
import { PRIORITY_WORDS, type Notification, type Priority, type Thread } from '@nodebell/contract/notification.ts';
import { duration } from '../parts/time';
import { momentWords } from '../parts/moments';
import { plural } from '../parts/words';

export interface Sign {
  text: string;
  icon: IconName;
  color: BadgeColor;
}

const PRIORITY_SIGNS: Record<Priority, Omit<Sign, 'text'>> = {
  critical: { icon: 'exclamation-triangle', color: 'red' },
  high: { icon: 'exclamation-circle', color: 'orange' },
  medium: { icon: 'bell', color: 'blue' },
  low: { icon: 'info-circle', color: 'darkgrey' },
};

export const prioritySign = (priority: Priority): Sign => ({
  text: PRIORITY_WORDS[priority],
  ...PRIORITY_SIGNS[priority],
});

export interface StateSign {
  icon: IconName;
  tone: 'error' | 'success' | 'secondary';
  text: string;
}

/** What the thread's state says; undefined for an event, which has none. */
export function stateSign(thread: Thread, now: number, length: 'short' | 'long'): StateSign | undefined {
  switch (thread.state) {
    case 'open': {
      if (thread.stale) {
        return { icon: 'fire', tone: 'secondary', text: `Open, no news since ${listDate(thread.lastAt)}` };
      }
      const lasted = thread.openedAt ? duration(now - Date.parse(thread.openedAt)) : '';
      return { icon: 'fire', tone: 'error', text: length === 'short' ? `Open ${lasted}` : `Open for ${lasted}` };
    }
    case 'resolved': {
      const word = thread.closedByHand ? 'Closed by hand' : 'Resolved';
      const at = length === 'long' && thread.closedAt ? ` at ${momentWords(thread.closedAt, now)}` : '';
      return { icon: 'check-circle', tone: 'success', text: word + at };
    }
    default:
      return undefined;
  }
}

const listDate = (timestamp: string) => dateTimeFormat(timestamp, { format: 'D MMM YYYY' });

/** "3 notifications, open for 51 min". */
export function threadSummary(thread: Thread, now: number): string {
  const count = plural(thread.count, 'notification');
  if (thread.state === 'event' || !thread.openedAt) {
    return count;
  }
  const until = thread.closedAt ? Date.parse(thread.closedAt) : now;
  return `${count}, ${thread.state === 'open' ? 'open for' : 'was open for'} ${duration(until - Date.parse(thread.openedAt))}`;
}

/** What a member of a thread says about it, in the timeline. */
export function memberWord(
  member: Notification,
  again: boolean
): { text: string; icon: IconName; tone: StateSign['tone'] } {
  if (member.source === 'admin') {
    return { text: 'Closed by hand', icon: 'check-circle', tone: 'success' };
  }
  if (member.status === 'resolved') {
    return { text: 'Resolved', icon: 'check-circle', tone: 'success' };
  }
  if (member.thread.state === 'event') {
    return { text: again ? 'Sent again' : 'Sent', icon: 'envelope', tone: 'secondary' };
  }
  return { text: again ? 'Triggered again' : 'Triggered', icon: 'fire', tone: 'error' };
}
