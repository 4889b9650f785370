/** Interface of an area of the bridge, and the dependencies common to all. */
import type { Logger } from 'pino';
import type { ReadGate } from '../http/readGate.ts';
import type { Replica } from '../replicas/replica.ts';
import type { Store } from '../store.ts';

/** Dependencies common to all areas. */
export interface Core extends Store {
  log: Logger;
  /** The system's clock, UTC milliseconds. */
  now: () => number;
  /** The clock by which ages are measured, UTC milliseconds. */
  steady: () => number;
  replica: Replica;
  gate: ReadGate;
  /** contract/via.ts. */
  id: string;
}

/** Work of the leading replica, which begins when it leads. */
export interface Term {
  /** Number of the term (platform/replicas/leadership.ts). */
  term: number;
  /** URL at which the bridge listens. */
  url: string;
}

/** An area of the bridge. */
export interface Area<Handlers extends object> {
  /** By operation. */
  handlers: Handlers;
  /** Begins the work of a term. @returns ends it, once */
  lead?(term: Term): () => void | Promise<void>;
  close?(): void | Promise<void>;
}
