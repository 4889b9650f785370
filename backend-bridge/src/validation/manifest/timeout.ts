/** How long an operation on the containers may take. */
import timestring from 'timestring';

/** Default container timeout (specification, Limits), in seconds. */
export const DEFAULT_TIMEOUT = 10;
/** What a timeout applies to (specification, Limits). */
export const TIMEOUT_OPERATIONS: readonly string[] = [
  'package updates',
  'removals',
  'container restarts',
  'start and stop',
  'config environment updates',
  'port mapping updates',
];
/** The package manager's first version that knows it (specification, Versioning). */
export const TIMEOUT_SINCE = '0.2.36';

/** Numbers with units, in any order, with spaces or commas between: what timestring reads without leaving anything out. */
const DURATION = /^(?:[+]?(?:\d+(?:\.\d*)?|\.\d+)\s*[a-z]+[\s,]*)+$/i;

/** A `dockerTimeout` in seconds; undefined when it cannot be read. */
export function readTimeout(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 100) {
    return undefined;
  }
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) {
    return Number(trimmed);
  }
  if (!DURATION.test(trimmed)) {
    return undefined;
  }
  try {
    const seconds = timestring(trimmed);
    return Number.isFinite(seconds) ? seconds : undefined;
  } catch {
    return undefined;
  }
}
