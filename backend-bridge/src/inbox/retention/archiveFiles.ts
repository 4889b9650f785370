/**
 * Archive files of removed notifications: JSON Lines, compressed by gzip, one file for each day and start of the bridge, in
 * `<data directory>/archive`. What was written is on disk before the rows are deleted. A crash in between leaves rows both in a file and
 * in the store, and may leave an incomplete end of the file, whose rows are in the store.
 */
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LIMITS } from '../../../contract/limits.ts';
import { isoTime } from '../../../contract/text.ts';
import { syncToDisk } from '../../platform/runtime/syncToDisk.ts';

const compress = promisify(gzip);
const NAME = /^notifications-\d{4}-\d{2}-\d{2}-\d{6}\.jsonl\.gz$/;

interface Current {
  name: string;
  day: string;
  handle: FileHandle;
  bytes: number;
}

/** Appends removed notifications to files, each part synced to the disk before it returns. */
export type Archive = ReturnType<typeof createArchive>;

/** @param now the system's clock, UTC milliseconds, for the names of files */
export function createArchive(dir: string, now: () => number) {
  let current: Current | undefined;

  const close = async (): Promise<void> => {
    const { handle } = current ?? {};
    current = undefined;
    await handle?.close();
  };

  const start = async (day: string): Promise<Current> => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const names = await list(dir);
    // Never an existing file: it may end in the middle of a line.
    const last = names.filter((name) => name.includes(day)).at(-1);
    const number = last === undefined ? 1 : Number(/-(\d{6})\./.exec(last)![1]) + 1;
    const name = `notifications-${day}-${String(number).padStart(6, '0')}.jsonl.gz`;
    const handle = await open(path.join(dir, name), 'ax', 0o600);
    await syncToDisk(dir);
    return { name, day, handle, bytes: 0 };
  };

  return {
    /** Resolves when they are on disk. @param lines JSON, without line ends */
    async append(lines: readonly string[]): Promise<void> {
      const day = isoTime(now()).slice(0, 10);
      if (current && (current.day !== day || current.bytes >= LIMITS.archiveFileBytes.value)) {
        await close();
      }
      current ??= await start(day);
      try {
        const data = await compress(lines.map((line) => `${line}\n`).join(''));
        await current.handle.appendFile(data);
        await current.handle.datasync();
        current.bytes += data.length;
      } catch (error) {
        // The end of the file is unknown: the next attempt begins another one.
        await close().catch(() => undefined);
        throw error;
      }
    },
    async size(): Promise<{ files: number; bytes: number }> {
      const sizes = await sizesOf(dir);
      return { files: sizes.length, bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    /** Deletes the oldest files beyond so many bytes; the one being written stays. */
    async prune(maxBytes: number): Promise<void> {
      const sizes = await sizesOf(dir);
      let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const { name, bytes } of sizes) {
        if (total > maxBytes && name !== current?.name) {
          await rm(path.join(dir, name), { force: true });
          total -= bytes;
        }
      }
    },
    close,
  };
}

/** Undefined: the file or folder does not exist. */
const ifPresent = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });

/** Oldest first. */
async function list(dir: string): Promise<string[]> {
  const names = (await ifPresent(readdir(dir))) ?? [];
  return names.filter((name) => NAME.test(name)).sort();
}

async function sizesOf(dir: string): Promise<{ name: string; bytes: number }[]> {
  const names = await list(dir);
  const sizes = names.map(async (name) => {
    // One may be pruned meanwhile.
    const known = await ifPresent(stat(path.join(dir, name)));
    return known ? [{ name, bytes: known.size }] : [];
  });
  return (await Promise.all(sizes)).flat();
}
