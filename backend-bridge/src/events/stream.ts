/**
 * The event stream: every change goes to every client in order, and a client that comes back with the last id that it saw
 * gets what it missed from the journal. Contents are read when they are sent, and only while somebody listens.
 */
import type { ServerResponse } from 'node:http';
import type { EventData, PASSING_EVENTS } from '../../contract/event.ts';
import type { Notification } from '../../contract/notification.ts';
import type { Reader } from '../readers/writes.ts';
import type { JournalEvent } from '../storage/events.ts';

/** A client that leaves so many bytes unread is cut off when there is more to tell; it comes back by itself and resumes. */
const MAX_UNREAD = 4 * 1024 * 1024;
/** Events that are read and sent at once to a client that comes back. */
const PAGE = 50;
/** How long such a client may take to read a page. */
const PAGE_MS = 30_000;
/** Whoever missed more than this loads everything again, which is cheaper. */
const MAX_REPLAY = 1000;
const HEARTBEAT_MS = 15_000;

export interface JournalReader {
  /** Events after `id`, oldest first, at most `limit`. */
  after(id: number, limit: number): Promise<JournalEvent[]>;
  /** Ids of the oldest kept event and of the newest given out. */
  bounds(): Promise<{ oldest: number; newest: number }>;
}

export interface EventStream {
  publish(events: JournalEvent[]): void;
  /** Tells whoever listens, and nobody later: it is in no journal, and carries no id. */
  tell<T extends (typeof PASSING_EVENTS)[number]>(type: T, data: EventData<T>): void;
  /**
   * Answers with the stream; `lastId` undefined for a client that is new. With a reader, contents are told for that person, who
   * alone hears what that person has read. `readerOf` is asked again whenever there is something to tell: it must be cheap, and
   * must not throw.
   */
  connect(res: ServerResponse, lastId: number | undefined, readerOf?: ReaderOf): Promise<void>;
  readonly clients: number;
  close(): void;
}

/** Whose the stream is; undefined while that is nobody who has a state of their own. */
type ReaderOf = () => Promise<Reader | undefined>;

interface Client {
  res: ServerResponse;
  readerOf: ReaderOf;
  reader: Reader | undefined;
  /** The last event that it was sent. */
  sent: number;
  /** It hears what is published; before that it is told from the journal. */
  live: boolean;
}

export interface EventStreamDeps {
  journal: JournalReader;
  byIds: (ids: readonly number[], reader: number | undefined) => Promise<Notification[]>;
  onError: (error: unknown) => void;
}

/** What one event is to a client; without text it only counts as told. */
interface Frame {
  id: number;
  text: string;
}

const frame = (id: number, type: string, data: unknown): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

export function createEventStream({ journal, byIds, onError }: EventStreamDeps): EventStream {
  const clients = new Set<Client>();
  let work: Promise<void> = Promise.resolve();
  const inOrder = (step: () => Promise<void>): Promise<void> => {
    work = work.then(step).catch(onError);
    return work;
  };
  const heartbeat = setInterval(() => clients.forEach(({ res }) => res.write(': still here\n\n')), HEARTBEAT_MS);
  heartbeat.unref();

  /** Frames of events for a reader; one about a notification that has gone since, or that is not for this reader, is empty. */
  const render = async (events: JournalEvent[], reader: Reader | undefined): Promise<Frame[]> => {
    const ids = events.flatMap(({ type, data }) => (type === 'notification' ? [data.id as number] : []));
    const found = new Map((ids.length > 0 ? await byIds(ids, reader?.id) : []).map((one) => [one.id, one]));
    return events.map(({ id, type, data }) => {
      if (type === 'read') {
        const { reader: whose, ...told } = data;
        return { id, text: whose === reader?.key ? frame(id, type, told) : '' };
      }
      if (type !== 'notification') {
        return { id, text: frame(id, type, data) };
      }
      const notification = found.get(data.id as number);
      return { id, text: notification ? frame(id, type, { notification }) : '' };
    });
  };

  const drop = (client: Client): void => {
    clients.delete(client);
    client.res.destroy();
  };

  const write = (client: Client, frames: Frame[]): void => {
    const text = frames
      .filter(({ id }) => id > client.sent)
      .map((one) => one.text)
      .join('');
    client.sent = Math.max(client.sent, frames.at(-1)?.id ?? 0);
    // Looked at before, not after: one large event, or a page of them, is no sign of a slow client.
    if (text !== '' && client.res.writableLength > MAX_UNREAD) {
      drop(client);
    } else if (text !== '') {
      client.res.write(text);
    }
  };

  /** Sends the next page of the journal. Returns whether there may be more. */
  const page = async (client: Client): Promise<boolean> => {
    if (!clients.has(client)) {
      return false;
    }
    const events = await journal.after(client.sent, PAGE);
    write(client, await render(events, client.reader));
    return events.length === PAGE;
  };

  /**
   * Asks whose the stream is. Who was new while the store could not write had the shared state, and gets one of their own later.
   * @returns whether it is somebody else's than before
   */
  const meet = async (client: Client): Promise<boolean> => {
    const before = client.reader?.id;
    // One who was known stays so: not to be found for once is no other state.
    client.reader = (await client.readerOf()) ?? client.reader;
    return client.reader?.id !== before;
  };

  const replay = async (client: Client, lastId: number | undefined): Promise<void> => {
    const { oldest, newest } = await journal.bounds();
    const missed = lastId === undefined ? 0 : newest - lastId;
    const lost = lastId !== undefined && (missed < 0 || missed > MAX_REPLAY || (missed > 0 && lastId < oldest - 1));
    client.sent = lost || lastId === undefined ? newest : lastId;
    client.res.write(lost ? frame(newest, 'reset', {}) : frame(client.sent, 'hello', {}));
    // At the client's own pace, so that a slow one holds nobody up.
    for (let more = true; more;) {
      more = await page(client);
      await drained(client, drop);
    }
    // The rest in order with what is published, so that nothing falls between the replay and the live events.
    await inOrder(async () => {
      while (await page(client)) {
        // The next page.
      }
      client.live = true;
    });
  };

  return {
    publish(events) {
      if (clients.size === 0) {
        return;
      }
      void inOrder(async () => {
        const live = [...clients].filter((client) => client.live);
        const met = await Promise.all(live.map(meet));
        // What the page was told is about another state: it loads everything again.
        const last = events.at(-1)?.id ?? 0;
        const reset: Frame = { id: last, text: frame(last, 'reset', {}) };
        live.forEach((client, index) => met[index] && clients.has(client) && write(client, [reset]));
        const others = live.filter((_client, index) => !met[index]);
        for (const [key, same] of Map.groupBy(others, ({ reader }) => reader?.key)) {
          const frames = await render(events, key === undefined ? undefined : same[0]?.reader);
          same.forEach((client) => clients.has(client) && write(client, frames));
        }
      });
    },
    tell(type, data) {
      const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
      for (const client of clients) {
        if (client.res.writableLength > MAX_UNREAD) {
          drop(client);
        } else if (client.live) {
          client.res.write(text);
        }
      }
    },
    async connect(res, lastId, readerOf = () => Promise.resolve(undefined)) {
      res.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        // nginx and some other proxies would hold the events back.
        'X-Accel-Buffering': 'no',
      });
      const client: Client = { res, readerOf, reader: undefined, sent: 0, live: false };
      clients.add(client);
      res.on('close', () => clients.delete(client));
      res.on('error', () => clients.delete(client));
      await meet(client);
      await replay(client, lastId);
    },
    get clients() {
      return clients.size;
    },
    close() {
      clearInterval(heartbeat);
      clients.forEach(({ res }) => res.end());
      clients.clear();
    },
  };
}

/** Resolves when the client has read what was written, or has gone. One that takes too long is dropped. */
async function drained(client: Client, drop: (client: Client) => void): Promise<void> {
  const { res } = client;
  if (!res.writableNeedDrain || res.destroyed) {
    return;
  }
  await new Promise<void>((resolve) => {
    const late = setTimeout(() => drop(client), PAGE_MS);
    const done = (): void => {
      clearTimeout(late);
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
