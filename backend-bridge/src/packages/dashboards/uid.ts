/** Names of dashboards that stay the same. */
import { createHash } from 'node:crypto';

/** Grafana's format of a uid: letters, digits, `-` and `_`, at most 40. */
export const UID = /^[\w-]{1,40}$/;

/**
 * Deterministic uid of a package. It contains a part of a hash, because two names can have the same letters.
 * @param name of a package, with a path for one of its files
 */
export function uidFor(name: string): string {
  const letters = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 22)
    .replace(/-+$/, '');
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return ['nodebell', letters, mark].filter((part) => part !== '').join('-');
}
