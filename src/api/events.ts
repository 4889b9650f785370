/**
 * The event stream, shared by all tabs of the browser.
 * Over HTTP/1.1 a browser opens six connections to a host, so ten tabs with a stream each would stop Grafana itself.
 * One tab is elected; it holds the stream and passes everything on. When it goes, the next one resumes after the last
 * event that it received.
 */
import { BroadcastChannel, createLeaderElection } from 'broadcast-channel';
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import { keepStream, type Source, type StreamHandlers, type StreamStatus } from './stream';

type Message =
  | { kind: 'event'; event: BridgeEvent }
  | { kind: 'status'; status: StreamStatus; lastEventId: number | undefined }
  | { kind: 'hello' };

/** The part of a channel between tabs that we use. */
export interface Channel {
  post: (message: Message) => void;
  listen: (onMessage: (message: Message) => void) => void;
  /** Resolves when this tab becomes the leader; maybe never. */
  lead: () => Promise<void>;
  close: () => void;
}

interface Options {
  channel: Channel;
  connect: (lastEventId: number | undefined) => Source;
  /** After this time without a message from the leader, a tab counts as disconnected and polls. */
  silenceMs?: number;
}

const SILENCE_MS = 5000;

/** The stream of this browser. */
export class SharedStream {
  readonly #channel: Channel;
  readonly #connect: Options['connect'];
  readonly #listeners = new Set<StreamHandlers>();
  readonly #silence: ReturnType<typeof setTimeout>;
  #status: StreamStatus = 'connecting';
  #lastEventId: number | undefined;
  #leading = false;
  #closed = false;
  #stop: (() => void) | undefined;

  /** Joins it. */
  constructor({ channel, connect, silenceMs = SILENCE_MS }: Options) {
    this.#channel = channel;
    this.#connect = connect;
    this.#silence = setTimeout(() => this.#status === 'connecting' && this.#setStatus('cut'), silenceMs);
    channel.listen((message) => this.#receive(message));
    // Without an election each tab is on its own, which still works.
    const lead = () => this.#closed || this.#lead();
    channel.lead().then(lead, lead);
    channel.post({ kind: 'hello' });
  }

  subscribe(handlers: StreamHandlers): () => void {
    this.#listeners.add(handlers);
    handlers.onStatus(this.#status);
    return () => this.#listeners.delete(handlers);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#silence);
    this.#stop?.();
    this.#channel.close();
  }

  #receive(message: Message): void {
    if (message.kind === 'hello') {
      if (this.#leading) {
        this.#postStatus();
      }
      return;
    }
    if (this.#leading) {
      return;
    }
    if (message.kind === 'event') {
      this.#onEvent(message.event);
      return;
    }
    this.#lastEventId = message.lastEventId ?? this.#lastEventId;
    if (message.status !== this.#status) {
      this.#setStatus(message.status);
    }
  }

  #lead(): void {
    this.#leading = true;
    this.#stop = keepStream({
      connect: this.#connect,
      lastEventId: this.#lastEventId,
      onEvent: (event) => {
        this.#onEvent(event);
        this.#channel.post({ kind: 'event', event });
      },
      onStatus: (next) => {
        this.#setStatus(next);
        this.#postStatus();
      },
    });
  }

  #setStatus(next: StreamStatus): void {
    this.#status = next;
    this.#listeners.forEach((listener) => listener.onStatus(next));
  }

  #onEvent(event: BridgeEvent): void {
    this.#lastEventId = event.id;
    this.#listeners.forEach((listener) => listener.onEvent(event));
  }

  #postStatus(): void {
    this.#channel.post({ kind: 'status', status: this.#status, lastEventId: this.#lastEventId });
  }
}

/** A channel between the tabs of this browser. */
export function openChannel(name: string): Channel {
  const channel = new BroadcastChannel<Message>(name);
  const elector = createLeaderElection(channel);
  const ignore = () => undefined;
  return {
    post: (message) => void channel.postMessage(message).catch(ignore),
    listen: (onMessage) => {
      channel.onmessage = onMessage;
    },
    lead: () => elector.awaitLeadership(),
    close: () =>
      void elector
        .die()
        .then(() => channel.close())
        .catch(ignore),
  };
}
