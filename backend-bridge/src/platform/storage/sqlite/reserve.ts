/** Disk space that is kept for the time when the disk is full: released then, so that deleting still works. */
import { randomFillSync } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Less than this is a full disk: SQLite needs some pages for its log. */
export const FULL_BELOW = 256 * 1024;

/** The reserve file. */
export type Reserve = ReturnType<typeof createReserve>;

/** @param bytes size of the file `nodebell.reserve` */
export function createReserve(dataDir: string, bytes: number) {
  const file = join(dataDir, 'nodebell.reserve');
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  };
  let held = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= bytes;
  return {
    get held() {
      return held;
    },
    /** Space on the disk for this process, in bytes. */
    freeBytes,
    /** Makes it when there is room for it twice; never rejects. */
    async make(): Promise<void> {
      if (held || freeBytes() < 2 * bytes) {
        return;
      }
      const unfinished = `${file}.new`;
      try {
        await writeRandom(unfinished, bytes);
        await rename(unfinished, file);
        held = true;
      } catch {
        // Filled up meanwhile: the next check tries again.
        await rm(unfinished, { force: true });
      }
    },
    release(): void {
      rmSync(file, { force: true });
      held = false;
    },
  };
}

/** Bytes that are written at once, from one buffer: new ones would be the largest allocation of a bridge that has just started. */
const CHUNK = 256 * 1024;

/** Random: a file system that compresses would reserve nothing for zeros. */
async function writeRandom(file: string, bytes: number): Promise<void> {
  await using handle = await open(file, 'w', 0o600);
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let left = bytes; left > 0; left -= CHUNK) {
    await handle.writeFile(randomFillSync(chunk).subarray(0, left));
  }
}
