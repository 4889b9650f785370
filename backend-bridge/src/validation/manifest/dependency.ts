/** What a dependency asks for. */
import { CID } from 'multiformats/cid';
import semver from 'semver';
import { type ManifestDependency } from './types.ts';

/** Longest range that is read; semver itself reads versions of at most 256 characters. */
const MAX_RANGE = 256;

/** Whether text is an identifier of content, in a form of IPFS. */
export function isContentId(text: string): boolean {
  try {
    CID.parse(text);
    return text.length <= MAX_RANGE;
  } catch {
    return false;
  }
}

/** The identifier of a path `/ipfs/<identifier>[/…]`; undefined when it is no such path. */
export const contentIdOf = (path: string): string | undefined => /^\/ipfs\/([^/]*)/.exec(path)?.[1];

/** Whether a range of semantic versions can be read; empty text, which semver takes for any version, is none. */
export const isRange = (text: string): boolean =>
  text.trim() !== '' && text.length <= MAX_RANGE && semver.validRange(text) !== null;

/** Which of the five forms of the specification a value has. */
export function kindOf(range: string): ManifestDependency['kind'] {
  if (range === '*' || range === 'latest') {
    return range === '*' ? 'any' : 'latest';
  }
  if (contentIdOf(range) !== undefined) {
    return 'ipfs';
  }
  if (semver.valid(range) !== null) {
    return 'version';
  }
  return isRange(range) ? 'range' : 'unreadable';
}
