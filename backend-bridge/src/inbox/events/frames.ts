/**
 * Events as bytes of a stream. What several readers get alike is rendered once, and they share its bytes: a notification is
 * read once for all, and differs between readers only by what they have read of it and of its thread.
 */
import type { EventType } from '../../../contract/event.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { EventRow, EventRows, OwnUnread } from '../notifications/eventRows.ts';
import type { Reader } from '../readers/writes.ts';
import { isForBridges, type JournalEvent } from '../../platform/storage/events.ts';

/** An event as sent to one reader. */
export interface Frame {
  id: number;
  /** Frames with the same key have the same bytes. */
  key: string;
  /** Empty: the event is not for this reader, or its notification has been deleted since. */
  bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);

/** A frame; one that is too large is replaced by `reset`, after which the client loads what the frame would have said. */
export function frameBytes(id: number | undefined, type: EventType, data: object): Buffer {
  const position = id === undefined ? '' : `id: ${id}\n`;
  const bytes = Buffer.from(`${position}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  return bytes.length <= LIMITS.eventBytes.value ? bytes : Buffer.from(`${position}event: reset\ndata: {}\n\n`);
}

/** The first of the events given, as many as may be sent at once; at least one. */
export class Batch {
  /** Id of the last event of it. */
  readonly last: number;
  readonly #rows: EventRows;
  readonly #found: ReadonlyMap<number, EventRow>;
  readonly #events: readonly JournalEvent[];
  readonly #rendered = new Map<string, Frame>();
  readonly #chunks = new Map<string, Buffer>();

  private constructor(events: readonly JournalEvent[], rows: EventRows, found: ReadonlyMap<number, EventRow>) {
    this.#rows = rows;
    this.#found = found;
    this.#events = fitting(events, (event) => this.#frame(event));
    this.last = this.#events.at(-1)?.id ?? 0;
  }

  /** @param events oldest first; at least one */
  static async read(events: readonly JournalEvent[], rows: EventRows): Promise<Batch> {
    const ids = events.flatMap(({ type, data }) => (type === 'notification' ? [data.id as number] : []));
    return new Batch(events, rows, ids.length > 0 ? await rows.byIds(ids) : new Map());
  }

  /** Frames for each of these readers, in their order; undefined: nobody with a state of their own. */
  async framesFor(readers: ReadonlyArray<Reader | undefined>): Promise<Frame[][]> {
    const rows = this.#events.flatMap(({ data }) => this.#found.get(data.id as number) ?? []);
    const ids = readers.flatMap((reader) => reader?.id ?? []);
    const own = rows.length > 0 && ids.length > 0 ? await this.#rows.unread(rows, ids) : undefined;
    return readers.map((reader) =>
      this.#events.map((event) => this.#frame(event, reader, reader && own?.get(reader.id)))
    );
  }

  /** The frames after an event, as one chunk. Those who are sent the same share it. */
  chunk(frames: readonly Frame[], after: number): Buffer {
    const missing = frames.filter(({ id, bytes }) => id > after && bytes.length > 0);
    const key = missing.map((frame) => frame.key).join();
    return once(this.#chunks, key, () => Buffer.concat(missing.map(({ bytes }) => bytes)));
  }

  #frame({ id, type, data }: JournalEvent, reader?: Reader, own?: OwnUnread): Frame {
    const nothing: Frame = { id, key: '', bytes: NOTHING };
    if (isForBridges(type)) {
      return nothing;
    }
    if (type === 'read' || (type === 'responded' && data.reader !== undefined)) {
      const { reader: whose, ...ownData } = data;
      return whose === reader?.key ? this.#frameOnce(id, type, ' own', () => ownData) : nothing;
    }
    if (type !== 'notification') {
      return this.#frameOnce(id, type, '', () => data);
    }
    const row = this.#found.get(data.id as number);
    if (row === undefined) {
      return nothing;
    }
    const { notification, threadId } = row;
    if (own === undefined) {
      return this.#frameOnce(id, type, '', () => ({ notification }));
    }
    const read = !own.ids.has(notification.id);
    const unread = own.inThread.get(threadId) ?? 0;
    const snoozed = own.snoozed.get(threadId);
    return this.#frameOnce(id, type, ` ${read} ${unread} ${JSON.stringify(snoozed)}`, () => ({
      notification: { ...notification, read, thread: { ...notification.thread, unread, ...snoozed } },
    }));
  }

  #frameOnce(id: number, type: EventType, variant: string, data: () => object): Frame {
    const key = `${id}${variant}`;
    return once(this.#rendered, key, () => ({ id, key, bytes: frameBytes(id, type, data()) }));
  }
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}

function fitting(events: readonly JournalEvent[], frameOf: (event: JournalEvent) => Frame): JournalEvent[] {
  let bytes = 0;
  return events.filter((event, index) => {
    bytes += frameOf(event).bytes.length;
    return index === 0 || bytes <= LIMITS.streamBatchBytes.value;
  });
}
