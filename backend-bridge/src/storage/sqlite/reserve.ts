/** Disk space that is kept for the time when the disk is full: released then, so that deleting still works. */
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Reserve {
  readonly held: boolean;
  /** Space on the disk for this process, in bytes. */
  freeBytes(): number;
  /** Makes it when there is room for it twice; never rejects. */
  make(): Promise<void>;
  release(): void;
}

/** Less than this is a full disk: SQLite needs some pages for its log. */
export const FULL_BELOW = 256 * 1024;

export function createReserve(dataDir: string, bytes: number): Reserve {
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
    freeBytes,
    async make() {
      if (held || freeBytes() < 2 * bytes) {
        return;
      }
      const unfinished = `${file}.new`;
      try {
        // Random: a file system that compresses would reserve nothing for zeros.
        await writeFile(unfinished, randomBytes(bytes), { mode: 0o600 });
        await rename(unfinished, file);
        held = true;
      } catch {
        // Filled up meanwhile: the next check tries again.
        await rm(unfinished, { force: true });
      }
    },
    release() {
      rmSync(file, { force: true });
      held = false;
    },
  };
}
