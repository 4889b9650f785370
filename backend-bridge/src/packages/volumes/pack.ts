/** Streams a backup: the index first, then the members, one file at a time. */
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Header, pack, type Pack } from 'tar-stream';
import { BACKUP_INDEX, type BackupIndex } from '../../../contract/backup.ts';
import type { Member } from './gather.ts';
import { withOwner } from './owners.ts';

/** @throws when a file cannot be read as it was found, or nobody listens any more; then the stream is cut */
export async function sendBackup(index: BackupIndex, members: readonly Member[], to: Writable): Promise<void> {
  const tarball = pack();
  const sent = pipeline(tarball, createGzip(), to);
  const filled = fill(tarball, index, members).catch((error: unknown) => {
    tarball.destroy(error as Error);
    throw error;
  });
  const [first, second] = await Promise.allSettled([filled, sent]);
  const failed = [first, second].find((one) => one.status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}

async function fill(tarball: Pack, index: BackupIndex, members: readonly Member[]): Promise<void> {
  const text = JSON.stringify(index, null, 2);
  await addText(tarball, { name: BACKUP_INDEX, mode: 0o600, mtime: new Date(index.createdAt) }, text);
  for (const member of members) {
    await (member.type === 'directory' ? addFolder(tarball, member) : addFile(tarball, member));
  }
  tarball.finalize();
}

function addText(tarball: Pack, header: Partial<Header> & { name: string }, text = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    // A reader that has gone destroys the tarball; what waits for it must not wait forever.
    const gone = (): void => reject(new Error('the download was broken off'));
    tarball.once('close', gone);
    tarball.entry(header, text, (error) => {
      tarball.off('close', gone);
      if (error) {
        reject(error);
      } else {
        resolve();
      }
    });
  });
}

async function addFolder(tarball: Pack, { name, file }: Member): Promise<void> {
  const { mode, mtime, uid, gid } = await stat(file);
  await addText(tarball, withOwner({ name: `${name}/`, type: 'directory', mode: mode & 0o777, mtime, uid, gid }));
}

async function addFile(tarball: Pack, { name, file }: Member): Promise<void> {
  // It may have become a link since it was looked at.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (!stats.isFile()) {
    throw new Error(`${file} is no longer a file`);
  }
  const { size, mode, mtime, uid, gid } = stats;
  const header = withOwner({ name, size, mode: mode & 0o777, mtime, uid, gid });
  await (size === 0 ? addText(tarball, header, '') : pipeline(contents(handle, size), tarball.entry(header)));
}

/** Reads exactly `size` bytes, also of a file that grows. */
async function* contents(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(left, 64 * 1024)));
    if (bytesRead === 0) {
      throw new Error('a file became shorter while it was read');
    }
    left -= bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
