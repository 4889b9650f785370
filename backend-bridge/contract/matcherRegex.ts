/** Regular expressions of matchers, by RE2: matching takes linear time. Apart from `matchers.ts` because the engine is large. */
import { RE2JS } from 're2js';
import { LIMITS } from './limits.ts';
import type { CompileRegex } from './matchers.ts';
import { grouped } from './text.ts';

/** Anchored, as Alertmanager does. @throws if the pattern is not valid, or compiles to too many instructions */
export const compileRegex: CompileRegex = (pattern) => {
  const compiled = RE2JS.compile(`^(?:${pattern})$`);
  if (compiled.programSize() > LIMITS.matcherInstructions.value) {
    throw new Error(`more than ${grouped(LIMITS.matcherInstructions.value)} instructions`);
  }
  return (value) => compiled.test(value);
};
