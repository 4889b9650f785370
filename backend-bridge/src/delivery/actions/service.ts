/** Offers actions in messages, and does what was pressed. */
import type { ACTIONS } from '../../../contract/api/actions.ts';
import type { Actor } from '../../../contract/audit.ts';
import { DESCRIPTORS, returnsPresses } from '../../../contract/channelTypes/index.ts';
import { LIMITS } from '../../../contract/limits.ts';
import {
  ACTION_LABELS,
  ACTION_PAGE,
  type ActionShown,
  type MessageActionKind,
} from '../../../contract/messageAction.ts';
import { show } from '../../../contract/text.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';
import type { Inbox } from '../../inbox/notifications/inbox.ts';
import type { Destinations } from '../../inbox/notifications/receive.ts';
import type { Vault } from '../../platform/access/vault.ts';
import type { Core } from '../../platform/core/area.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { readKeptNumber } from '../../platform/storage/keptNumber.ts';
import type { ChannelSettings, Message, StoredChannel } from '../channels/kinds/channel.ts';
import { cut, minuteText, oneLine } from '../channels/kinds/text.ts';
import { type DiscordPress, takeInteractions } from './discord.ts';
import { epochName, isCurrent, revokeActions } from './epochs.ts';
import { sendActionPage } from './page.ts';
import { type ActionToken, channelTag, readToken, signAgain, signToken, storedToken } from './token.ts';
import { type KeyPress, takeKeys } from './twilio.ts';
import { type Taken, takeAction } from './writes.ts';

export interface ActionsDeps extends Pick<Core, 'db' | 'writes' | 'now' | 'steady' | 'log'> {
  routing: {
    channels(): readonly StoredChannel[];
    /** Where a thread goes that a person resolves. */
    byHand(): Destinations | undefined;
  };
  inbox: Pick<Inbox, 'mark'>;
  /** Channels with their secrets, which a replica that does not lead may not have. */
  settings: () => ChannelSettings[];
  /** Undefined: there is no key, so nothing is offered. */
  vault: Vault | undefined;
  /** Address at which phones reach the bridge, without a slash at the end; undefined: none is known. */
  publicUrl: string | undefined;
}

/** The thread of a message. */
export interface Offered {
  /** Id of the notification. */
  id: number;
  /** Whether it can be resolved: its sender gave a status. */
  isAlert: boolean;
  isAcknowledged: boolean;
}

const INVALID = 'The action is unknown, has expired, or is no longer offered by the channel.';
const REFUSED: Readonly<Record<Exclude<Taken['outcome'], 'done'>, string>> = {
  revoked: INVALID,
  used: 'This was done already.',
  resolved: 'The alert has resolved since.',
  absent: 'The notification has been deleted.',
  full: `At most ${LIMITS.readerSnoozes.value} threads can be snoozed at a time.`,
};

export class MessageActions {
  readonly #deps: ActionsDeps;

  constructor(deps: ActionsDeps) {
    this.#deps = deps;
  }

  /** Buttons and links of a message. */
  async of(
    settings: Pick<ChannelSettings, 'name' | 'actions'>,
    offered: Offered
  ): Promise<Pick<Message, 'buttons' | 'actions'>> {
    const { db, writes, vault, publicUrl, now } = this.#deps;
    const channel = this.#channels().find(({ name }) => name === settings.name);
    if (vault === undefined || channel === undefined) {
      return {};
    }
    const expires = now() + LIMITS.actionDays.value * DAY_MS;
    const tag = channelTag(channel);
    const epoch = await readKeptNumber(db, writes, epochName(tag));
    const buttons = (settings.actions ?? [])
      .filter((action) => action !== (offered.isAcknowledged ? 'acknowledge' : undefined))
      .filter((action) => action !== 'resolve' || offered.isAlert)
      .map((action) => {
        const bound = { action, notification: offered.id, channel: tag, epoch, expires };
        return { action, label: ACTION_LABELS[action], token: signToken(vault, bound) };
      });
    if (buttons.length === 0) {
      return {};
    }
    const links = buttons.map((one) => ({
      ...one,
      url: `${publicUrl}${ACTION_PAGE}#${one.token}`,
      endpoint: `${publicUrl}/api/v1/actions`,
    }));
    const isLinked = publicUrl !== undefined && !returnsPresses(channel);
    return { buttons, ...(isLinked && { actions: links }) };
  }

  /**
   * Does what a message offers.
   * @param who as the service names the person; undefined: it does not
   * @param press names the press, which may come again for another token
   * @returns what was done, as a sentence
   * @throws HttpProblem 409 and 410
   */
  async take(token: string, who?: string, press?: string): Promise<string> {
    const { writes, now, steady, routing, inbox, log } = this.#deps;
    const { action, notification, channel, epoch } = this.#read(token);
    const by = actorOf(channel, who);
    const at = now();
    const taken = await writes.submit(takeAction, {
      tokens: [token, ...(press === undefined ? [] : [press])].map(storedToken),
      ...{ action, notification, tag: channelTag(channel), epoch, by },
      ...{ now: at, steady: steady(), destinations: routing.byHand() },
    });
    if (taken.outcome !== 'done') {
      throw new HttpProblem(taken.outcome === 'full' ? 'conflict' : 'gone', REFUSED[taken.outcome]);
    }
    if (taken.step?.readUntil !== undefined && taken.step.changed.length > 0) {
      // It is done: what fails here is only unread.
      await inbox
        .mark({ ids: taken.step.changed, wholeThreads: true }, true)
        .catch((error: unknown) => log.error({ err: error }, 'could not mark a thread as read'));
    }
    return doneText(action, at);
  }

  /** The channel of a token; undefined: none. */
  channelOf(token: string): string | undefined {
    try {
      return this.#read(token).channel.name;
    } catch {
      return undefined;
    }
  }

  handlers(): Handlers<typeof ACTIONS> {
    return {
      takeAction: async ({ body }) => {
        this.#requireLink(body.token);
        return { done: await this.take(body.token) };
      },
      showAction: ({ body }) => {
        this.#requireLink(body.token);
        return this.#show(body.token);
      },
      takeMattermostAction: async ({ body: { user_name: who, context } }) => ({
        ephemeral_text: await this.#takePosted('mattermost', context.token, who),
      }),
      takeTwilioAction: takeKeys((key) => this.#takeKey(key)),
      takeDiscordAction: takeInteractions(
        () => this.#deps.settings().filter(({ type }) => type === 'discord'),
        (press) => this.#takeInteraction(press)
      ),
      actionPage: ({ res }) => sendActionPage(res),
      revokeActions: ({ params, by }) => this.#revoke(params.name, by),
    };
  }

  /** @throws HttpProblem 410 for a button: its service says who pressed it, and where */
  #requireLink(token: string): void {
    if (returnsPresses(this.#read(token).channel)) {
      throw new HttpProblem('gone', INVALID);
    }
  }

  /** @returns a sentence for who has pressed */
  async #takeKey({ unsigned, action, isOf }: KeyPress): Promise<string> {
    const { vault, publicUrl = '', log } = this.#deps;
    if (vault === undefined || action === undefined) {
      return INVALID;
    }
    const token = signAgain(vault, unsigned, action);
    const settings = this.#settingsOf(token);
    if (settings === undefined || !isOf(settings, publicUrl)) {
      const { name: channel } = settings ?? {};
      log.warn(
        { channel },
        'a key pressed in a call was rejected: its signature does not match the auth token and address'
      );
      return INVALID;
    }
    return this.#takePosted('twilio', token);
  }

  /** @returns a sentence for who has pressed */
  async #takeInteraction({ token, who, isOf }: DiscordPress): Promise<string> {
    const settings = this.#settingsOf(token);
    return settings !== undefined && isOf(settings) ? this.#takePosted('discord', token, who) : INVALID;
  }

  #settingsOf(token: string): ChannelSettings | undefined {
    const channel = this.channelOf(token);
    return channel === undefined ? undefined : this.#deps.settings().find(({ name }) => name === channel);
  }

  /** A press that its service posts. @returns a sentence for who has pressed */
  async #takePosted(type: StoredChannel['type'], token: string, who?: string): Promise<string> {
    try {
      // Tokens of other types are read by people, who could give any name.
      if (this.#read(token).channel.type !== type) {
        throw new HttpProblem('gone', INVALID);
      }
      return await this.take(token, who);
    } catch (error) {
      if (error instanceof HttpProblem) {
        return error.message;
      }
      throw error;
    }
  }

  async #show(token: string): Promise<ActionShown> {
    const { db } = this.#deps;
    const { action, notification, channel, epoch } = this.#read(token);
    if (!(await isCurrent(db, channelTag(channel), epoch))) {
      throw new HttpProblem('gone', INVALID);
    }
    const row = await db.selectFrom('notifications').select('title').where('id', '=', notification).executeTakeFirst();
    if (!row) {
      throw new HttpProblem('gone', REFUSED.absent);
    }
    return { action, title: cut(oneLine(row.title), LIMITS.titleBytes.value), channel: channel.name };
  }

  async #revoke(name: string, by: Actor): Promise<void> {
    const { routing, writes, now } = this.#deps;
    const channel = routing.channels().find((one) => one.name === name);
    if (channel === undefined) {
      throw new HttpProblem('not-found', `There is no channel ${show(name)}. GET /api/v1/channels lists them.`);
    }
    await writes.submit(revokeActions, { channel: name, tag: channelTag(channel), by, now: now() });
  }

  /** @throws HttpProblem 410 for one that is invalid, has expired, or is not offered any more */
  #read(token: string): Omit<ActionToken, 'channel'> & { channel: StoredChannel } {
    const { vault, now } = this.#deps;
    const read = vault && readToken(vault, token);
    const channel = read && this.#channels().find((one) => channelTag(one) === read.channel);
    if (!read || !channel?.actions?.includes(read.action) || read.expires < now()) {
      throw new HttpProblem('gone', INVALID);
    }
    return { ...read, channel };
  }

  #channels(): readonly StoredChannel[] {
    return this.#deps.routing.channels().filter(({ disabled, actions }) => !disabled && actions !== undefined);
  }
}

/** `Ada, by Telegram`; without a name, `Email (on-call)`. */
function actorOf({ name, type }: StoredChannel, who = ''): Actor {
  const service = DESCRIPTORS[type].label((_key, text) => text);
  const person = cut(oneLine(who), 100);
  return { kind: 'channel', name: person === '' ? `${service} (${name})` : `${person}, by ${service}` };
}

const doneText = (action: MessageActionKind, now: number): string =>
  ({
    acknowledge: 'Acknowledged.',
    snooze: `Snoozed until ${minuteText(now + HOUR_MS)}.`,
    resolve: 'Resolved.',
  })[action];
