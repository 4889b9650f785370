import type { Steps } from './steps.ts';

/** Runs all steps at once. */
export function complete<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
  }
}
