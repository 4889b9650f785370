import { setTimeout as wait } from 'node:timers/promises';

/** Retries until the function succeeds: monitors need seconds. On timeout, throws the last error. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, milliseconds = 90_000): Promise<T> {
  const deadline = Date.now() + milliseconds;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== undefined) {
        return answer;
      }
    } catch (error) {
      last = error;
    }
    await wait(200);
  }
  throw new Error(`waited ${milliseconds / 1000} s in vain: ${what}`, { cause: last });
}
