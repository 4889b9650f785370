/** Reads a file that an operator names. */
import { open } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';

/** Dashboards are the largest of them. Bytes. */
export const MAX_BYTES = 4 * 1024 * 1024;

const WORDS: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by the bridge',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'does not exist: a part of its path is no folder',
  ELOOP: 'is a link that leads to itself',
};

/** @returns the text without a byte order mark, or what is wrong, to stand after the file's name */
export async function readText(file: string): Promise<{ text: string } | { problem: string }> {
  try {
    const handle = await open(file);
    try {
      const { size, isFile } = await handle.stat().then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
      if (!isFile) {
        return { problem: 'is not a file' };
      }
      if (size > MAX_BYTES) {
        return { problem: `is larger than ${MAX_BYTES / 1024 / 1024} MiB` };
      }
      const bytes = await handle.readFile();
      return isUtf8(bytes) ? { text: bytes.toString('utf8').replace(/^\uFEFF/, '') } : { problem: 'is not UTF-8 text' };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { problem: WORDS[code] ?? `cannot be read (${code})` };
  }
}
