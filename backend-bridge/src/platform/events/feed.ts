/**
 * The events of all replicas, in the order of their ids: their commits are in that order as well. What this bridge has committed is passed
 * on at once if nothing is missing before it; everything else is read from the journal, so that a lost signal loses no event.
 */
import type { JournalEvent } from '../storage/events.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import type { Journal } from './journal.ts';

export interface EventFeed {
  /** @param listener `isComplete` false: events before these are missing, so anything may have changed */
  onEvents(listener: (events: JournalEvent[], isComplete: boolean) => void): void;
}

/** Feed of a bridge that is alone on its database. */
export const localFeed = (writes: Pick<WriteQueue, 'onEvents'>): EventFeed => ({
  onEvents: (listener) => writes.onEvents((events) => listener(events, true)),
});

export interface SharedFeedDeps {
  journal: Pick<Journal, 'after' | 'newest'>;
  writes: Pick<WriteQueue, 'onEvents'>;
  log: { error(fields: object, message: string): void };
}

/** Events that are read at once. */
const READ = 500;
/** Without a signal, the journal is read at this interval. Milliseconds. */
export const CHECK_MS = 1000;

/** Starts with the events that follow. */
export async function createSharedFeed({ journal, writes, log }: SharedFeedDeps) {
  const listeners: Parameters<EventFeed['onEvents']>[0][] = [];
  let last = await journal.newest();
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;

  const deliver = (events: JournalEvent[], isComplete: boolean): void => {
    last = events.at(-1)?.id ?? last;
    listeners.forEach((listener) => logErrors(() => listener(events, isComplete), log));
  };

  const catchUp = async (): Promise<void> => {
    const newest = await journal.newest();
    if (newest < last) {
      // The database is an older one: restored from a backup, or a standby that had not received everything.
      last = newest;
      deliver([], false);
    }
    while (last < newest) {
      const events = await journal.after(last, READ);
      const isComplete = events[0]?.id === last + 1;
      last = events.at(-1)?.id ?? newest;
      deliver(events, isComplete);
    }
  };

  const check = (): void => {
    again = running !== undefined;
    if (again || closed) {
      return;
    }
    running = catchUp()
      // The store reports its failures; the next look reads what is missing.
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
        if (again) {
          check();
        }
      });
  };

  writes.onEvents((events) => {
    if (running === undefined && events[0]?.id === last + 1) {
      deliver(events, true);
    } else {
      check();
    }
  });
  const timer = setInterval(check, CHECK_MS).unref();
  return {
    onEvents: ((listener) => void listeners.push(listener)) satisfies EventFeed['onEvents'],
    /** Looks for events of other replicas. */
    check,
    /** Another replica has committed events up to this id. */
    signal(newest: number): void {
      if (newest !== last) {
        check();
      }
    },
    /** Waits for a look in progress. */
    async close(): Promise<void> {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}

function logErrors(call: () => void, log: SharedFeedDeps['log']): void {
  try {
    call();
  } catch (error) {
    log.error({ err: error }, 'could not process events');
  }
}
