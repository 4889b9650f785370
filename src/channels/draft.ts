/** A channel as a form: texts, what is missing or wrong in them, and the body of the request. Pure. */
import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import { type ChannelChange, pageChannelSchema } from '@nodebell/contract/channelChange.ts';
import type { ChannelField } from '@nodebell/contract/channelTypes/descriptor.ts';
import { type ChannelType, DESCRIPTORS, formFields } from '@nodebell/contract/channelTypes/index.ts';
import { DEFAULT_PASSING } from '@nodebell/contract/hours.ts';
import { hoursDraftOf, hoursOfDraft, type QuietDraft } from './hours';

export interface Draft {
  name: string;
  type: ChannelType;
  disabled: boolean;
  /** Texts of the fields. */
  values: Readonly<Record<string, string>>;
  quiet: QuietDraft;
  /** Members without a field, which stay as they are. */
  others: Record<string, unknown>;
  /** Members that are stored, not read back, and left as they are. */
  kept: readonly string[];
  /** Members that were stored, and are not read back, when the form opened. */
  stored: readonly string[];
}

export const emptyDraft = (type: ChannelType): Draft => ({
  name: '',
  type,
  disabled: false,
  values: {},
  quiet: { hours: [], passing: DEFAULT_PASSING },
  others: {},
  kept: [],
  stored: [],
});

export function draftOf(channel: ChannelStatus): Draft {
  const { name, type, disabled, settings = {}, has = [], quietHours = [], passing = DEFAULT_PASSING } = channel;
  const fields = new Map(formFields(type));
  const values: Record<string, string> = {};
  const others: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(settings)) {
    if (fields.has(key)) {
      values[key] = Array.isArray(value) ? value.join(', ') : String(value);
    } else {
      others[key] = value;
    }
  }
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

/** Invalid members by name, or by the path of a part such as `quietHours.0.to`, and whether each is empty. */
export type Mistakes = Record<string, 'missing' | 'invalid'>;

/** Members of the request; null: what is stored, and not read back, is removed. */
function membersOf({ type, values, kept, stored }: Draft): Record<string, unknown> {
  return Object.fromEntries(
    formFields(type).flatMap(([key, { hidden, element }]): Array<[string, unknown]> => {
      const text = values[key]?.trim() ?? '';
      if (hidden && kept.includes(key)) {
        return [];
      }
      if (text === '') {
        return hidden && stored.includes(key) ? [[key, null]] : [];
      }
      return [[key, valueOf(text, element)]];
    })
  );
}

function valueOf(text: string, element: ChannelField['element']): unknown {
  if (element === 'list' || element === 'choices') {
    return text.split(/[,;\n]/).flatMap((one) => one.trim() || []);
  }
  return element === 'number' && /^\d+$/.test(text) ? Number(text) : text;
}

const quietMembers = ({ type, quiet: { hours, passing } }: Draft): Pick<ChannelChange, 'quietHours' | 'passing'> =>
  !DESCRIPTORS[type].isBridge && hours.length > 0 ? { quietHours: hours.map(hoursOfDraft), passing } : {};

/** Stands for what is stored and not read back, so that rules about several members hold. */
const KEPT = 'https://kept.invalid';

/** @returns the body, or what is wrong */
export function readDraft(draft: Draft): { body: ChannelChange } | { mistakes: Mistakes } {
  const { name, type, disabled, kept } = draft;
  const members = { ...membersOf(draft), ...quietMembers(draft) };
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
  const standIns = Object.fromEntries(kept.map((member) => [member, KEPT]));
  const parsed = pageChannelSchema.safeParse({ name: name.trim(), type, ...standIns, ...given });
  const mistakes: Mistakes = {};
  for (const { path } of parsed.error?.issues ?? []) {
    const member = String(path[0]);
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
  return { body: { ...draft.others, type, ...members, disabled } };
}
