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

/** The first of the events given, as many as may be sent at once; at least one. */
export interface Batch {
  /** Id of the last event of it. */
  last: number;
  /** Frames for each of these readers, in their order; undefined: nobody with a state of their own. */
  framesFor(readers: ReadonlyArray<Reader | undefined>): Promise<Frame[][]>;
  /** The frames after an event, as one chunk. Those who are sent the same share it. */
  chunk(frames: readonly Frame[], after: number): Buffer;
}

const NOTHING = Buffer.alloc(0);

/** A frame; one that is too large is replaced by `reset`, after which the client loads what the frame would have said. */
export function frameBytes(id: number | undefined, type: EventType, data: object): Buffer {
  const position = id === undefined ? '' : `id: ${id}\n`;
  const bytes = Buffer.from(`${position}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  return bytes.length <= LIMITS.eventBytes.value ? bytes : Buffer.from(`${position}event: reset\ndata: {}\n\n`);
}

/** @param events oldest first; at least one */
export async function renderBatch(events: readonly JournalEvent[], rows: EventRows): Promise<Batch> {
  const ids = events.flatMap(({ type, data }) => (type === 'notification' ? [data.id as number] : []));
  const found = ids.length > 0 ? await rows.byIds(ids) : new Map<number, EventRow>();
  const rendered = new Map<string, Frame>();
  const frameOnce = (id: number, key: string, render: () => Buffer): Frame => {
    const known = rendered.get(key);
    if (known) {
      return known;
    }
    const frame: Frame = { id, key, bytes: render() };
    rendered.set(key, frame);
    return frame;
  };

  const frameFor = (
    { id, type, data }: JournalEvent,
    reader: Reader | undefined,
    own: OwnUnread | undefined
  ): Frame => {
    if (isForBridges(type)) {
      return { id, key: '', bytes: NOTHING };
    }
    if (type === 'read' || (type === 'responded' && data.reader !== undefined)) {
      const { reader: whose, ...ownData } = data;
      return whose === reader?.key
        ? frameOnce(id, `${id} own`, () => frameBytes(id, type, ownData))
        : { id, key: '', bytes: NOTHING };
    }
    if (type !== 'notification') {
      return frameOnce(id, `${id}`, () => frameBytes(id, type, data));
    }
    const row = found.get(data.id as number);
    if (row === undefined) {
      return { id, key: '', bytes: NOTHING };
    }
    if (own === undefined) {
      return frameOnce(id, `${id}`, () => frameBytes(id, type, { notification: row.notification }));
    }
    const read = !own.ids.has(row.notification.id);
    const unread = own.inThread.get(row.threadId) ?? 0;
    const snoozed = own.snoozed.get(row.threadId);
    return frameOnce(id, `${id} ${read} ${unread} ${JSON.stringify(snoozed)}`, () => {
      const notification = { ...row.notification, read, thread: { ...row.notification.thread, unread, ...snoozed } };
      return frameBytes(id, type, { notification });
    });
  };

  const sent = fitting(events, (event) => frameFor(event, undefined, undefined));
  const sentRows = sent.flatMap(({ data }) => found.get(data.id as number) ?? []);
  const chunks = new Map<string, Buffer>();
  return {
    last: sent.at(-1)?.id ?? 0,
    async framesFor(readers) {
      const numbers = readers.flatMap((reader) => reader?.id ?? []);
      const own = sentRows.length > 0 && numbers.length > 0 ? await rows.unread(sentRows, numbers) : undefined;
      return readers.map((reader) => sent.map((event) => frameFor(event, reader, reader && own?.get(reader.id))));
    },
    chunk(frames, after) {
      const missing = frames.filter(({ id, bytes }) => id > after && bytes.length > 0);
      const key = missing.map((frame) => frame.key).join();
      const known = chunks.get(key);
      if (known) {
        return known;
      }
      const joined = Buffer.concat(missing.map(({ bytes }) => bytes));
      chunks.set(key, joined);
      return joined;
    },
  };
}

function fitting(events: readonly JournalEvent[], frameOf: (event: JournalEvent) => Frame): JournalEvent[] {
  let bytes = 0;
  return events.filter((event, index) => {
    bytes += frameOf(event).bytes.length;
    return index === 0 || bytes <= LIMITS.streamBatchBytes.value;
  });
}
