/** Names in a tarball. Pure. */
import { BACKUP_ENTRIES } from '../../../contract/backup.ts';
import { urlValue } from '../../../contract/url.ts';

/** The name of an entry as one name of a file, whatever it holds. */
export function encodeName(name: string): string {
  return urlValue(name).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length));
}

export const memberName = (entry: string, ...rest: string[]): string =>
  [BACKUP_ENTRIES, encodeName(entry), ...rest].join('/');

const MAX_SEGMENTS = 64;
const MAX_SEGMENT_BYTES = 255;

/**
 * Takes the name of a member apart.
 * @returns undefined for an absolute one, one with `..`, and any that a file system could read as another
 */
export function segmentsOf(name: string): string[] | undefined {
  const segments = name.replace(/\/$/, '').split('/');
  // The first two are the folder of entries and a name from the index: neither is the name of a file here.
  const isGood = (segment: string, index: number): boolean =>
    segment !== '' &&
    segment !== '.' &&
    segment !== '..' &&
    !/[\\\p{Cc}]/u.test(segment) &&
    (index < 2 || Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES);
  return segments.length <= MAX_SEGMENTS && segments.every(isGood) ? segments : undefined;
}
