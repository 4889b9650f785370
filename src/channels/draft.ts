/** A channel as a form: texts, what is missing or wrong in them, and the body of the request. Pure. */
import type { ChannelStatus, ChannelType } from '@nodebell/contract/channel.ts';
import { type ChannelChange, pageChannelSchema, writeOnly } from '@nodebell/contract/channelChange.ts';

/** Members of the form, besides name and type. */
export const MEMBERS = [
  'url',
  'secret',
  'topic',
  'token',
  'chatId',
  'host',
  'port',
  'tls',
  'username',
  'password',
  'from',
  'to',
  'subject',
  'perMinute',
  'giveUpAfter',
  'inboxUrl',
] as const;
export type Member = (typeof MEMBERS)[number];

/** Kinds that the page offers, with their members in order. */
export const KINDS = {
  telegram: ['token', 'chatId'],
  ntfy: ['topic', 'url', 'token'],
  email: ['host', 'port', 'tls', 'username', 'password', 'from', 'to'],
  webhook: ['url', 'secret'],
  webpush: ['subject'],
} as const satisfies Partial<Record<ChannelType, readonly Member[]>>;
export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as Kind[];

export const isRequired = (type: Kind, member: Member): boolean =>
  (
    ({
      telegram: ['token', 'chatId'],
      ntfy: ['topic'],
      email: ['host', 'from', 'to'],
      webhook: ['url'],
      webpush: ['subject'],
    }) as Record<Kind, readonly Member[]>
  )[type].includes(member);

export interface Draft {
  name: string;
  type: Kind;
  disabled: boolean;
  values: Partial<Record<Member, string>>;
  /** Members without a field, which stay as they are. */
  others: Record<string, unknown>;
  /** Members that are stored, not read back, and left as they are. */
  kept: readonly string[];
  /** Those that were stored when the form opened. */
  stored: readonly string[];
}

export const emptyDraft = (type: Kind): Draft => ({
  name: '',
  type,
  disabled: false,
  values: type === 'email' ? { tls: 'starttls' } : {},
  others: {},
  kept: [],
  stored: [],
});

/** @returns undefined for a kind that has no form */
export function draftOf(channel: ChannelStatus): Draft | undefined {
  const { name, type, disabled, settings = {}, has = [] } = channel;
  if (!Object.hasOwn(KINDS, type)) {
    return undefined;
  }
  const entries = Object.entries(settings);
  const isField = ([member]: [string, unknown]): boolean => MEMBERS.some((one) => one === member);
  const values = Object.fromEntries(
    entries.filter(isField).map(([member, value]) => [member, Array.isArray(value) ? value.join(', ') : String(value)])
  );
  const others = { ...hoursOf(channel), ...Object.fromEntries(entries.filter((entry) => !isField(entry))) };
  return { name, type: type as Kind, disabled, values, others, kept: has, stored: has };
}

/** The body for what is stored of a channel, with another state. */
export const bodyOf = (channel: ChannelStatus, disabled: boolean): ChannelChange => ({
  type: channel.type,
  ...hoursOf(channel),
  ...channel.settings,
  disabled,
});

const hoursOf = ({ quietHours, passing }: ChannelStatus): Pick<ChannelChange, 'quietHours' | 'passing'> => ({
  ...(quietHours && { quietHours }),
  ...(passing && { passing }),
});

const isWriteOnly = (type: Kind, member: Member): boolean => writeOnly(type).some((one) => one === member);
export const isSecret = (member: Member): boolean => ['secret', 'token', 'password'].includes(member);

/** What is wrong: a member, and whether it is empty. */
export type Mistakes = Partial<Record<Member | 'name', 'missing' | 'invalid'>>;

function membersOf({ type, values, kept, stored }: Draft): Record<string, unknown> {
  const members: readonly Member[] = [...KINDS[type], 'perMinute', 'giveUpAfter', 'inboxUrl'];
  return Object.fromEntries(
    members.flatMap((member): Array<[Member, unknown]> => {
      const text = values[member]?.trim() ?? '';
      if (isWriteOnly(type, member) && kept.includes(member)) {
        return [];
      }
      if (text === '') {
        return isSecret(member) && stored.includes(member) ? [[member, null]] : [];
      }
      return [[member, member === 'to' ? text.split(/[,;\n]/).flatMap((one) => one.trim() || []) : text]];
    })
  );
}

/** @returns the body, or what is wrong */
export function readDraft(draft: Draft): { body: ChannelChange } | { mistakes: Mistakes } {
  const { name, type, disabled, kept } = draft;
  const members = membersOf(draft);
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
  const parsed = pageChannelSchema.safeParse({ name: name.trim(), type, ...given });
  const mistakes: Mistakes = {};
  for (const { path } of parsed.error?.issues ?? []) {
    const member = path[0] as Member | 'name';
    if (!kept.includes(member)) {
      const text = member === 'name' ? name : (draft.values[member] ?? '');
      mistakes[member] ??= text.trim() === '' ? 'missing' : 'invalid';
    }
  }
  if (Object.keys(mistakes).length > 0) {
    return { mistakes };
  }
  const change = { ...draft.others, type, ...members, disabled } as ChannelChange;
  return { body: { ...change, ...numbers(members) } };
}

/** The bridge reads numbers from text as well; in the body they are numbers. */
const numbers = (members: Record<string, unknown>): Partial<ChannelChange> =>
  Object.fromEntries(
    ['port', 'perMinute'].flatMap((member) =>
      members[member] === undefined ? [] : [[member, Number(members[member])]]
    )
  );
