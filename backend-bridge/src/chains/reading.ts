/** What one question to a node came to, before time has any say in it. */
import type { ChainCause } from '../../contract/chain.ts';

/** What a node says of itself that does not change from minute to minute. */
export interface Identity {
  /** In the words of the node. */
  network?: string;
  /** The chain in words. */
  title?: string;
  version?: string;
  /** Seconds between two blocks, where they come by the clock. Undefined: unknown, or blocks come when somebody makes them. */
  blockSeconds?: number;
}

/** The node has said how far it is. */
export interface Figures {
  kind: 'figures';
  /** The newest block that it has (beacon chains: slot). */
  current: number;
  /** The newest that it knows of, never less than `current`. Undefined: it says that it is syncing, but not how far. */
  target?: number;
  /** It says itself that it is not done, however near the figures are. */
  unfinished?: 'initial-download' | 'state-download' | 'unverified';
  /** When the newest block was made, where the node tells: Unix seconds. */
  tipTime?: number;
  peers?: number;
  identity: Identity;
}

/** The node says itself that it is not ready. */
export interface Starting {
  kind: 'starting';
  cause: ChainCause;
  /** In words. */
  sentence: string;
  current?: number;
  peers?: number;
  identity: Identity;
}

/** There is no usable answer. */
export interface Failed {
  kind: 'failed';
  state: 'unreachable' | 'stopped' | 'error';
  cause: ChainCause;
  /** In words. */
  sentence: string;
}

export type Reading = Figures | Starting | Failed;

/** Thrown where an answer turns out to be of no use; it carries what is to be told. */
export class NodeProblem extends Error {
  readonly reading: Failed | Starting;
  constructor(reading: Failed | Starting) {
    super(reading.sentence);
    this.name = 'NodeProblem';
    this.reading = reading;
  }
}

/** @returns a problem with an answer */
export function badAnswer(cause: ChainCause, sentence: string): NodeProblem {
  return new NodeProblem({ kind: 'failed', state: 'error', cause, sentence });
}

/** Runs what may throw a problem, and gives it back as a reading. */
export function asReading(read: () => Reading): Reading {
  try {
    return read();
  } catch (error) {
    if (error instanceof NodeProblem) {
      return error.reading;
    }
    throw error;
  }
}

const WORDS = 200;

/** Words of a node, to be shown: on one line, without control characters, not longer than a few lines. */
export function wordsOf(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
  return line.length > WORDS ? `${line.slice(0, WORDS)}…` : line;
}
