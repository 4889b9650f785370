/** Edits messages of open threads that somebody has acknowledged or snoozed since, so that all readers of a chat see it. */
import { DESCRIPTORS } from '../../../contract/channelTypes/index.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { MessageActions } from '../actions/service.ts';
import type { ChannelSettings, Message, Outcome } from './kinds/channel.ts';
import type { OutboxStore } from './store.ts';
import type { Details } from './templates.ts';
import { type Responded, responseText, responseTs } from './threadResponses.ts';

export interface ResponseEditsDeps {
  settings: ChannelSettings;
  actions: Pick<MessageActions, 'of'> | undefined;
  store: Pick<OutboxStore, 'changedResponse'>;
  /** @param key names the message among those of this channel */
  send: (message: Message, details: Details, key: string) => Promise<Outcome>;
  /** Stores that the message of a thread shows this response. */
  note: (threadId: number, responseTs: number, ref: string) => Promise<void>;
  steady: () => number;
}

/** Well below the limits of services, which new messages need. Milliseconds. */
const EDIT_EVERY_MS = 6000;
/** After a failure, in which new messages are sent as before. */
const RETRY_MS = MINUTE_MS;
/** Failures of one edit after which it is left out. */
const MAX_FAILURES = 5;

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
    // Some responses end without an event: when an arrival ends them.
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
    const { threadId, ref, shown, notification, details, responded } = found;
    const ts = responseTs(responded);
    const key = `nb-${threadId}-r${shown.toString(36)}-${ts.toString(36)}`;
    const parts = await this.partsOf(notification.id, true, responded);
    const outcome = await this.#deps.send(
      { ...notification, threadId, key, ref, onlyEdit: true, ...parts },
      details,
      key
    );
    if (outcome.kind === 'retry' && this.#failures < MAX_FAILURES) {
      this.#failures += 1;
      this.#nextEdit = steady() + Math.max(RETRY_MS, outcome.afterMs ?? 0);
      return this.#nextEdit - steady();
    }
    this.#failures = 0;
    await this.#deps.note(threadId, ts, (outcome.kind === 'delivered' ? outcome.ref : undefined) ?? ref);
    return 0;
  }
}
