/** This bridge as one of several replicas on one database. */
import type { BridgeStatus } from '../../../contract/status.ts';
import { createSharedFeed, type EventFeed, localFeed, type SharedFeedDeps } from '../events/feed.ts';
import { createJournal } from '../events/journal.ts';
import { repeat } from '../runtime/repeat.ts';
import type { SteadyClock } from '../storage/steadyClock.ts';
import type { Store } from '../store.ts';
import { ALWAYS_LEADS, type Leadership } from './leadership.ts';
import { type Leader, Session, type SessionDeps } from './session.ts';
import { createSharedReader, createSharedWriter, type SharedReader, type SharedWriter } from './sharedState.ts';
import type { SharedScope } from './writes.ts';

/** View of the other bridges on the database; with SQLite the bridge is alone and always leads. */
export interface Replica {
  /** It has its database for itself. */
  isAlone: boolean;
  leadership: Leadership;
  /** The events of all replicas. */
  feed: EventFeed;
  /** Reader of the leader's shared state, for followers; undefined: there are no other replicas. */
  reader<T>(scope: SharedScope): SharedReader<T> | undefined;
  /** For the leader, during one term; undefined: there are no other replicas. */
  writer(scope: SharedScope, term: number): SharedWriter | undefined;
  /** Undefined: there are no other replicas. */
  status(): Promise<BridgeStatus['replica']>;
  /** To be called when the work of the leader has stopped. */
  close(): Promise<void>;
}

/** A bridge that has its database for itself. */
export const aloneOn = (writes: Store['writes']): Replica => ({
  isAlone: true,
  leadership: ALWAYS_LEADS,
  feed: localFeed(writes),
  reader: () => undefined,
  writer: () => undefined,
  status: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
});

interface ReplicaOptions extends Pick<SessionDeps, 'url' | 'pid' | 'now'> {
  clock: Pick<SteadyClock, 'align'>;
  log: SessionDeps['log'] & SharedFeedDeps['log'];
}

/** Interval of aligning this replica's clock with the stored one. Milliseconds. */
const ALIGN_MS = 10_000;

/** @returns after the first attempt to lead */
export async function openReplica(
  { db, writes, state, disconnect }: Store,
  { url, pid, clock, now, log }: ReplicaOptions
): Promise<Replica> {
  const feed = await createSharedFeed({ journal: createJournal(db), writes, log });
  const session = await Session.open({
    ...{ url, pid, writes, now, log },
    onSignal: (newest) => (newest === undefined ? feed.check() : feed.signal(newest)),
    onSilent: disconnect,
  });
  writes.onEvents((events) => session.signal(events.at(-1)!.id));
  state.onChange((reason, failure) => {
    // The session itself notices a server that does not respond.
    if (!failure && reason === 'read_only') {
      session.reopen();
    }
  });
  const stopAligning = repeat("align the clock with the server's", ALIGN_MS, () => clock.align(), log);
  const leaders = createSharedReader<Leader>(db, 'leader');
  return {
    isAlone: false,
    leadership: session.leadership,
    feed,
    reader: (scope) => createSharedReader(db, scope),
    writer: (scope, term) => createSharedWriter({ scope, leader: session.nameOf(term), writes, log }),
    async status() {
      const [leader] = (await leaders.read()).values();
      return { leads: session.leadership.term() !== undefined, ...(leader && { leader }) };
    },
    async close() {
      stopAligning();
      await feed.close();
      await session.close();
    },
  };
}
