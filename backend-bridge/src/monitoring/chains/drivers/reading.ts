/** The result of polling a node once, and the parsing of the values in its responses. Pure. */
import type { ChainCause } from '../../../../contract/chain.ts';
import { singleLine } from '../../../../contract/text.ts';

/** Facts about a node that rarely change. */
export interface Identity {
  /** As reported by the node. */
  network?: string;
  /** Display name of the chain. */
  title?: string;
  version?: string;
  /** Block time in seconds. Undefined: unknown, or blocks are made on demand. */
  blockSeconds?: number;
}

/** The node reports how far it has synced. */
export interface Figures {
  kind: 'figures';
  /** Newest block (beacon chains: slot). */
  current: number;
  /** The newest block that it knows of, at least `current`. Undefined: it reports that it is syncing, but not how far. */
  target?: number;
  /** It reports that it is not done, whatever the figures are. */
  unfinished?: 'initial-download' | 'state-download' | 'unverified';
  /** Time of the newest block, if reported: Unix seconds. */
  tipTime?: number;
  peers?: number;
  identity: Identity;
}

/** The node reports that it is not ready. */
export interface Starting {
  kind: 'starting';
  cause: ChainCause;
  sentence: string;
  current?: number;
  peers?: number;
  identity: Identity;
}

/** A node at the newest block that it knows, which may not be that of the chain. */
export const withoutTarget = (current: number, rest: Pick<Starting, 'peers' | 'identity'>): Starting => ({
  kind: 'starting',
  current,
  ...(rest.peers === 0
    ? { cause: 'no-peers', sentence: 'No peers yet, so the newest block of the chain is unknown.' }
    : { cause: 'no-target', sentence: 'The newest block of the chain is not known yet.' }),
  ...rest,
});

/** There is no usable response. */
export interface Failed {
  kind: 'failed';
  state: 'unreachable' | 'stopped' | 'error';
  cause: ChainCause;
  sentence: string;
}

export type Reading = Figures | Starting | Failed;

/** Thrown when a response cannot be used; carries the reading to show. */
export class NodeProblem extends Error {
  readonly reading: Failed | Starting;
  constructor(reading: Failed | Starting) {
    super(reading.sentence);
    this.name = 'NodeProblem';
    this.reading = reading;
  }
}

/** @returns a problem with a response */
export function badResponse(cause: ChainCause, sentence: string): NodeProblem {
  return new NodeProblem({ kind: 'failed', state: 'error', cause, sentence });
}

/** Runs a function that may throw a problem, and returns that as a reading. */
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

export type Json = Record<string, unknown>;

const TOO_LARGE = 'is greater than 2^53 - 1';

/**
 * An integer from 0 to 2^53 - 1.
 * @param name of the member, for errors
 * @throws NodeProblem
 */
export function wholeNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    return value;
  }
  if (typeof value !== 'number') {
    throw badResponse('not-understood', `Unexpected response: ${name} is missing or not a number.`);
  }
  const why = value > Number.MAX_SAFE_INTEGER ? TOO_LARGE : 'is not a non-negative integer';
  throw badResponse('number', `Invalid response: ${name} ${why}.`);
}

/** A number as decimal digits: the beacon API sends numbers as strings. */
export function decimalText(value: unknown, name: string): number {
  if (typeof value === 'number') {
    return wholeNumber(value, name);
  }
  if (typeof value !== 'string' || !/^\d+$/.test(value)) {
    throw badResponse('not-understood', `Unexpected response: ${name} is missing or not a number.`);
  }
  return exact(Number(value), name);
}

/** A quantity of Ethereum's JSON-RPC: `0x` and hexadecimal digits, with any number of leading zeros. */
export function quantity(value: unknown, name: string): number {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]+$/.test(value)) {
    throw badResponse('not-understood', `Unexpected response: ${name} is missing or not a hexadecimal number.`);
  }
  return exact(Number.parseInt(value, 16), name);
}

function exact(value: number, name: string): number {
  if (value > Number.MAX_SAFE_INTEGER) {
    throw badResponse('number', `Invalid response: ${name} ${TOO_LARGE}.`);
  }
  return value;
}

/**
 * An optional value: undefined if absent or invalid. Absent values are not parsed, since most responses lack most of them and
 * exceptions are expensive.
 */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  if (value === undefined) {
    return undefined;
  }
  try {
    return read(value);
  } catch {
    return undefined;
  }
}

/** Text to show; undefined if empty or not a string. */
export function shownText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? singleLine(value) : undefined;
}
