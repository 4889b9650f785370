/** A channel, and the bridge's interface to it. Each type is a file in kinds/. */
import { createHash } from 'node:crypto';
import type { PageChannel } from '../../../../contract/channelChange.ts';
import { GIVE_UP_AFTER } from '../../../../contract/channelTypes/descriptor.ts';
import { DESCRIPTORS, returnsPresses } from '../../../../contract/channelTypes/index.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { MessageActionKind } from '../../../../contract/messageAction.ts';
import type { Labels } from '../../../../contract/matchers.ts';
import type { Notification, Status } from '../../../../contract/notification.ts';
import type { ResolvedAddress } from '../../../platform/http/outbound.ts';

/** Columns of a notification that are sent. */
export type SentNotification = Pick<
  Notification,
  | 'id'
  | 'timestamp'
  | 'title'
  | 'body'
  | 'category'
  | 'dnpName'
  | 'priority'
  | 'status'
  | 'correlationId'
  | 'callToAction'
>;

/** A button of a message, where the service returns the press. */
export interface MessageButton {
  action: MessageActionKind;
  label: string;
  /** For the press: at most 64 characters of base64url, of which the last bytes are a signature. A secret. */
  token: string;
}
/** Length of the signature of a token. */
export const TOKEN_MAC_BYTES = 16;

/** A link beside the text of a message: an action, or "Show". */
export interface MessageAction {
  label: string;
  /** Address; that of an action is a page that asks before it acts, and contains the token. */
  url: string;
  /** Acts at once: POST with the token as JSON. */
  endpoint?: string;
  token?: string;
}

/** One message: of a notification, of many (`count`), or a test (`id` 0). */
export interface Message extends SentNotification {
  /** Names the message of the thread: at most 64 of `-_A-Za-z0-9`. The same each time that it is sent. */
  key: string;
  /** Undefined: of no thread. */
  threadId?: number;
  /** Reference of the message to change, as the channel returned it; undefined: a new message. */
  ref: string | undefined;
  /** Milliseconds for which the alert fired; only of a resolved one whose firing was not sent before. */
  lastedMs?: number;
  /** Notifications for which it stands. */
  count?: number;
  /** By the templates of the channel, without control characters; absent: the standard texts. */
  rendered?: { title?: string; body?: string };
  /** None: nothing can be done from the message. */
  buttons?: readonly MessageButton[];
  /** The buttons as links, with the public address of the bridge; and the thread in the inbox. */
  actions?: readonly MessageAction[];
  /** If the message of `ref` is gone, no other takes its place. */
  onlyEdit?: true;
  /** Who has acknowledged or snoozed the thread, as a sentence. */
  response?: string;
}

/** The outcome of an attempt to send a message. Reasons are sentences without secrets. */
export type Outcome =
  /**
   * `ref`: what is needed to change the message; `warning`: who does not get it; `isDeferred`: another attempt with the same key
   * reaches only those who may get it later.
   */
  | { kind: 'delivered'; ref?: string; warning?: string; isDeferred?: boolean }
  /** It may work later: at the earliest after this time, in milliseconds. */
  | { kind: 'retry'; afterMs?: number; reason: string }
  /** It will not work for this message. */
  | { kind: 'refused'; reason: string };

/** Options of one attempt. */
export interface SendOptions {
  signal: AbortSignal;
  /** Key that is the same for each attempt. */
  idempotencyKey: string;
  /** Bridges through which it has come, this one last (contract/via.ts): for channels that may lead to a bridge. */
  via: readonly string[];
}

/** A press of a button. */
export interface Press {
  token: string;
  /** Who pressed, as the service names the person. */
  who: string;
  /** The chat, by each of its names. */
  chats: readonly string[];
  /** Names a press that may come again after a kill, and another one of the same button does not have; undefined: the token does. */
  id?: string;
}

/** Buttons of one account of a service. */
export interface Presses {
  /** Names the account whose channels share the presses. A secret. */
  account: string;
  /** The chat of the channel. */
  chat: string;
  /**
   * Waits for presses until the signal; one that was not answered comes again. Never rejects.
   * @param on acts @returns a sentence for who has pressed
   * @param onFailure with a sentence without secrets
   */
  listen: (
    on: (press: Press) => Promise<string>,
    onFailure: (reason: string) => void,
    signal: AbortSignal
  ) => Promise<void>;
}

/** A connection to one service, made by `kinds/`. */
export interface Channel {
  /** Never rejects. Reasons are sentences without secrets. */
  send(message: Message, options: SendOptions): Promise<Outcome>;
  /** Undefined: the service does not return presses. */
  presses?: Presses;
}

/** A notification as another bridge receives it. */
export interface Forwarded extends Pick<SentNotification, 'title' | 'body' | 'category' | 'dnpName' | 'priority'> {
  status?: Status;
  correlationId: string;
  isBanner?: boolean;
  callToAction?: SentNotification['callToAction'];
  icon?: string;
  labels?: Labels;
  /** The node from which this bridge has it. */
  node?: string;
  /** ISO 8601. */
  sentAt?: string;
  idempotencyKey: string;
  /** Bridges through which it has come, this one last (contract/via.ts). */
  via: readonly string[];
}

/** The outcome of a batch for another bridge. */
export type BatchOutcome =
  /** Places in the batch: `returned` have been at the other bridge before, `rejected` cannot be stored there. */
  | { kind: 'delivered'; returned: number[]; rejected: { index: number; reason: string }[] }
  | Exclude<Outcome, { kind: 'delivered' }>;

/** A channel that takes many at once, in their order. */
export interface BatchChannel extends Channel {
  sendAll(all: readonly Forwarded[], signal: AbortSignal): Promise<BatchOutcome>;
  /** Tells the other side that this one is alive. */
  heartbeat(signal: AbortSignal): Promise<Outcome>;
}

/** A channel with its secrets. */
export interface ChannelSettings extends Omit<PageChannel, 'giveUpAfter' | 'perMinute'> {
  giveUpAfter: string;
  /** Undefined: no limit. */
  perMinute: number | undefined;
}

/** With the defaults of its type. */
export function settingsOf(given: PageChannel): ChannelSettings {
  const { url, isForMachines, giveUpAfter = GIVE_UP_AFTER } = DESCRIPTORS[given.type];
  const perMinute = given.perMinute ?? (isForMachines ? undefined : LIMITS.channelPerMinute.value);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...(url !== undefined && { url }), giveUpAfter, ...(Object.fromEntries(entries) as PageChannel), perMinute };
}

/** A channel without secrets, to be shown and stored. */
export interface ShownChannel extends Pick<
  ChannelSettings,
  'name' | 'type' | 'giveUpAfter' | 'quietHours' | 'passing' | 'actions'
> {
  /** A host, the recipients of mail, or the subject of web push. */
  target: string;
  perMinute: number | null;
  node?: string;
}

/** The name that stands for the page among those of provisioning files. */
export const PAGE = '';

/** A stored channel. Channels of files have none of the further members but `place`. */
export interface StoredChannel extends ShownChannel {
  /** Changes with the settings of its type, such as the chat; too short to guess them from it. */
  place?: string;
  disabled?: true;
  /** See {@link returnsPresses}. */
  presses?: true;
  /** Members of a channel of the page that may be read back. */
  settings?: Record<string, unknown>;
  /** Names of the others. */
  has?: string[];
  /** ChannelSettings as JSON, encrypted. */
  sealed?: string;
}

/** The part of a channel that may be stored and shown: its settings without secrets. */
export const shownChannel = (settings: ChannelSettings): StoredChannel => {
  const { name, type, giveUpAfter, perMinute, quietHours, passing, node, actions } = settings;
  return {
    name,
    type,
    ...(quietHours && { quietHours }),
    ...(passing && { passing }),
    ...(actions && { actions }),
    target: targetOf(settings),
    giveUpAfter,
    perMinute: perMinute ?? null,
    place: placeOf(settings),
    ...(returnsPresses(settings) && { presses: true }),
    ...(node !== undefined && { node }),
  };
};

const PLACE_BYTES = 4;
const placeOf = (settings: ChannelSettings): string => {
  const { type } = settings;
  const values = Object.keys(DESCRIPTORS[type].fields).map((key) => settings[key as keyof ChannelSettings] ?? null);
  return createHash('sha256').update(JSON.stringify(values)).digest().toString('hex', 0, PLACE_BYTES);
};

/** A path may hold a secret, as those of webhooks often do; so may a topic. */
const targetOf = ({ url, host = '', to, subject, channel }: ChannelSettings): string =>
  url === undefined ? (subject ?? to?.join(', ') ?? channel ?? host) : new URL(url).host;

/** In the outbox, each device of a channel of type webpush is a channel of its own. A slash is in no other name. */
export const deviceChannel = (name: string, device: number): string => `${name}/${device}`;

/** The configured channel of a channel in the outbox, and the device. */
export function ofDevice(channel: string): { name: string; device: number | undefined } {
  const [name, device] = channel.split('/') as [string, string?];
  return { name, device: device === undefined ? undefined : Number(device) };
}

/** Network functions for the kinds. */
export interface Network {
  /** Allowed besides the host of the channel. */
  allow: readonly string[];
  /** Only what is allowed above, even if the host of the channel is private. */
  isPublicOnly?: boolean;
  /** Default: the system's resolver. */
  lookup?: (host: string) => Promise<ResolvedAddress[]>;
  /** UTC milliseconds. */
  now: () => number;
}
