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

export interface SharedStream {
  subscribe: (handlers: StreamHandlers) => () => void;
  close: () => void;
}

/** Joins the stream of this browser. */
export function shareStream({ channel, connect, silenceMs = SILENCE_MS }: Options): SharedStream {
  const listeners = new Set<StreamHandlers>();
  let status: StreamStatus = 'connecting';
  let lastEventId: number | undefined;
  let leading = false;
  let stop: (() => void) | undefined;

  const setStatus = (next: StreamStatus) => {
    status = next;
    listeners.forEach((listener) => listener.onStatus(next));
  };
  const onEvent = (event: BridgeEvent) => {
    lastEventId = event.id;
    listeners.forEach((listener) => listener.onEvent(event));
  };
  const silence = setTimeout(() => status === 'connecting' && setStatus('cut'), silenceMs);

  channel.listen((message) => {
    if (message.kind === 'hello') {
      return leading && channel.post({ kind: 'status', status, lastEventId });
    }
    if (leading) {
      return;
    }
    if (message.kind === 'event') {
      return onEvent(message.event);
    }
    lastEventId = message.lastEventId ?? lastEventId;
    if (message.status !== status) {
      setStatus(message.status);
    }
  });

  const lead = () => {
    leading = true;
    stop = keepStream({
      connect,
      lastEventId,
      onEvent: (event) => {
        onEvent(event);
        channel.post({ kind: 'event', event });
      },
      onStatus: (next) => {
        setStatus(next);
        channel.post({ kind: 'status', status: next, lastEventId });
      },
    });
  };
  let closed = false;
  channel.lead().then(
    () => !closed && lead(),
    () => !closed && lead() // without an election each tab is on its own, which still works
  );
  channel.post({ kind: 'hello' });

  return {
    subscribe: (handlers) => {
      listeners.add(handlers);
      handlers.onStatus(status);
      return () => listeners.delete(handlers);
    },
    close: () => {
      closed = true;
      clearTimeout(silence);
      stop?.();
      channel.close();
    },
  };
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
