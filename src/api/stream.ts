/** One connection to the event stream of the bridge, with reconnection. Independent of other tabs. */
import { eventSchemas, PASSING_EVENTS, type BridgeEvent, type EventType } from '@nodebell/contract/event.ts';

export type StreamStatus = 'connecting' | 'open' | 'cut';

export interface StreamHandlers {
  onEvent: (event: BridgeEvent) => void;
  onStatus: (status: StreamStatus) => void;
}

/** The part of the browser's EventSource that we use; tests pass their own. */
export interface Source {
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  addEventListener: (type: string, listener: (event: MessageEvent<string>) => void) => void;
  close: () => void;
}

interface Options extends StreamHandlers {
  /** Opens the stream after the given event; undefined means from now on. */
  connect: (lastEventId: number | undefined) => Source;
  /** Events up to this one are known already. */
  lastEventId?: number | undefined;
  /** 0 to 1, for the jitter of the waits. */
  random?: () => number;
}

const TYPES = Object.keys(eventSchemas) as EventType[];
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** Reads one message; undefined when it does not fit the contract. */
export function readEvent(type: EventType, id: number, data: string): BridgeEvent | undefined {
  try {
    const parsed = eventSchemas[type].safeParse(JSON.parse(data));
    return parsed.success ? ({ id, type, data: parsed.data } as BridgeEvent) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps a stream open until the returned function is called.
 * EventSource reconnects by itself, but without a backoff and not after an HTTP error, so each failure closes it
 * and a new one resumes after the last event.
 */
export function keepStream({ connect, onEvent, onStatus, lastEventId, random = Math.random }: Options): () => void {
  let last = lastEventId;
  let failures = 0;
  let source: Source | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onMessage = (type: EventType) => (message: MessageEvent<string>) => {
    const id = Number(message.lastEventId) || 0;
    if ((PASSING_EVENTS as readonly EventType[]).includes(type)) {
      const passing = readEvent(type, id, message.data);
      if (passing) {
        onEvent(passing);
      }
      return; // without an id, so the position in the stream is unchanged
    }
    if (last !== undefined && id <= last && type !== 'reset') {
      return; // a duplicate from an overlapping replay
    }
    last = id;
    // An invalid message may have mattered, so everything is reloaded.
    onEvent(readEvent(type, id, message.data) ?? { id, type: 'reset', data: {} });
  };

  const open = () => {
    source = connect(last);
    source.onopen = () => {
      failures = 0;
      onStatus('open');
    };
    source.onerror = () => {
      source?.close();
      onStatus('cut');
      failures += 1;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
      timer = setTimeout(open, wait * (0.75 + random() / 2));
    };
    TYPES.forEach((type) => source?.addEventListener(type, onMessage(type)));
  };

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
