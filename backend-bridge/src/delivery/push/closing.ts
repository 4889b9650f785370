/** Closes on all devices of a person what that person has read. At most once: what fails stays on the device. */
import type { Logger } from 'pino';
import { deviceChannel, ofDevice } from '../channels/kinds/channel.ts';
import { type DeviceChannel, orgOf, tagOf } from '../channels/kinds/webpush.ts';
import type { Routing } from '../channels/routing.ts';
import type { ReadState } from '../../inbox/readers/service.ts';
import { createSerial } from '../../platform/runtime/serial.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import type { PushStore } from './store.ts';

export interface ClosingDeps {
  store: Pick<PushStore, 'one' | 'delivered'>;
  routing: Pick<Routing, 'devices'>;
  readState: ReadState;
  log: Pick<Logger, 'error'>;
}

/** Time for which reads are collected and closed by one message. */
const GATHER_MS = 500;
/** Safari ends a subscription whose messages show nothing. */
const SHOWS_ALL = /(?:^|\.)push\.apple\.com$/;

export type Closing = ReturnType<typeof createClosing>;

/** Closes notifications that a person has read on the person's other devices: best effort, sent once (docs/channels.md). */
export function createClosing(
  { store, routing, readState, log }: ClosingDeps,
  { channelTo, names }: { channelTo: (name: string, device: number) => DeviceChannel; names: () => string[] }
) {
  const ending = new AbortController();
  let gathered: { reader: string | undefined; ids: number[] }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const inTurn = createSerial();

  async function closeRead(reader: string | undefined, ids: readonly number[]): Promise<void> {
    const devices = routing.devices().filter(({ person }) => reader === undefined || person === reader);
    const outboxChannels = devices.flatMap(({ id }) => names().map((name) => deviceChannel(name, id)));
    if (outboxChannels.length === 0) {
      return;
    }
    const shown = Map.groupBy(await store.delivered(outboxChannels, ids), ({ channel }) => channel);
    await Promise.all(
      [...shown].map(async ([channel, threads]) => {
        const { name, device } = ofDevice(channel);
        const row = await store.one(device!);
        if (row && orgOf(row.person) !== undefined && !SHOWS_ALL.test(new URL(row.endpoint).hostname)) {
          const tags = [...new Set(threads.map(({ threadId }) => tagOf(threadId)))];
          await channelTo(name, device!).close(tags, ending.signal);
        }
      })
    );
  }

  const flush = (): void => {
    const byReader = Map.groupBy(gathered, ({ reader }) => reader);
    gathered = [];
    timer = undefined;
    void inTurn(async () => {
      for (const [reader, some] of byReader) {
        await closeRead(
          reader,
          some.flatMap(({ ids }) => ids)
        ).catch((error: unknown) => log.error({ err: error }, 'could not close notifications on devices'));
      }
    });
  };

  return {
    read(events: readonly JournalEvent[]): void {
      if (routing.devices().length === 0) {
        return;
      }
      const found = readIn(events, readState);
      gathered.push(...found);
      if (found.length > 0) {
        timer ??= setTimeout(flush, GATHER_MS);
      }
    },
    async end(): Promise<void> {
      clearTimeout(timer);
      ending.abort();
      await inTurn(() => undefined);
    },
  };
}

function readIn(
  events: readonly JournalEvent[],
  readState: ReadState
): { reader: string | undefined; ids: number[] }[] {
  return events.flatMap((event) => {
    const { ids, reader, read, seen } = event.data as EventOfReading;
    const isRead = readState === 'each' ? event.type === 'read' && read : event.type === 'seen' && seen;
    // Undefined: everybody has, since there is one read state.
    return isRead && ids ? [{ reader: readState === 'each' ? reader : undefined, ids }] : [];
  });
}

interface EventOfReading {
  ids?: number[] | null;
  reader?: string;
  read?: boolean;
  seen?: boolean;
}
