/** Reads regular files only: opening a pipe waits for a writer forever, and reading a device may never end. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/**
 * @param file a path; links are followed
 * @returns the bytes, or why there are none; what is no regular file is not opened
 * @throws the system's error when it cannot be read
 */
export async function readRegularFile(file: string, maxBytes: number): Promise<Buffer | 'not-a-file' | 'too-large'> {
  if (!(await stat(file)).isFile()) {
    return 'not-a-file';
  }
  // It may have been replaced by a pipe since. Windows has neither those nor the flag.
  await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = await handle.stat();
  if (!stats.isFile()) {
    return 'not-a-file';
  }
  // Generated files (/proc) have no size, and a file may grow meanwhile: the size alone bounds nothing.
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= maxBytes && stats.size <= maxBytes) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.max(stats.size - size, 4096)));
    if (bytesRead === 0) {
      return Buffer.concat(chunks);
    }
    size += bytesRead;
    chunks.push(buffer.subarray(0, bytesRead));
  }
  return 'too-large';
}
