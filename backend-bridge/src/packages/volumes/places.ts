/**
 * Where the entries of a backup are: `<folder>/<service>/<path>`, in the folder that the operator has provisioned. The paths come
 * from a manifest, and the folder is written by the package: neither may lead out of it.
 */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { BackupEntry } from '../../../contract/package.ts';

/** Names of our own folders, beside the services. */
export const WORK_PREFIX = '.nodebell-restore-';

/** Where an entry is: links on the way to it are followed. */
export interface Place {
  /** Absolute, without links. */
  real: string;
  exists: boolean;
}

/**
 * @param root the folder, itself without links (`realpath`)
 * @returns undefined when the entry leads out of the folder, or is the folder itself
 */
export async function findPlace(root: string, { service, path: given }: BackupEntry): Promise<Place | undefined> {
  const lexical = lexicalPlace(root, service, given);
  if (lexical === undefined) {
    return undefined;
  }
  const place = await follow(lexical);
  return place && isBelow(root, place.real) && !isOurs(root, place.real) ? place : undefined;
}

/** A path of a container is absolute and has its own root: `..` does not lead above it. */
function lexicalPlace(root: string, service: string | undefined, given: string): string | undefined {
  if (given.includes('\0') || (service !== undefined && !isSegment(service))) {
    return undefined;
  }
  return path.join(root, service ?? '', path.posix.normalize(`/${given}`));
}

/** One name in a folder. */
export function isSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[/\\\0]/.test(text);
}

export function isBelow(root: string, target: string): boolean {
  return target.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

const isOurs = (root: string, target: string): boolean =>
  path.relative(root, target).split(path.sep)[0]?.startsWith(WORK_PREFIX) === true;

/** Follows links as far as there is something; a link that leads nowhere is none that we would write through. */
async function follow(target: string): Promise<Place | undefined> {
  const missing: string[] = [];
  for (let at = target; ; at = path.dirname(at)) {
    try {
      return { real: path.join(await realpath(at), ...missing), exists: missing.length === 0 };
    } catch (error) {
      if (!isAbsence(error) || (await isThere(at)) || at === path.dirname(at)) {
        return undefined;
      }
      missing.unshift(path.basename(at));
    }
  }
}

/** Whether there is anything, were it a link that leads nowhere. */
export async function isThere(at: string): Promise<boolean> {
  try {
    await lstat(at);
    return true;
  } catch {
    return false;
  }
}

export function isAbsence(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
