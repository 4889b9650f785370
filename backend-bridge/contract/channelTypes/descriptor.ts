/**
 * Descriptor of a channel type, like the contact points of Grafana. The form of the page, the validation of provisioning files and of the
 * API, the OpenAPI document and the table of docs/channels.md follow from it.
 */
import { z } from 'zod';

/** `t` of src/i18n/t.ts. Keys are literals, so that `npm run i18n` extracts the texts. */
export type Translate = (key: string, english: string, values?: Record<string, unknown>) => string;
type Text = (t: Translate) => string;

/** A field of a channel: a member of provisioning files and of the API, and an input of the form. */
export interface ChannelField<S extends z.ZodType = z.ZodType> {
  schema: S;
  required?: boolean;
  /**
   * Not read back. `secret`: a secret, in provisioning files also `<key>File`; `address`: an address or a topic that may contain one, as
   * the paths of webhooks often do.
   */
  hidden?: 'secret' | 'address';
  /** For the API. Default: the label and the help. */
  description?: string;
  label: Text;
  help?: (t: Translate, descriptor: ChannelDescriptor) => string;
  /** Allowed values. */
  rule?: Text;
  /** Default: text. `chat`: text, with the chats of the bot to choose from. `template`: several lines. */
  element?: 'number' | 'list' | 'select' | 'choices' | 'chat' | 'template';
  /** Choices: of a `select` one, by default the first; of `choices` any. */
  options?: (t: Translate) => { value: string; label: string }[];
  /** Below "More settings". */
  advanced?: boolean;
}

/** Whether the rule is violated, and the allowed value of the member. */
type Violation = readonly [isViolated: boolean, key: string, allowed: string];

export interface ChannelDescriptor {
  label: Text;
  description: Text;
  /** An icon of Grafana. */
  icon: string;
  fields: Readonly<Record<string, ChannelField>>;
  /** Rules about several fields. @param has whether a field or its file is given */
  check?: (given: Record<string, unknown>, has: (key: string) => boolean) => readonly Violation[];
  /** Default of `url`. */
  url?: string;
  /** Default of `giveUpAfter`. Default: {@link GIVE_UP_AFTER}. */
  giveUpAfter?: string;
  /** Whether a message whose `send` returned a `ref` can be changed, and whether anybody hears that. */
  edits?: 'silently' | 'audibly';
  /** Each notification is a message of its own, and there is no limit by default. */
  isForMachines?: boolean;
  /** Another bridge: it has limits, links and quiet hours of its own. */
  isBridge?: boolean;
  /** The service returns presses of buttons, with the person and the chat; a name: where this field is given. */
  returnsPresses?: true | string;
  /** Each device of a person is tested by that person. */
  hasDevices?: boolean;
}

export const GIVE_UP_AFTER = '24h';

/** Keeps the types of the fields. */
export const describeChannel = <const D extends ChannelDescriptor>(descriptor: D): D => descriptor;

export const describeFields = <const F extends ChannelDescriptor['fields']>(fields: F): F => fields;

/** A number, also as text. */
export const whole = (min: number, max: number) => {
  const allowed = { error: `a whole number from ${min} to ${max}` };
  return z
    .union([z.number(), z.string().regex(/^\d{1,7}$/, allowed)], allowed)
    .transform(Number)
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, allowed);
};

export const text = (max: number) => z.string().trim().min(1).max(max);
export const httpUrl = z.url({ protocol: /^https?$/, error: 'an http: or https: address' }).max(2048);
/** Fields of several types have the same schema. */
export const urlSchema = httpUrl.refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), {
  error: 'an address without user name and password',
});
export const tokenSchema = text(4096).regex(/^[\x21-\x7e]+$/, { error: 'one word of visible ASCII characters' });
/** A channel or room of a chat service: an ID, `#name` or `@user`. */
export const roomSchema = text(255).regex(/^[#@]?[\p{L}\p{N}._-]+$/u, {
  error: 'an ID, #name or @user, without spaces',
});

export const urlRule: Text = (t) =>
  t('channels.rule.url', 'An address with http:// or https://, without user name and password');
export const webhookUrl = {
  schema: urlSchema,
  required: true,
  hidden: 'address',
  label: (t: Translate) => t('channels.field.webhook-url', 'Webhook URL'),
  rule: urlRule,
} as const;
/** The address of a server that the operator runs. */
export const ownServer = {
  schema: urlSchema,
  required: true,
  label: (t: Translate) => t('channels.field.server', 'Server'),
  help: (t: Translate) => t('channels.help.own-server', 'A private address needs a provisioning file.'),
  rule: urlRule,
} as const;
/** A server with an API for bots, or one of its webhooks. */
export const serverOrWebhook = {
  schema: urlSchema,
  required: true,
  hidden: 'address',
  label: (t: Translate) => t('channels.field.server-or-webhook', 'Server or webhook URL'),
  help: (t: Translate) =>
    t(
      'channels.help.server-or-webhook',
      'The server, with a token; or an incoming webhook (…/hooks/…), which cannot edit. A private address needs a provisioning file.'
    ),
  rule: urlRule,
} as const;
export const nameRule: Text = (t) => t('channels.rule.name', 'Up to 63 letters, digits, dots, hyphens and underscores');
