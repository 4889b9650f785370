/** A channel as a form: texts, what is missing or wrong in them, and the body of the request. Pure. */
import { type ChannelStatus, type ChannelType, MEMBERS_OF_TYPES } from '@nodebell/contract/channel.ts';
import { type ChannelChange, pageChannelSchema, writeOnly } from '@nodebell/contract/channelChange.ts';
import { DEFAULT_PASSING } from '@nodebell/contract/hours.ts';
import { hoursDraftOf, hoursOfDraft, type QuietDraft } from './hours';

/** Members of the form that are texts, besides name and type. */
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
  'node',
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
  nodebell: ['url', 'token', 'node'],
} as const satisfies Record<ChannelType, readonly Member[]>;
export const KIND_NAMES = Object.keys(KINDS) as ChannelType[];

const LIMITING = ['perMinute', 'giveUpAfter', 'inboxUrl'] as const;
/** Members that few need. */
export const furtherOf = (type: ChannelType): readonly Member[] =>
  type === 'nodebell' ? ['giveUpAfter'] : type === 'telegram' ? ['url', ...LIMITING] : LIMITING;

/** Another bridge has quiet hours of its own. */
export const hasQuietHours = (type: ChannelType): boolean => type !== 'nodebell';

/** Web push is tested by each person on their own device. */
export const hasTest = (type: ChannelType): boolean => type !== 'webpush';

export const isRequired = (type: ChannelType, member: Member): boolean =>
  MEMBERS_OF_TYPES[type].required.includes(member) ||
  (member === 'token' && (type === 'telegram' || type === 'nodebell'));

export interface Draft {
  name: string;
  type: ChannelType;
  disabled: boolean;
  values: Partial<Record<Member, string>>;
  quiet: QuietDraft;
  /** Members without a field, which stay as they are. */
  others: Record<string, unknown>;
  /** Members that are stored, not read back, and left as they are. */
  kept: readonly string[];
  /** Secrets stored when the form opened. */
  stored: readonly string[];
}

export const emptyDraft = (type: ChannelType): Draft => ({
  name: '',
  type,
  disabled: false,
  values: type === 'email' ? { tls: 'starttls' } : {},
  quiet: { hours: [], passing: DEFAULT_PASSING },
  others: {},
  kept: [],
  stored: [],
});

export function draftOf(channel: ChannelStatus): Draft {
  const { name, type, disabled, settings = {}, has = [], quietHours = [], passing = DEFAULT_PASSING } = channel;
  const entries = Object.entries(settings);
  const isField = ([member]: [string, unknown]): boolean => MEMBERS.some((one) => one === member);
  const values = Object.fromEntries(
    entries.filter(isField).map(([member, value]) => [member, Array.isArray(value) ? value.join(', ') : String(value)])
  );
  const others = Object.fromEntries(entries.filter((entry) => !isField(entry)));
  const quiet = { hours: quietHours.map(hoursDraftOf), passing };
  return { name, type, disabled, values, quiet, others, kept: has, stored: has };
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

const isWriteOnly = (type: ChannelType, member: Member): boolean => writeOnly(type).some((one) => one === member);
export const isSecret = (member: Member): boolean => ['secret', 'token', 'password'].includes(member);

/** Invalid members by name, or by the path of a part such as `quietHours.0.to`, and whether each is empty. */
export type Mistakes = Record<string, 'missing' | 'invalid'>;

function membersOf({ type, values, kept, stored }: Draft): Record<string, unknown> {
  const members: readonly Member[] = [...KINDS[type], ...furtherOf(type)];
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

const quietMembers = ({ type, quiet: { hours, passing } }: Draft): Pick<ChannelChange, 'quietHours' | 'passing'> =>
  hasQuietHours(type) && hours.length > 0 ? { quietHours: hours.map(hoursOfDraft), passing } : {};

/** @returns the body, or what is wrong */
export function readDraft(draft: Draft): { body: ChannelChange } | { mistakes: Mistakes } {
  const { name, type, disabled, kept } = draft;
  const members = { ...membersOf(draft), ...quietMembers(draft) };
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
  const parsed = pageChannelSchema.safeParse({ name: name.trim(), type, ...given });
  const mistakes: Mistakes = {};
  for (const { path } of parsed.error?.issues ?? []) {
    const member = path[0] as Member | 'name' | 'quietHours';
    if (member === 'quietHours') {
      // An invalid day marks the whole list.
      mistakes[path.slice(0, 3).join('.')] = 'invalid';
    } else if (!kept.includes(member)) {
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
