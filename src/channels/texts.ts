/** Labels of the page Channels. */
import type { ChannelStatus, ChannelType } from '@nodebell/contract/channel.ts';
import type { IconName } from '@grafana/ui';
import type { Tone } from '../components/StateText';
import { momentOf } from '../components/moments';
import { t } from '../i18n/t';
import type { Kind, Member } from './draft';

const NAMES: Partial<Record<ChannelType, string>> = { telegram: 'Telegram', ntfy: 'ntfy' };
const ICONS: Partial<Record<ChannelType, IconName>> = {
  telegram: 'comment-alt',
  ntfy: 'mobile-android',
  email: 'envelope',
  webhook: 'link',
  webpush: 'bell',
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

export function kindText(type: Kind): string {
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
  }
}

export function memberLabel(type: Kind, member: Member): string {
  switch (member) {
    case 'url':
      return type === 'webhook' ? t('channels.field.url', 'URL') : t('channels.field.server', 'Server');
    case 'secret':
      return t('channels.field.secret', 'Signing key');
    case 'topic':
      return t('channels.field.topic', 'Topic');
    case 'token':
      return type === 'telegram'
        ? t('channels.field.bot-token', 'Bot token')
        : t('channels.field.token', 'Access token');
    case 'chatId':
      return t('channels.field.chat', 'Chat');
    case 'subject':
      return t('channels.field.subject', 'Contact');
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

export function memberHelp(type: Kind, member: Member): string | undefined {
  switch (member) {
    case 'url':
      return type === 'webhook'
        ? t('channels.help.url', 'Notifications are posted to it. A private address needs a provisioning file.')
        : t('channels.help.server', 'https://ntfy.sh if empty. A private address needs a provisioning file.');
    case 'secret':
      return t('channels.help.secret', 'The receiver verifies the signature with it: openssl rand -hex 32');
    case 'topic':
      return t('channels.help.topic', 'Whoever knows it can read it, unless the server has access control.');
    case 'token':
      return type === 'telegram'
        ? t('channels.help.bot-token', 'Write /newbot to @BotFather: it responds with the token.')
        : t('channels.help.token', 'For a protected topic: ntfy token add');
    case 'chatId':
      return t('channels.help.chat', 'A number, or @name of a public channel. Send /start to the bot to find it.');
    case 'port':
      return t('channels.help.port', 'If empty: 587 with STARTTLS, 465 with TLS, 25 without encryption.');
    case 'to':
      return t('channels.help.to', 'Addresses, separated by commas.');
    case 'subject':
      return t('channels.help.subject', 'For the operators of push services, such as mailto:admin@example.org.');
    case 'perMinute':
      return t('channels.help.per-minute', 'Beyond that, one message counts the rest.');
    case 'giveUpAfter':
      return t('channels.help.give-up', 'Such as 30m, 12h or 2d. Then a notification counts as undelivered.');
    case 'inboxUrl':
      return t('channels.help.inbox-url', 'For messages without a link of their own.');
    default:
      return undefined;
  }
}

/** What is allowed. */
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
    case 'perMinute':
      return t('channels.rule.per-minute', 'A number from 1');
    case 'giveUpAfter':
      return t('channels.rule.give-up', 'A duration such as 30m, 12h or 2d, at most 30d');
    default:
      return t('channels.rule.other', 'Invalid value');
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
