/** Reads a file that a provisioning file refers to. */
import { isUtf8 } from 'node:buffer';
import { LIMITS } from '../../../contract/limits.ts';
import { readRegularFile } from '../../packages/files/regularFile.ts';

/** Dashboards are the largest of them. */
const MAX_BYTES = LIMITS.fileBytes.value;

const MESSAGES: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by the bridge',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'does not exist: a part of its path is no folder',
  ELOOP: 'is a link that leads to itself',
};

/** @returns the text without a byte order mark, or the problem, to follow the file's name */
export async function readText(file: string): Promise<{ text: string } | { problem: string }> {
  try {
    const bytes = await readRegularFile(file, MAX_BYTES);
    if (bytes === 'not-a-file') {
      return { problem: 'is not a file' };
    }
    if (bytes === 'too-large') {
      return { problem: `is larger than ${MAX_BYTES / 1024 / 1024} MiB` };
    }
    return isUtf8(bytes) ? { text: bytes.toString('utf8').replace(/^\uFEFF/, '') } : { problem: 'is not UTF-8 text' };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { problem: MESSAGES[code] ?? `cannot be read (${code})` };
  }
}
