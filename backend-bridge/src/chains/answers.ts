/** Reads members of a node's answer. What is not as it must be becomes a problem with a sentence; nothing is guessed. Pure. */
import { badAnswer, wordsOf } from './reading.ts';

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TOO_LARGE = 'is a number over 2^53, which no chain has reached';

/**
 * A whole number from 0 to 2^53 - 1.
 * @param name as it stands in the answer
 * @throws NodeProblem
 */
export function wholeNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    return value;
  }
  if (typeof value !== 'number') {
    throw badAnswer('not-understood', `The node's answer has no number ${name}.`);
  }
  const why = value > Number.MAX_SAFE_INTEGER ? TOO_LARGE : 'is not a whole number from 0';
  throw badAnswer('number', `The node's answer cannot be used: ${name} ${why}.`);
}

/** The same, in decimal digits: the beacon API sends its numbers as text. */
export function decimalText(value: unknown, name: string): number {
  if (typeof value === 'number') {
    return wholeNumber(value, name);
  }
  if (typeof value !== 'string' || !/^\d+$/.test(value)) {
    throw badAnswer('not-understood', `The node's answer has no number ${name}.`);
  }
  return exact(Number(value), name);
}

/** A quantity of Ethereum's JSON-RPC: `0x` and hexadecimal digits, however many zeros lead them. */
export function quantity(value: unknown, name: string): number {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]+$/.test(value)) {
    throw badAnswer('not-understood', `The node's answer has no hexadecimal number ${name}.`);
  }
  return exact(Number.parseInt(value, 16), name);
}

function exact(value: number, name: string): number {
  if (value > Number.MAX_SAFE_INTEGER) {
    throw badAnswer('number', `The node's answer cannot be used: ${name} ${TOO_LARGE}.`);
  }
  return value;
}

/**
 * What can do without: undefined when it is absent or not as it must be. What is absent is not read: most answers lack most of
 * it, and an exception each time costs more than the rest of the reading.
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

/** Text to be shown; undefined when there is none. */
export function shownText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? wordsOf(value) : undefined;
}

/** Leaves out what is undefined. */
export function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
