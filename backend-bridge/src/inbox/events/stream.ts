/**
 * The event stream: every change goes to every client in order, and a client that comes back with the last id that it saw
 * gets what it missed from the journal. Events are read from the journal when they are sent, batch by batch, so that a
 * storm of them waits on disk and not in memory.
 */
import type { ServerResponse } from 'node:http';
import type { EventData, PASSING_EVENTS } from '../../../contract/event.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { EventRows } from '../notifications/eventRows.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import type { Journal } from '../../platform/events/journal.ts';
import { createSerial, type Serial } from '../../platform/runtime/serial.ts';
import { type Client, lookUpReader, type ReaderOf, sendBatch, sendReset } from './client.ts';
import { Connections } from './connections.ts';
import { Batch, frameBytes } from './frames.ts';

const HEARTBEAT_MS = 15_000;
const HEARTBEAT = Buffer.from(': still here\n\n');
/** Readers whose frames are rendered before other work of the process has its turn. */
const READERS_AT_ONCE = 25;
export interface EventStreamDeps {
  journal: Pick<Journal, 'after' | 'bounds'>;
  rows: EventRows;
  onError: (error: unknown) => void;
}

export type EventStream = ReturnType<typeof createEventStream>;

export function createEventStream(deps: EventStreamDeps) {
  const { journal, onError } = deps;
  const connections = new Connections({
    perStream: LIMITS.streamUnread.value,
    inTotal: LIMITS.streamsUnread.value,
    stalledSweeps: LIMITS.streamStalled.value / HEARTBEAT_MS,
  });
  const inTurn = createTurns();
  const live = createLiveClients(deps, inTurn);
  const heartbeat = setInterval(() => connections.sweep(HEARTBEAT), HEARTBEAT_MS);
  heartbeat.unref();

  const replay = async (client: Client, lastId: number | undefined): Promise<void> => {
    await lookUpReader(client);
    const bounds = await journal.bounds();
    const missed = lastId === undefined ? 0 : bounds.newest - lastId;
    const isKept = missed >= 0 && missed <= LIMITS.streamReplay.value && (missed === 0 || lastId! >= bounds.oldest - 1);
    client.sent = lastId !== undefined && isKept ? lastId : bounds.newest;
    client.connection.write(frameBytes(client.sent, isKept ? 'hello' : 'reset', {}));
    // At the client's own pace, so that a slow one neither fills the memory nor holds anybody up.
    while (await inTurn(() => catchUp(client, deps, live))) {
      await client.connection.flushed();
    }
    void live.advance();
  };

  return {
    /** These are in the journal from now on. */
    publish: (events: JournalEvent[]): void => live.publish(events.at(-1)?.id ?? 0),
    /** Events are missing: makes all clients load everything again. */
    reset: (): void => void inTurn(() => live.reset()).catch(onError),
    /** Sends to open streams what is in no journal; it carries no id. */
    publishPassing: <T extends (typeof PASSING_EVENTS)[number]>(type: T, data: EventData<T>): void =>
      live.write(frameBytes(undefined, type, data)),
    /**
     * Answers with the stream; `lastId` undefined for a client that is new. With a reader, contents are those of that person, and
     * so is the event `read`. `readerOf` is called for each batch until it returns a reader: it must be cheap, and must not throw.
     */
    async connect(res: ServerResponse, lastId: number | undefined, readerOf?: ReaderOf): Promise<void> {
      res.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        // nginx and some other proxies would hold the events back.
        'X-Accel-Buffering': 'no',
      });
      const client: Client = { connection: connections.add(res), readerOf, reader: undefined, lookedUp: 0, sent: 0 };
      res.on('close', () => live.remove(client));
      try {
        await replay(client, lastId);
      } catch (error) {
        // The client comes back, from the last event that it was sent.
        client.connection.end();
        onError(error);
      }
    },
    get clients() {
      return connections.size;
    },
    /** Bytes that clients have not read yet. */
    get unread() {
      return connections.unread;
    },
    close(): void {
      clearInterval(heartbeat);
      live.clear();
      connections.close();
    },
  };
}

type LiveClients = ReturnType<typeof createLiveClients>;

/** Clients that have caught up: they are sent each batch. Others read the journal at their own pace. */
function createLiveClients({ journal, rows, onError }: EventStreamDeps, inTurn: Serial) {
  const live = new Set<Client>();
  /** The last event that went to all live clients, and the newest one that was published. */
  let cursor = 0;
  let newest = 0;
  let advancing = false;

  const resetAll = (): void => {
    cursor = newest;
    live.forEach((client) => sendReset(client, cursor));
  };

  /** Sends the next batch to all. */
  const broadcast = async (): Promise<void> => {
    if (newest - cursor > LIMITS.streamLag.value) {
      resetAll();
      return;
    }
    const events = await journal.after(cursor, LIMITS.streamBatch.value);
    if (events.length === 0) {
      cursor = newest;
      return;
    }
    const batch = await Batch.read(events, rows);
    await sendToAll([...live], batch);
    cursor = batch.last;
  };

  /** Sends what was published, batch by batch, until all have it. */
  const advance = async (): Promise<void> => {
    if (advancing) {
      return;
    }
    advancing = true;
    while (live.size > 0 && cursor < newest) {
      await inTurn(broadcast).catch((error: unknown) => {
        onError(error);
        // Not sent again: an event that cannot be read would hold up all that follow.
        resetAll();
      });
    }
    advancing = false;
  };

  return {
    advance,
    async reset() {
      newest = (await journal.bounds()).newest;
      resetAll();
    },
    publish(id: number) {
      newest = Math.max(newest, id);
      void advance();
    },
    write: (bytes: Buffer) => live.forEach(({ connection }) => connection.write(bytes)),
    add(client: Client) {
      cursor = live.size === 0 ? client.sent : cursor;
      newest = Math.max(newest, client.sent);
      live.add(client);
    },
    remove: (client: Client) => live.delete(client),
    clear: () => live.clear(),
  };
}

async function sendToAll(clients: readonly Client[], batch: Batch): Promise<void> {
  const changed = await Promise.all(clients.map(lookUpReader));
  // Such a page shows another reader's state: it loads everything again.
  clients.forEach((client, index) => changed[index] && sendReset(client, batch.last));
  const byReader = [...Map.groupBy(clients, ({ reader }) => reader?.key).values()];
  for (let first = 0; first < byReader.length; first += READERS_AT_ONCE) {
    const groups = byReader.slice(first, first + READERS_AT_ONCE);
    const frames = await batch.framesFor(groups.map(([client]) => client?.reader));
    groups.forEach((group, index) => group.forEach((client) => sendBatch(client, batch, frames[index] ?? [])));
    await otherWork();
  }
}

/** Sends the next events of the journal to one that comes back. @returns whether there may be more */
async function catchUp(client: Client, { journal, rows }: EventStreamDeps, live: LiveClients): Promise<boolean> {
  if (!client.connection.open) {
    return false;
  }
  const events = await journal.after(client.sent, LIMITS.streamBatch.value);
  const isPruned = events[0] !== undefined && events[0].id > client.sent + 1;
  if (isPruned) {
    // It reads more slowly than events are removed from the journal.
    sendReset(client, (await journal.bounds()).newest);
    return true;
  }
  if (events.length > 0) {
    const batch = await Batch.read(events, rows);
    const [frames] = await batch.framesFor([client.reader]);
    sendBatch(client, batch, frames ?? []);
    if (events.length === LIMITS.streamBatch.value || batch.last < (events.at(-1)?.id ?? 0)) {
      return true;
    }
  }
  if (client.connection.open) {
    live.add(client);
  }
  return false;
}

/** Lets requests and timers have their turn. */
const otherWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Steps run one after the other, so that nothing is sent between a look into the journal and what follows from it. */
function createTurns(): Serial {
  const inTurn = createSerial();
  return (step) => {
    const result = inTurn(step);
    void inTurn(otherWork);
    return result;
  };
}
