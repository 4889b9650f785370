/** Labels of the page Channels. */
import type { ChannelType, Route } from '@nodebell/contract/channel.ts';
import type { IconName } from '@grafana/ui';
import { t } from '../i18n/t';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { Member } from './draft';

const NAMES: Partial<Record<ChannelType, string>> = { telegram: 'Telegram', ntfy: 'ntfy', nodebell: 'Nodebell' };
const ICONS: Partial<Record<ChannelType, IconName>> = {
  telegram: 'comment-alt',
  ntfy: 'mobile-android',
  email: 'envelope',
  webhook: 'link',
  webpush: 'bell',
  nodebell: 'sitemap',
};

export const kindIcon = (type: ChannelType): IconName => ICONS[type] ?? 'bell';
export const kindLabel = (type: ChannelType): string =>
  type === 'email'
    ? t('channels.kind.email', 'Email')
    : type === 'webpush'
      ? t('channels.kind.webpush', 'Web push')
      : type === 'webhook'
        ? t('channels.kind.webhook', 'Webhook')
        : (NAMES[type] ?? type);

export function kindText(type: ChannelType): string {
  switch (type) {
    case 'telegram':
      return t('channels.kind.telegram-text', 'Messages of a bot. A resolved alert edits its message.');
    case 'ntfy':
      return t('channels.kind.ntfy-text', 'Push notifications on phones and desktops, also from your own server.');
    case 'email':
      return t('channels.kind.email-text', 'Mail over your SMTP server. A thread is one conversation.');
    case 'webpush':
      return t(
        'channels.kind.webpush-text',
        'Notifications of browsers, for those who choose “Notify me on this device”.'
      );
    case 'webhook':
      return t('channels.kind.webhook-text', 'Signed JSON to a program of your own.');
    case 'nodebell':
      return t('channels.kind.nodebell-text', 'Another bridge: many nodes, one inbox.');
  }
}

export function memberLabel(type: ChannelType, member: Member): string {
  switch (member) {
    case 'url':
      return type === 'webhook'
        ? t('channels.field.url', 'URL')
        : type === 'nodebell'
          ? t('channels.field.bridge', 'Address of the other bridge')
          : t('channels.field.server', 'Server');
    case 'secret':
      return t('channels.field.secret', 'Signing key');
    case 'topic':
      return t('channels.field.topic', 'Topic');
    case 'token':
      return type === 'telegram'
        ? t('channels.field.bot-token', 'Bot token')
        : type === 'nodebell'
          ? t('channels.field.sender-token', 'Sender token')
          : t('channels.field.token', 'Access token');
    case 'chatId':
      return t('channels.field.chat', 'Chat');
    case 'subject':
      return t('channels.field.subject', 'Contact');
    case 'node':
      return t('channels.field.node', 'Name of this node');
    case 'perMinute':
      return t('channels.field.per-minute', 'Messages per minute');
    case 'giveUpAfter':
      return t('channels.field.give-up', 'Retry for');
    case 'inboxUrl':
      return t('channels.field.inbox-url', 'Link to the inbox');
    default:
      return mailLabel(member);
  }
}

function mailLabel(member: 'host' | 'port' | 'tls' | 'username' | 'password' | 'from' | 'to'): string {
  switch (member) {
    case 'host':
      return t('channels.field.host', 'Mail server');
    case 'port':
      return t('channels.field.port', 'Port');
    case 'tls':
      return t('channels.field.tls', 'Encryption');
    case 'username':
      return t('channels.field.username', 'User name');
    case 'password':
      return t('channels.field.password', 'Password');
    case 'from':
      return t('channels.field.from', 'From');
    case 'to':
      return t('channels.field.to', 'To');
  }
}

export function memberHelp(type: ChannelType, member: Member): string | undefined {
  switch (member) {
    case 'url':
      return urlHelp(type);
    case 'secret':
      return t('channels.help.secret', 'The receiver verifies the signature with it: openssl rand -hex 32');
    case 'topic':
      return t('channels.help.topic', 'Whoever knows it can read it, unless the server has access control.');
    case 'token':
      return tokenHelp(type);
    case 'chatId':
      return t('channels.help.chat', 'A number, or @name of a public channel. Send /start to the bot to find it.');
    case 'port':
      return t('channels.help.port', 'If empty: 587 with STARTTLS, 465 with TLS, 25 without encryption.');
    case 'to':
      return t('channels.help.to', 'Addresses, separated by commas.');
    case 'subject':
      return t('channels.help.subject', 'For the operators of push services, such as mailto:admin@example.org.');
    case 'node':
      return t('channels.help.node', 'Name under which the other bridge shows its notifications, such as attic.');
    case 'perMinute':
      return limitHelp(type);
    case 'giveUpAfter':
      return timeHelp(type);
    case 'inboxUrl':
      return t('channels.help.inbox-url', 'For messages without a link of their own.');
    default:
      return undefined;
  }
}

const limitHelp = (type: ChannelType): string =>
  type === 'webhook'
    ? t('channels.help.per-minute-webhook', 'No limit if empty. Above the limit, one message counts the rest.')
    : t('channels.help.per-minute', '{{limit}} if empty. Above the limit, one message counts the rest.', {
        limit: LIMITS.channelPerMinute.value,
      });

const timeHelp = (type: ChannelType): string =>
  t('channels.help.give-up', '{{time}} if empty. Such as 30m, 12h or 2d. Then a notification counts as undelivered.', {
    time: type === 'nodebell' ? '7d' : '24h',
  });

function tokenHelp(type: ChannelType): string {
  switch (type) {
    case 'telegram':
      return t('channels.help.bot-token', 'Write /newbot to @BotFather: it responds with the token.');
    case 'nodebell':
      return t('channels.help.sender-token', 'On the other bridge: nodebell token create NAME --node NAME');
    default:
      return t('channels.help.token', 'For a protected topic: ntfy token add');
  }
}

function urlHelp(type: ChannelType): string {
  switch (type) {
    case 'webhook':
      return t('channels.help.url', 'Notifications are posted to it. A private address needs a provisioning file.');
    case 'nodebell':
      return t(
        'channels.help.bridge',
        'Such as https://bridge.example.org. A private address needs a provisioning file.'
      );
    case 'telegram':
      return t('channels.help.bot-api', 'A Bot API server of your own; https://api.telegram.org if empty.');
    default:
      return t('channels.help.server', 'https://ntfy.sh if empty. A private address needs a provisioning file.');
  }
}

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

/** Allowed values of a member. */
export function memberRule(member: Member | 'name'): string {
  switch (member) {
    case 'name':
      return t('channels.rule.name', 'Up to 63 letters, digits, dots, hyphens and underscores');
    case 'url':
    case 'inboxUrl':
      return t('channels.rule.url', 'An address with http:// or https://, without user name and password');
    case 'topic':
      return t('channels.rule.topic', 'Up to 64 letters, digits, hyphens and underscores');
    case 'chatId':
      return t('channels.rule.chat', 'A number, or @name of a public channel');
    case 'port':
      return t('channels.rule.port', 'A number from 1 to 65535');
    case 'tls':
      return t('channels.rule.tls', 'With a password, the connection must be encrypted');
    case 'from':
      return t('channels.rule.from', 'A mail address such as Nodebell <nodebell@example.org>');
    case 'to':
      return t('channels.rule.to', 'Mail addresses, separated by commas');
    case 'subject':
      return t('channels.rule.subject', 'mailto: with an address, or an https: address');
    case 'node':
      return t('channels.rule.name', 'Up to 63 letters, digits, dots, hyphens and underscores');
    case 'perMinute':
      return t('channels.rule.per-minute', 'A number from 1');
    case 'giveUpAfter':
      return t('channels.rule.give-up', 'A duration such as 30m, 12h or 2d, at most 30d');
    default:
      return t('channels.rule.other', 'Invalid value');
  }
}
