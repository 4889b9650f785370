/** The inbox: receives, lists, responds, counts, removes; and streams what changes. */
import type { NameOwners } from '../platform/access/nameOwners.ts';
import type { Area, Core } from '../platform/core/area.ts';
import { createJournal } from '../platform/events/journal.ts';
import { viaGuard } from '../platform/http/via.ts';
import { repeat } from '../platform/runtime/repeat.ts';
import { createTextIndexer } from '../platform/storage/textIndex.ts';
import { AutoResolve } from './autoResolve/service.ts';
import { categoryHandlers } from './categories/routes.ts';
import { eventHandlers } from './events/routes.ts';
import { createEventStream } from './events/stream.ts';
import { createEventRows } from './notifications/eventRows.ts';
import { createInbox } from './notifications/inbox.ts';
import type { Routes, Suppress } from './notifications/receiving.ts';
import { createNameLimits } from './notifications/names.ts';
import type { Incoming, Receive, Received } from './notifications/receive.ts';
import { labelHandlers } from './labels/routes.ts';
import { notificationHandlers } from './notifications/routes.ts';
import { createSelections } from './notifications/selections.ts';
import { NotificationStore } from './notifications/store.ts';
import { createPeople } from './readers/people.ts';
import { createReaders, type ReadState } from './readers/service.ts';
import { findReader } from './readers/unread.ts';
import { catchUp, startReport } from './report/roller.ts';
import { reportHandlers } from './report/routes.ts';
import { respondHandlers } from './respond/routes.ts';
import { threadAcknowledger } from './respond/acknowledgeThread.ts';
import { createResponding } from './respond/service.ts';
import { peopleOf } from './responses/store.ts';
import { openRetention } from './retention/openRetention.ts';
import { retentionHandlers } from './retention/routes.ts';

/** Interval of looking for snoozes that end. Milliseconds. */
const WAKE_MS = 1000;
const PURGE_MS = 10_000;

export interface InboxDeps {
  dataDir: string;
  readState: ReadState;
  routes: Routes;
  suppress: Suppress;
  /** See Config. */
  resolveAfter: string | undefined;
  /** Names that belong to tokens. */
  owners: () => NameOwners;
  /** For metrics. */
  onReceived: (incoming: Incoming, received: Received) => void;
}

export function openInbox(core: Core, { dataDir, readState, ...received }: InboxDeps) {
  const { db, writes, reads, gate, log, now, steady } = core;
  const { inbox, store, selections, stream, ...stored } = openStored(core, received);
  const readers = createReaders({
    readState,
    writes,
    find: (key) => findReader(db, key),
    now: steady,
    meet: createPeople(writes, steady),
  });
  const responding = createResponding({ db, writes, selections, now });
  const retention = openRetention(core, dataDir);
  const autoResolve = new AutoResolve(core, received.routes);
  const via = viaGuard(core.id);
  const countReport = () =>
    // Without new arrivals, while the store cannot be written.
    catchUp({ db, writes }).catch((error: unknown) => log.warn({ err: error }, 'the report is not up to date'));
  return {
    inbox,
    receive: inbox.receive,
    acknowledge: threadAcknowledger(db, responding),
    store,
    stream,
    retention,
    autoResolve,
    via,
    handlers: {
      ...labelHandlers(db),
      ...notificationHandlers({ inbox, via, store, reads, readers }),
      ...respondHandlers({ responding, reads, readers, people: (prefix) => peopleOf(db, prefix), now }),
      ...eventHandlers({ stream, readers, gate }),
      ...categoryHandlers({ writes, store, reads, readers, now }),
      ...reportHandlers({ reads, catchUp: countReport, now }),
      ...retentionHandlers(retention),
    },
    lead({ term }) {
      const stops: (() => void | Promise<void>)[] = [
        repeat('purge deleted notifications', PURGE_MS, () => inbox.purge(), log),
        repeat('end snoozes', WAKE_MS, () => responding.wake(), log),
        autoResolve.lead(),
        startReport(core),
        retention.lead(term),
      ];
      return async () => {
        for (const stop of stops) {
          await stop();
        }
      };
    },
    close: stored.close,
  } satisfies Area<object> & Record<string, unknown>;
}

/** Notifications as they are stored, and the stream of their changes. */
function openStored(
  core: Core,
  { routes, suppress, resolveAfter, owners, onReceived }: Omit<InboxDeps, 'dataDir' | 'readState'>
) {
  const { db, writes, reads, replica, log, now, steady } = core;
  const textIndex = createTextIndexer(db, writes);
  const store = new NotificationStore(db, now, textIndex);
  const stream = createEventStream({
    journal: createJournal(db),
    rows: createEventRows(db, now),
    onError: (error) => log.error({ err: error }, 'could not send events'),
  });
  replica.feed.onEvents((events, isComplete) => (isComplete ? stream.publish(events) : stream.reset()));
  const selections = createSelections({ db, reads, store });
  const admitNames = createNameLimits(db, owners);
  const stored = createInbox({ writes, store, selections, now, steady, admitNames, routes, suppress, resolveAfter });
  const receive: Receive = async (incoming) => {
    const received = await stored.receive(incoming);
    textIndex.arrived(incoming.length);
    received.forEach((one, index) => onReceived(incoming[index]!, one));
    return received;
  };
  return {
    inbox: { ...stored, receive },
    store,
    selections,
    stream,
    /** Ends streams; requests in progress go on. */
    close: (): void => {
      textIndex.close();
      stream.close();
    },
  };
}
