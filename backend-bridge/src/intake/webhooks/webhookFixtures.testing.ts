/** Reads the recorded bodies for tests. */
import { readFileSync } from 'node:fs';

/** The bytes of a file in tests/fixtures/webhooks. */
export function fixtureBytes(name: string): Buffer<ArrayBuffer> {
  return readFileSync(new URL(`../../../tests/fixtures/webhooks/${name}`, import.meta.url));
}

/** The parsed body, to be changed at will. */
export function fixture<T = Record<string, unknown>>(name: string): T {
  return JSON.parse(fixtureBytes(name).toString('utf8')) as T;
}
