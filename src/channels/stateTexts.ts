/** The state of channels, and reasons of the tester, in words. */
import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import type { Comparison } from '@nodebell/contract/routeTest.ts';
import type { Priority, Status } from '@nodebell/contract/notification.ts';
import { DAY_MS } from '@nodebell/contract/time.ts';
import type { IconName } from '@grafana/ui';
import type { Tone } from '../components/StateText';
import { categoryName, priorityLabel, shortName } from '../components/messages';
import { clockTime, dateAndTime, momentOf } from '../components/moments';
import { t } from '../i18n/t';

/** A comparison of the tester as a sentence. */
export function comparisonText({ what, found, allowed, holds }: Comparison): string {
  const label = labelOf(what);
  const name = (value: string): string => (value === '' ? t('channels.why.none', 'none') : label.value(value));
  const values = { what: label.name, found: name(found), allowed: allowed.map(name).join(', ') };
  if (what === 'priority') {
    return holds
      ? t('channels.why.at-least', '{{what}} {{found}}: at least {{allowed}}', values)
      : t('channels.why.below', '{{what}} {{found}}: below {{allowed}}', values);
  }
  return holds
    ? t('channels.why.among', '{{what}} {{found}}: one of {{allowed}}', values)
    : t('channels.why.not-among', '{{what}} {{found}}: not one of {{allowed}}', values);
}

function labelOf(what: Comparison['what']): { name: string; value: (value: string) => string } {
  switch (what) {
    case 'priority':
      return {
        name: t('channels.tester.priority', 'Priority'),
        value: (value) => priorityLabel(value as Priority),
      };
    case 'category':
      return { name: t('channels.tester.category', 'Category'), value: categoryName };
    case 'package':
      return { name: t('channels.tester.package', 'Package'), value: shortName };
    case 'status':
      return { name: t('channels.route.statuses', 'Status'), value: (value) => statusLabel(value as Status) };
    case 'labels':
      return { name: t('inbox.filter.labels', 'Labels'), value: (value) => value };
    case 'node':
      return { name: t('channels.route.node', 'Node'), value: (value) => value };
  }
}

export const statusLabel = (status: Status): string =>
  status === 'triggered' ? t('channels.route.triggered', 'Triggered') : t('channels.route.resolved', 'Resolved');

/** Number of notifications that a channel holds, and until when. */
export function holdText({ why, count, until }: ChannelStatus['holds'][number], now: number): string {
  // Within a day, the time of day is clear.
  const time = Date.parse(until) - now < DAY_MS ? clockTime(until) : dateAndTime(until);
  switch (why) {
    case 'quiet hours':
      return t('channels.row.held-quiet', '', {
        count,
        time,
        defaultValue_one: '{{count, number}} held until {{time}}',
        defaultValue_other: '{{count, number}} held until {{time}}',
      });
    case 'digest':
      return t('channels.row.held-digest', '', {
        count,
        time,
        defaultValue_one: 'Digest of {{count, number}} at {{time}}',
        defaultValue_other: 'Digest of {{count, number}} at {{time}}',
      });
    case 'unacknowledged':
      return t('channels.row.held-unacknowledged', '', {
        count,
        time,
        defaultValue_one: '{{count, number}} unless acknowledged by {{time}}',
        defaultValue_other: '{{count, number}} unless acknowledged by {{time}}',
      });
  }
}

/** The state of a channel as an icon with words. */
export function healthOf(
  { disabled, state, failingSince, waiting }: ChannelStatus,
  now: number
): { icon: IconName; tone: Tone; text: string } {
  if (disabled) {
    return { icon: 'pause', tone: 'secondary', text: t('channels.health.disabled', 'Disabled') };
  }
  switch (state) {
    case 'ok':
      return { icon: 'check-circle', tone: 'success', text: t('channels.health.ok', 'Working') };
    case 'idle':
      return { icon: 'circle', tone: 'secondary', text: t('channels.health.idle', 'No delivery yet') };
    case 'failing': {
      if (failingSince === null) {
        return { icon: 'exclamation-circle', tone: 'error', text: t('channels.health.failing', 'Failing') };
      }
      const time = momentOf(failingSince, now);
      const text =
        waiting > 0
          ? t('channels.health.retrying-since', 'Retrying since {{time}}', { time })
          : t('channels.health.failed-at', 'Failed at {{time}}', { time });
      return { icon: 'exclamation-circle', tone: 'error', text };
    }
  }
}
