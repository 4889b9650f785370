/** Labels and icons for the priority and state of notifications, threads and bursts. */
import type { BadgeColor, IconName } from '@grafana/ui';
import type { Notification, Priority, Thread } from '@nodebell/contract/notification.ts';
import { t } from '../i18n/t';
import { duration } from './time';
import { fullDate, momentLabel } from './moments';
import { notificationCount, priorityLabel, shortName } from './messages';
import { type BurstRow, burstOf, isReturned } from './bursts';

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
  text: priorityLabel(priority),
  ...PRIORITY_SIGNS[priority],
});

export interface StateSign {
  icon: IconName;
  tone: 'error' | 'success' | 'secondary';
  text: string;
  /** In a row, which has little room. */
  short?: string;
}

/** The state of a thread; undefined for an event, which has none. */
export function stateSign(thread: Thread, now: number, length: 'short' | 'long'): StateSign | undefined {
  switch (thread.state) {
    case 'open': {
      if (thread.stale) {
        return { icon: 'fire', tone: 'secondary', text: staleLabel(thread.lastAt) };
      }
      const time = thread.openedAt ? duration(now - Date.parse(thread.openedAt)) : '';
      const text =
        length === 'short'
          ? t('inbox.state.open-short', 'Open {{time}}', { time })
          : t('inbox.state.open-long', 'Open for {{time}}', { time });
      return { icon: 'fire', tone: 'error', text };
    }
    case 'resolved': {
      const at = length === 'long' && thread.closedAt ? momentLabel(thread.closedAt, now) : undefined;
      return { icon: 'check-circle', tone: 'success', text: resolvedLabelAt(thread.closedByHand === true, at) };
    }
    default:
      return undefined;
  }
}

const staleLabel = (since: string): string =>
  t('inbox.state.stale', 'Open, no updates since {{date}}', { date: fullDate(since) });

function resolvedLabelAt(byHand: boolean, at: string | undefined): string {
  if (byHand) {
    return at === undefined
      ? manuallyResolvedLabel()
      : t('inbox.state.by-hand-at', 'Resolved manually at {{at}}', { at });
  }
  return at === undefined ? resolvedLabel() : t('inbox.state.resolved-at', 'Resolved at {{at}}', { at });
}

const manuallyResolvedLabel = (): string => t('inbox.state.by-hand', 'Resolved manually');
export const resolvedLabel = (): string => t('inbox.state.resolved', 'Resolved');
export const triggeredLabel = (): string => t('inbox.state.triggered', 'Triggered');

/** "10,000 alerts", or notifications where they have no state. */
export function burstCount({ thread: { state } }: Pick<Notification, 'thread'>, count: number): string {
  return state === 'event'
    ? notificationCount(count)
    : t('inbox.burst.alerts', '', {
        count,
        defaultValue_one: '{{count, number}} alert',
        defaultValue_other: '{{count, number}} alerts',
      });
}

/** "HighCPU: 10,000 alerts". */
export const burstTitle = (row: Pick<Notification, 'thread'>, { name, count }: BurstRow): string =>
  t('inbox.burst.title', '{{name}}: {{alerts}}', { name: shortName(name), alerts: burstCount(row, count) });

/** The title of a row, which may stand for a burst. */
export function rowTitle(row: Notification): string {
  const burst = burstOf(row);
  return burst ? burstTitle(row, burst) : row.title;
}

/** "Newest: CPU is busy": what the row of a burst shows below its title. */
export const newestLabel = ({ title }: Pick<Notification, 'title'>): string =>
  t('inbox.burst.newest', 'Newest: {{title}}', { title });

/** The state of a burst; undefined where its threads have none. */
export function burstSign(
  { thread: { state } }: Pick<Notification, 'thread'>,
  { open }: BurstRow
): StateSign | undefined {
  if (open > 0) {
    return { icon: 'fire', tone: 'error', text: t('inbox.burst.open', '{{open, number}} open', { open }) };
  }
  return state === 'event' ? undefined : { icon: 'check-circle', tone: 'success', text: resolvedLabel() };
}

/** "Flapping, 6 times in an hour". */
export const flappingLabel = (turns: number): string =>
  t('inbox.state.flapping', '', {
    count: turns,
    defaultValue_one: 'Flapping, {{count, number}} time in an hour',
    defaultValue_other: 'Flapping, {{count, number}} times in an hour',
  });

/** Label of the thread's counter, for screen readers. */
export const inThread = (count: number): string =>
  t('inbox.thread.count', '', {
    count,
    defaultValue_one: '{{count, number}} notification in this thread',
    defaultValue_other: '{{count, number}} notifications in this thread',
  });

/** "3 notifications, open for 51 min". */
export function threadSummary(thread: Thread, now: number): string {
  const { count, state, openedAt, closedAt } = thread;
  if (state === 'event' || !openedAt) {
    return notificationCount(count);
  }
  const until = closedAt ? Date.parse(closedAt) : now;
  const time = duration(until - Date.parse(openedAt));
  return state === 'open'
    ? t('inbox.thread.open', '', {
        count,
        time,
        defaultValue_one: '{{count, number}} notification, open for {{time}}',
        defaultValue_other: '{{count, number}} notifications, open for {{time}}',
      })
    : t('inbox.thread.was-open', '', {
        count,
        time,
        defaultValue_one: '{{count, number}} notification, was open for {{time}}',
        defaultValue_other: '{{count, number}} notifications, was open for {{time}}',
      });
}

/** The label of a notification in the timeline of its thread. */
export function memberLabel(
  member: Notification,
  again: boolean
): { text: string; icon: IconName; tone: StateSign['tone'] } {
  if (member.source === 'admin') {
    return { text: manuallyResolvedLabel(), icon: 'check-circle', tone: 'success' };
  }
  if (member.status === 'resolved') {
    return { text: resolvedLabel(), icon: 'check-circle', tone: 'success' };
  }
  if (member.thread.state === 'event') {
    return {
      text: again ? t('inbox.state.sent-again', 'Sent again') : t('inbox.state.sent', 'Sent'),
      icon: 'envelope',
      tone: 'secondary',
    };
  }
  return {
    text: again ? t('inbox.state.triggered-again', 'Triggered again') : triggeredLabel(),
    icon: 'fire',
    tone: 'error',
  };
}

/** Why a thread is not sent; silences have a sign of their own. */
function suppressionSigns({ suppressed, inhibits }: Thread): StateSign[] {
  const signs: StateSign[] = [];
  if (suppressed?.by === 'maintenance') {
    const text = t('inbox.suppressed.maintenance', 'Maintenance: {{reason}}', { reason: suppressed.reason });
    signs.push({ icon: 'wrench', tone: 'secondary', text, short: suppressed.reason });
  }
  if (suppressed?.by === 'inhibition') {
    const text = t('inbox.suppressed.inhibition', 'Inhibited by: {{reason}}', { reason: suppressed.reason });
    signs.push({ icon: 'link', tone: 'secondary', text, short: suppressed.reason });
  }
  if (inhibits !== undefined) {
    const text = t('inbox.suppressed.inhibits', '', {
      count: inhibits,
      defaultValue_one: 'Inhibits {{count, number}} thread',
      defaultValue_other: 'Inhibits {{count, number}} threads',
    });
    signs.push({ icon: 'sitemap', tone: 'secondary', text, short: String(inhibits) });
  }
  return signs;
}

/** Responses to a thread, for its row and its detail: acknowledged, snoozed, assigned. */
export function responseSigns(thread: Thread, now: number): StateSign[] {
  const { acknowledged, snoozed, returnedAt, assignee } = thread;
  const signs: StateSign[] = suppressionSigns(thread);
  if (acknowledged) {
    const name = acknowledged.by === '' ? t('inbox.activity.script', 'A script') : acknowledged.by;
    const time = duration(now - Date.parse(acknowledged.at));
    signs.push({
      icon: 'check',
      tone: 'success',
      text: t('inbox.respond.acknowledged-by', 'Acknowledged by {{name}}, {{time}}', { name, time }),
      short: name,
    });
  }
  if (snoozed) {
    const time = momentLabel(snoozed.until, now);
    signs.push({
      icon: 'clock-nine',
      tone: 'secondary',
      text:
        snoozed.for === 'all'
          ? t('inbox.snooze.until-all', 'Snoozed for everyone until {{time}}', { time })
          : t('inbox.snooze.until-me', 'Snoozed until {{time}}', { time }),
      short: time,
    });
  }
  if (returnedAt !== undefined && isReturned(thread)) {
    signs.push({ icon: 'bell', tone: 'secondary', text: t('inbox.snooze.returned', 'Back from snooze') });
  }
  if (assignee) {
    const { name } = assignee;
    signs.push({
      icon: 'user',
      tone: 'secondary',
      text: t('inbox.respond.assigned', 'Assigned to {{name}}', { name }),
      short: name,
    });
  }
  return signs;
}
