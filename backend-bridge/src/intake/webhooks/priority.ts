/** Maps severities of monitors to the four priorities. */
import { DEFAULTS, type Priority } from '../../../contract/notification.ts';

/** The documented severities, then other common ones (syslog, RFC 5424; Nagios; Opsgenie). */
const PRIORITY_OF: ReadonlyMap<string, Priority> = new Map([
  ['critical', 'critical'],
  ['error', 'high'],
  ['high', 'high'],
  ['warning', 'medium'],
  ['medium', 'medium'],
  ['info', 'low'],
  ['low', 'low'],
  ['crit', 'critical'],
  ['fatal', 'critical'],
  ['emergency', 'critical'],
  ['disaster', 'critical'],
  ['page', 'critical'],
  ['err', 'high'],
  ['major', 'high'],
  ['warn', 'medium'],
  ['minor', 'medium'],
  ['moderate', 'medium'],
  ['informational', 'low'],
  ['notice', 'low'],
  ['none', 'low'],
  ['debug', 'low'],
]);

/** For an unknown severity: see {@link readPriority}. */
export const UNKNOWN_PRIORITY: Priority = 'medium';

export interface ReadPriority {
  priority: Priority;
  /** The unknown severity. */
  unknown?: string;
}

/**
 * Case-insensitive. Without a severity, the default of notifications applies (low). An unknown one is `medium`: neither lost among
 * informational alerts nor as urgent as critical ones.
 * @param severities the first known one counts
 */
export function readPriority(...severities: (string | null | undefined)[]): ReadPriority {
  const given = severities.map((one) => one?.trim() ?? '').filter((one) => one !== '');
  for (const severity of given) {
    const priority = PRIORITY_OF.get(severity.toLowerCase());
    if (priority) {
      return { priority };
    }
  }
  const unknown = given[0];
  return unknown === undefined ? { priority: DEFAULTS.priority } : { priority: UNKNOWN_PRIORITY, unknown };
}
