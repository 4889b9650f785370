/** The channel types, in the order of the page. Another one: docs/architecture.md, "How to add". */
import type { z } from 'zod';
import { ACTIONS_FIELD, COMMON_FIELDS, isTemplate } from './common.ts';
import type { ChannelDescriptor, ChannelField, Translate } from './descriptor.ts';
import { apprise } from './apprise.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { googlechat } from './googlechat.ts';
import { gotify } from './gotify.ts';
import { matrix } from './matrix.ts';
import { mattermost } from './mattermost.ts';
import { nodebell } from './nodebell.ts';
import { ntfy } from './ntfy.ts';
import { pushover } from './pushover.ts';
import { rocketchat } from './rocketchat.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { twilio } from './twilio.ts';
import { webhook } from './webhook.ts';
import { webpush } from './webpush.ts';

const CHATS = { slack, mattermost, discord, teams, googlechat, rocketchat, matrix };
const TYPES = { telegram, ntfy, email, ...CHATS, gotify, pushover, twilio, apprise, webhook, webpush, nodebell };
export type ChannelType = keyof typeof TYPES;
export const CHANNEL_TYPES = Object.keys(TYPES) as [ChannelType, ...ChannelType[]];
export const DESCRIPTORS: Readonly<Record<ChannelType, ChannelDescriptor>> = TYPES;

/** Whether its service returns presses of buttons. A stored channel has this as `presses`, since its settings decide. */
export function returnsPresses(channel: { type: ChannelType; presses?: true }): boolean {
  const { returnsPresses: by } = DESCRIPTORS[channel.type];
  return by === true || channel.presses === true || (by !== undefined && by in channel);
}

type Fields = Readonly<Record<string, ChannelField>>;
type SchemasOf<F extends Fields> = { [K in keyof F]: F[K]['schema'] };
type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Schemas = Together<{ [T in ChannelType]: SchemasOf<(typeof TYPES)[T]['fields']> }[ChannelType]> &
  SchemasOf<typeof COMMON_FIELDS & typeof ACTIONS_FIELD>;

const english: Translate = (_key, text) => text.replace(/\.$/, '');
const textOf = ({ description, label, help, hidden }: ChannelField, descriptor: ChannelDescriptor): string =>
  (description ?? [label(english), help?.(english, descriptor)].filter((text) => text !== undefined).join('. ')) +
  (hidden === 'secret' ? '. Best as ${VARIABLE}.' : '');
const descriptionOf = (key: string): string =>
  Object.entries(DESCRIPTORS)
    .flatMap(([type, one]) => (one.fields[key] ? `${type}: ${textOf(one.fields[key], one)}` : []))
    .join(' ');

const own = Object.assign({}, ...Object.values(DESCRIPTORS).map(({ fields }) => fields)) as Fields;
/** Schemas of the fields of all types, each optional. */
export const fieldSchemas = Object.fromEntries([
  ...Object.entries({ ...COMMON_FIELDS, ...ACTIONS_FIELD }).map(([key, field]) => [
    key,
    field.schema.optional().describe(textOf(field, DESCRIPTORS.email)),
  ]),
  ...Object.entries(own).map(([key, { schema }]) => [key, schema.optional().describe(descriptionOf(key))]),
]) as { [K in keyof Schemas]: z.ZodOptional<Schemas[K]> };

type SecretsOf<F extends Fields> = { [K in keyof F]: F[K] extends { hidden: 'secret' } ? K : never }[keyof F];
export type Secret = { [T in ChannelType]: SecretsOf<(typeof TYPES)[T]['fields']> }[ChannelType];
/** Secrets of all types. */
export const SECRETS = Object.keys(own).filter((key): key is Secret => own[key]!.hidden === 'secret');

type HiddenOf<F extends Fields> = { [K in keyof F]: F[K] extends { hidden: string } ? K : never }[keyof F];
export type Hidden = { [T in ChannelType]: HiddenOf<(typeof TYPES)[T]['fields']> }[ChannelType];
/** Fields that are not read back, of any type. */
export const HIDDEN = Object.keys(own).filter((key): key is Hidden =>
  CHANNEL_TYPES.some((type) => DESCRIPTORS[type].fields[key]?.hidden !== undefined)
);

/** Fields of a type that are not read back. */
export const hiddenFields = (type: ChannelType): string[] =>
  Object.entries(DESCRIPTORS[type].fields).flatMap(([key, { hidden }]) => (hidden ? key : []));

const commonFields = (type: ChannelType): Fields => {
  const { isForMachines, isBridge, hasDevices } = DESCRIPTORS[type];
  return { ...(!isForMachines && !isBridge && !hasDevices && ACTIONS_FIELD), ...COMMON_FIELDS };
};

/** Fields of the form, in order. */
export const formFields = (type: ChannelType): [key: string, field: ChannelField][] => {
  const { fields, isBridge, isForMachines } = DESCRIPTORS[type];
  const common = Object.entries(commonFields(type)).filter(
    ([key]) => (!isBridge || key === 'giveUpAfter') && !(isForMachines && isTemplate(key))
  );
  return [
    ...Object.entries(fields),
    ...common.map(([key, one]): [string, ChannelField] => [key, { ...one, advanced: true }]),
  ];
};

type Violation = [key: string, allowed: string];

/** Fields that the type lacks or does not have, and those that do not belong together. @param canUseFiles whether a secret may be in a file */
export function violationsOf(type: ChannelType, given: Record<string, unknown>, canUseFiles: boolean): Violation[] {
  const { fields, check, isForMachines } = DESCRIPTORS[type];
  const fileOf = (key: string): string => `${key}File`;
  const isSecret = (key: string): boolean => fields[key]?.hidden === 'secret';
  const has = (key: string): boolean => given[key] !== undefined || (isSecret(key) && given[fileOf(key)] !== undefined);
  const orFile = (key: string): string => (isSecret(key) && canUseFiles ? `, or "${fileOf(key)}"` : '');
  const names = Object.keys(fields).flatMap((key) => (isSecret(key) ? [key, fileOf(key)] : key));
  const known = new Set([...names, ...COMMON, ...Object.keys(commonFields(type))]);
  return [
    ...Object.keys(fields)
      .filter((key) => fields[key]!.required && !has(key))
      .map((key): Violation => [key, `given for a channel of type ${type}${orFile(key)}`]),
    ...Object.keys(given)
      .filter((key) => given[key] !== undefined && !known.has(key))
      .map((key): Violation => [key, `absent: a channel of type ${type} has ${names.join(', ')}`]),
    ...Object.keys(given)
      .filter((key) => isForMachines && isTemplate(key) && given[key] !== undefined)
      .map((key): Violation => [key, `absent: messages of type ${type} are read by programs`]),
    ...SECRETS.filter((key) => given[key] !== undefined && given[fileOf(key)] !== undefined).map((key): Violation => [
      key,
      `absent beside "${fileOf(key)}"`,
    ]),
    ...(check?.(given, has) ?? []).flatMap(([isViolated, key, allowed]): Violation[] =>
      isViolated ? [[key, `${allowed}${orFile(key)}`]] : []
    ),
  ];
}

const COMMON = ['name', 'type', 'quietHours', 'passing'];
