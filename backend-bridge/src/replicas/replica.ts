/** This bridge as one of several replicas on one database. */
import type { BridgeStatus } from '../../contract/status.ts';
import { createSharedFeed, type EventFeed, localFeed } from '../events/feed.ts';
import { createJournalReader } from '../events/journal.ts';
import type { Store } from '../storage/store.ts';
import { ALWAYS_LEADS, type Leadership } from './leadership.ts';
import { type Leader, openSession, type SessionDeps } from './session.ts';
import { createSharedReader, createSharedWriter, type SharedReader, type SharedWriter } from './sharedState.ts';
import type { SharedScope } from './writes.ts';

export interface Replica {
  leadership: Leadership;
  /** The events of all replicas. */
  feed: EventFeed;
  /** What the leader shares, for those that follow; undefined: there are no other replicas. */
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
  leadership: ALWAYS_LEADS,
  feed: localFeed(writes),
  reader: () => undefined,
  writer: () => undefined,
  status: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
});

/** @returns after the first attempt to lead */
export async function openReplica(
  { db, writes }: Store,
  { url, pid, now, log }: Pick<SessionDeps, 'url' | 'pid' | 'now'> & { log: SessionDeps['log'] & FeedLog }
): Promise<Replica> {
  const feed = await createSharedFeed({ journal: createJournalReader(db), writes, log });
  const session = await openSession({ url, pid, writes, onSignal: () => feed.check(), now, log });
  const leaders = createSharedReader<Leader>(db, 'leader');
  return {
    leadership: session.leadership,
    feed,
    reader: (scope) => createSharedReader(db, scope),
    writer: (scope, term) => createSharedWriter({ scope, leader: session.nameOf(term), writes, log }),
    async status() {
      const [leader] = (await leaders.read()).values();
      return { leads: session.leadership.term() !== undefined, ...(leader && { leader }) };
    },
    async close() {
      await feed.close();
      await session.close();
    },
  };
}

type FeedLog = Parameters<typeof createSharedFeed>[0]['log'];
