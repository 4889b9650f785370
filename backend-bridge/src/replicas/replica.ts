/** This bridge as one of several replicas on one database. */
import { ALWAYS_LEADS, type Leadership } from './leadership.ts';
import type { SharedReader, SharedWriter } from './sharedState.ts';
import type { SharedScope } from './writes.ts';

export interface Replica {
  leadership: Leadership;
  /** What the leader shares, for those that follow; undefined: there are no other replicas. */
  reader<T>(scope: SharedScope): SharedReader<T> | undefined;
  /** For the leader, during one term; undefined: there are no other replicas. */
  writer(scope: SharedScope, term: number): SharedWriter | undefined;
}

/** A bridge that has its database for itself. */
export const ALONE: Replica = {
  leadership: ALWAYS_LEADS,
  reader: () => undefined,
  writer: () => undefined,
};
