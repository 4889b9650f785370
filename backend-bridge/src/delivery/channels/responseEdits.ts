/** Edits messages of open threads that somebody has acknowledged or snoozed since, so that all readers of a chat see it. */
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { MessageActions } from '../actions/service.ts';
import type { Message, Outcome } from './kinds/channel.ts';
import type { PumpDeps } from './pump.ts';
import type { OutboxStore } from './store.ts';
import type { Details } from './templates.ts';
import { NOBODY, type Responded, responseText, responseTs } from './threadResponses.ts';
import type { Waiting } from './waiting.ts';

export interface ResponseEditsDeps extends Pick<PumpDeps, 'settings' | 'steady'> {
  actions: Pick<MessageActions, 'of'> | undefined;
  store: Pick<OutboxStore, 'changedResponse'>;
  /** @param key names the message among those of this channel */
  send: (message: Message, details: Details, key: string) => Promise<Outcome>;
  /** Stores that the message of a thread shows this response. */
  note: (threadId: number, responseTs: number, ref: string) => Promise<void>;
}

/** Well below the limits of services, which new messages need. Milliseconds. */
const EDIT_EVERY_MS = 6000;
/** After a failure, in which new messages are sent as before. */
const RETRY_MS = MINUTE_MS;
/** Failures of one edit after which it is left out. */
const MAX_FAILURES = 5;

type Shown = NonNullable<Awaited<ReturnType<OutboxStore['changedResponse']>>>;

export class ResponseEdits {
  readonly #deps: ResponseEditsDeps;
  readonly #edits: boolean;
  /** Responses before the start may not be shown yet. */
  #isDue = true;
  #nextEdit = 0;
  #nextLook = 0;
  #failures = 0;

  constructor(deps: ResponseEditsDeps) {
    this.#deps = deps;
    const { edits, hasDevices } = DESCRIPTORS[deps.settings.type];
    // A device of a person shows what that person has not read.
    this.#edits = edits === 'silently' && !hasDevices;
  }

  /** Somebody has responded. */
  wake(): void {
    this.#isDue = true;
  }

  /** Response, buttons and links of a message of an open thread. @param isAlert whether it can be resolved */
  async partsOf(
    id: number,
    isAlert: boolean,
    responded: Responded
  ): Promise<Pick<Message, 'response' | 'buttons' | 'actions'>> {
    const { settings, actions } = this.#deps;
    const response = responseText(responded);
    return {
      ...(response !== undefined && { response }),
      ...(settings.actions &&
        (await actions?.of(settings, { id, isAlert, isAcknowledged: responded.ack_ts !== null }))),
    };
  }

  /** Edits at most one message. @returns milliseconds until there is more to do */
  async step(): Promise<number> {
    const { settings, store, steady } = this.#deps;
    // Events may be lost.
    this.#isDue ||= this.#nextLook <= steady();
    if (!this.#edits || !this.#isDue) {
      return Infinity;
    }
    if (this.#nextEdit > steady()) {
      return this.#nextEdit - steady();
    }
    // Responses during the query are found by the next one.
    this.#isDue = false;
    this.#nextLook = steady() + MINUTE_MS;
    const found = await store.changedResponse(settings.name);
    if (found === undefined) {
      return Infinity;
    }
    this.#isDue = true;
    this.#nextEdit = steady() + EDIT_EVERY_MS;
    const { threadId, ref, responded } = found;
    const ts = responseTs(responded);
    const outcome = await this.#edit(found, responded);
    if (outcome.kind === 'retry' && this.#failures < MAX_FAILURES) {
      this.#failures += 1;
      this.#nextEdit = steady() + Math.max(RETRY_MS, outcome.afterMs ?? 0);
      return this.#nextEdit - steady();
    }
    this.#failures = 0;
    await this.#deps.note(threadId, ts, (outcome.kind === 'delivered' ? outcome.ref : undefined) ?? ref);
    return 0;
  }

  /**
   * The message of a thread if it shows a response, before another message takes its place.
   * @param changes whether it is changed instead
   */
  async shownBy({ threadId, announced, statusGiven }: Waiting, changes = false): Promise<Shown | undefined> {
    const { settings, store } = this.#deps;
    return this.#edits && statusGiven && !changes && announced?.responseTs
      ? store.changedResponse(settings.name, threadId)
      : undefined;
  }

  /** Edits a message whose place another one has taken, once: it no longer follows the responses. @param ref of the other */
  async clear(replaced: Shown | undefined, ref: string | undefined): Promise<void> {
    if (replaced && ref !== undefined && ref !== replaced.ref) {
      await this.#edit(replaced, NOBODY);
    }
  }

  async #edit({ threadId, ref, shown, notification, details }: Shown, responded: Responded): Promise<Outcome> {
    const key = `nb-${threadId}-r${shown.toString(36)}-${responseTs(responded).toString(36)}`;
    const parts = await this.partsOf(notification.id, true, responded);
    return this.#deps.send({ ...notification, threadId, key, ref, onlyEdit: true, ...parts }, details, key);
  }
}
