/** The read state that a request reads and changes. */
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Person } from '../../platform/http/guard.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { READER_LIFETIME_MS, type Reader, visit } from './writes.ts';

export const READ_STATES = ['each', 'shared'] as const;
/** each: every person that Grafana names has a read state of their own. shared: all have one. */
export type ReadState = (typeof READ_STATES)[number];

/** A visit is recorded at most once in this time, which is far shorter than a reader's lifetime. Milliseconds. */
const VISIT_EVERY_MS = DAY_MS;

export interface ReadersDeps {
  readState: ReadState;
  writes: Pick<WriteQueue, 'submit'>;
  /** The number under which the store knows a person already, and when that person last came. */
  find: (key: string) => Promise<{ id: number; last_ts: number } | undefined>;
  /** The bridge's own clock, by which ages are measured. */
  now: () => number;
  /** Called for every request of a person: people.ts. */
  meet?: ((person: Person) => void) | undefined;
}

interface Visitor {
  reader: Promise<Reader | undefined>;
  since: number;
}

export type Readers = ReturnType<typeof createReaders>;

export function createReaders({ readState, writes, find, now, meet = () => undefined }: ReadersDeps) {
  const visitors = new LRUCache<string, Visitor>({ max: LIMITS.visitors.value });
  const recently = (ts: number): boolean => now() >= ts && now() - ts < VISIT_EVERY_MS;

  const recordVisit = async (key: string): Promise<Reader | undefined> => {
    try {
      const { id } = await writes.submit(visit, { key, now: now() });
      return id === null ? undefined : { id, key };
    } catch {
      visitors.delete(key);
      return undefined;
    }
  };

  const arrive = async (key: string): Promise<Reader | undefined> => {
    const known = await find(key).catch(() => undefined);
    if (known === undefined) {
      return recordVisit(key);
    }
    // The request does not wait for this write, unless the reader is about to expire.
    const visited = recently(known.last_ts) ? undefined : recordVisit(key);
    return now() - known.last_ts < READER_LIFETIME_MS - VISIT_EVERY_MS ? { id: known.id, key } : visited;
  };

  return {
    /** Undefined: the shared state is meant. Never throws: while the store cannot write, one who is new has the shared state. */
    async of(person: Person | undefined): Promise<Reader | undefined> {
      if (person !== undefined) {
        meet(person);
      }
      // All who have not signed in are one person to Grafana: what one of them reads, the others have not.
      if (readState === 'shared' || person === undefined || person.anonymous) {
        return undefined;
      }
      const known = visitors.get(person.key);
      if (known !== undefined && recently(known.since)) {
        return known.reader;
      }
      const reader = arrive(person.key);
      visitors.set(person.key, { reader, since: now() });
      return reader;
    },
  };
}
