/** Waits for presses of buttons, with one listener for all channels of an account. */
import type { Logger } from 'pino';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Press, Presses } from '../channels/kinds/channel.ts';
import type { MessageActions } from './service.ts';

interface Account {
  /** Chats by the name of their channel. */
  chats: Map<string, string>;
  ending: AbortController;
  running: Promise<void>;
}

export class Listeners {
  readonly #actions: Pick<MessageActions, 'take' | 'channelOf'>;
  readonly #log: Pick<Logger, 'warn' | 'error'>;
  readonly #accounts = new Map<string, Account>();

  constructor(actions: Pick<MessageActions, 'take' | 'channelOf'>, log: Pick<Logger, 'warn' | 'error'>) {
    this.#actions = actions;
    this.#log = log;
  }

  /** @param name of the channel */
  add(name: string, { account, chat, listen }: Presses): void {
    const known = this.#accounts.get(account);
    if (known) {
      known.chats.set(name, chat);
      return;
    }
    const chats = new Map([[name, chat]]);
    const ending = new AbortController();
    const onFailure = (reason: string): void =>
      this.#log.warn({ channels: [...chats.keys()], reason }, 'could not take presses of buttons');
    const running = listen((press) => this.#take(press, chats), onFailure, ending.signal);
    this.#accounts.set(account, { chats, ending, running });
  }

  /** Ends the listener with its last channel. */
  async remove(name: string): Promise<void> {
    for (const [account, { chats, ending, running }] of this.#accounts) {
      if (chats.delete(name) && chats.size === 0) {
        this.#accounts.delete(account);
        ending.abort();
        await running;
      }
    }
  }

  /** Whether presses of this account are read. */
  has(account: string): boolean {
    return this.#accounts.has(account);
  }

  async #take({ token, who, chats: pressed, id }: Press, chats: ReadonlyMap<string, string>): Promise<string> {
    const name = this.#actions.channelOf(token);
    const chat = name === undefined ? undefined : chats.get(name);
    if (chat === undefined || !pressed.some((one) => one.toLowerCase() === chat.toLowerCase())) {
      return 'This button is not of this chat, or has expired.';
    }
    try {
      return await this.#actions.take(token, who, id);
    } catch (error) {
      if (error instanceof HttpProblem) {
        return error.message;
      }
      this.#log.error({ err: error, channel: name }, 'could not do what was pressed');
      throw error;
    }
  }
}
