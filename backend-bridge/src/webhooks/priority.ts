/** Severities of monitors, in our four priorities. */
import { DEFAULTS, type Priority } from '../../contract/notification.ts';

/** The design's words, then others that rules in the field use for the same (syslog, RFC 5424; Nagios; Opsgenie). */
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

/** For a word that is not in the table: see {@link readPriority}. */
export const UNKNOWN_PRIORITY: Priority = 'medium';

export interface ReadPriority {
  priority: Priority;
  /** The word that is not known. */
  unknown?: string;
}

/**
 * Reads severities without regard to case. A severity that nobody gave is the default of every notification (low). One
 * that we do not know is `medium`: somebody thought the alert worth a word of its own, so it must not sink among the
 * informational ones, and nothing says that it should push aside what is known to be important.
 * @param words in the order in which they count; the first that is known wins
 */
export function readPriority(...words: (string | null | undefined)[]): ReadPriority {
  const given = words.map((word) => word?.trim() ?? '').filter((word) => word !== '');
  for (const word of given) {
    const priority = PRIORITY_OF.get(word.toLowerCase());
    if (priority) {
      return { priority };
    }
  }
  const unknown = given[0];
  return unknown === undefined ? { priority: DEFAULTS.priority } : { priority: UNKNOWN_PRIORITY, unknown };
}
