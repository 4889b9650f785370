/** Allowed values of fields. */
import type { Route } from '@nodebell/contract/channel.ts';
import { nameRule } from '@nodebell/contract/channelTypes/descriptor.ts';
import { type ChannelType, formFields } from '@nodebell/contract/channelTypes/index.ts';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { t } from '../i18n/t';

const HOURS_RULES = {
  days: () => t('channels.rule.days', 'Choose at least one day'),
  from: () => t('channels.rule.time', 'A time such as 22:00'),
  to: () => t('channels.rule.to-time', 'Another time than the first; for a whole day, 00:00 to 00:00'),
  zone: () => t('channels.rule.zone', 'A time zone such as Europe/Berlin'),
};
/** Allowed values in quiet hours. */
export const hoursRule = (member: keyof typeof HOURS_RULES): string => HOURS_RULES[member]();

const ROUTE_RULES: Partial<Record<keyof Route, () => string>> = {
  channels: () => t('channels.rule.channels', 'Choose at least one channel'),
  unacknowledged: () =>
    t('channels.rule.unacknowledged', 'A duration such as 10m or 2h, at most {{max}}h', {
      max: LIMITS.unacknowledgedDays.value * 24,
    }),
  digest: () => t('channels.rule.time-of-day', 'A time such as 08:00'),
  persons: () => t('channels.rule.persons', 'Only channels of the kind web push have devices of persons'),
  matchers: () => t('silences.form.matchers-rule', 'At least one label, such as instance="nas"'),
  nodes: () => t('channels.rule.nodes', 'Names of letters, digits, dots, hyphens and underscores'),
};
/** Allowed values in a route. */
export const routeRule = (member: keyof Route): string =>
  ROUTE_RULES[member]?.() ??
  t('channels.rule.names', 'At most {{max, number}} names', { max: LIMITS.routeNames.value });

/** Allowed values of a field of a channel, or of its name. */
export function fieldRule(type: ChannelType, key: string): string {
  const rule = key === 'name' ? nameRule : new Map(formFields(type)).get(key)?.rule;
  return rule?.(t) ?? t('channels.rule.other', 'Invalid value');
}
