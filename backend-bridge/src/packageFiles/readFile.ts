/** Reads a file of a folder, and nothing outside of it. */
import { isUtf8 } from 'node:buffer';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { LIMITS } from '../../contract/limits.ts';
import { readRegularFile } from './regularFile.ts';
import type { FileProblem, PackageFile } from './types.ts';

/** Dashboards are the largest; texts over 1 MiB are refused when they are validated. */
const MAX_BYTES = LIMITS.fileBytes.value;

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'It does not exist.',
  EACCES: 'It may not be read.',
  EPERM: 'It may not be read.',
  ENOTDIR: 'A part of its path is no folder.',
  ELOOP: 'It is a link that leads to itself.',
  ENAMETOOLONG: 'Its name is too long.',
};

/** Why the file system refused, in a sentence. */
export function refusal(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && WORDS[code]) || `It cannot be read (${code ?? (error as Error).message}).`;
}

/**
 * Reads a text.
 * @param root a real path, without links: what leads out of it by a link is not read
 * @param name of the file below it, with slashes
 */
export async function readFileWithin(root: string, name: string): Promise<PackageFile | FileProblem> {
  const problem = (message: string): FileProblem => ({ path: name, message });
  try {
    const real = await realpath(path.join(root, name));
    const relative = path.relative(root, real);
    if (relative.startsWith('..') || path.isAbsolute(relative)) {
      return problem('It is a link that leads out of the folder.');
    }
    const bytes = await readRegularFile(real, MAX_BYTES);
    if (bytes === 'not-a-file') {
      return problem('It is not a file.');
    }
    if (bytes === 'too-large') {
      return problem(`It is larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
    }
    return isUtf8(bytes) ? { path: name, text: bytes.toString('utf8') } : problem('It is not UTF-8 text.');
  } catch (error) {
    return problem(refusal(error));
  }
}
