/** Allowed values of fields. */
import type { Route } from '@nodebell/contract/channel.ts';
import { nameRule } from '@nodebell/contract/channelTypes/descriptor.ts';
import { type ChannelType, formFields } from '@nodebell/contract/channelTypes/index.ts';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { t } from '../i18n/t';

/** Allowed values in quiet hours. */
export function hoursRule(member: 'days' | 'from' | 'to' | 'zone'): string {
  switch (member) {
    case 'days':
      return t('channels.rule.days', 'Choose at least one day');
    case 'from':
      return t('channels.rule.time', 'A time such as 22:00');
    case 'to':
      return t('channels.rule.to-time', 'Another time than the first; for a whole day, 00:00 to 00:00');
    case 'zone':
      return t('channels.rule.zone', 'A time zone such as Europe/Berlin');
  }
}

/** Allowed values in a route. */
export function routeRule(member: keyof Route): string {
  switch (member) {
    case 'channels':
      return t('channels.rule.channels', 'Choose at least one channel');
    case 'unacknowledged':
      return t('channels.rule.unacknowledged', 'A duration such as 10m or 2h, at most {{max}}h', {
        max: LIMITS.unacknowledgedDays.value * 24,
      });
    case 'digest':
      return t('channels.rule.time-of-day', 'A time such as 08:00');
    case 'persons':
      return t('channels.rule.persons', 'Only channels of the kind web push have devices of persons');
    case 'nodes':
      return t('channels.rule.nodes', 'Names of letters, digits, dots, hyphens and underscores');
    default:
      return t('channels.rule.names', 'At most {{max, number}} names', { max: LIMITS.routeNames.value });
  }
}

/** Allowed values of a field of a channel, or of its name. */
export function fieldRule(type: ChannelType, key: string): string {
  const rule = key === 'name' ? nameRule : new Map(formFields(type)).get(key)?.rule;
  return rule?.(t) ?? t('channels.rule.other', 'Invalid value');
}
