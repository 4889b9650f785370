/** Backup files: the portable form of a store, compressed with Zstandard. */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { isoTime } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { syncToDisk } from '../runtime/syncToDisk.ts';
import { TransferError } from './errors.ts';
import { decode, encode, type Header, type Origin, type Part, type Trailer } from './format.ts';
import type { Snapshot } from './snapshot.ts';

const SUFFIX = '.jsonl.zst';
const NAME = /^nodebell-\d{8}T\d{6}Z\.jsonl\.zst$/;
const UNFINISHED = /^nodebell-\d{8}T\d{6}Z\.jsonl\.zst\.[0-9a-f-]{36}\.partial$/;
/**
 * Rows of a file: each row differs from the others, by its key at least, and so takes more than a bit. A file that decompresses to more
 * rows, and would be read for minutes, is no backup. The size of rows is no such bound: a body of 1 MiB may be one character, repeated.
 */
const maxRows = (bytes: number): number => 100_000 + 8 * bytes;
/** RFC 8878, 3.1.1. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The name of a backup in a folder. Names sort by time. @param at ISO 8601, UTC */
export const backupName = (at: string): string => `nodebell-${compact(at)}${SUFFIX}`;

/** `20261122T130500Z` */
export const compact = (at: string): string => at.replace(/[-:]|\.\d+/g, '');

export interface WrittenFile {
  trailer: Trailer;
  bytes: number;
}

/**
 * Writes a snapshot to a file that is readable for its owner only. The file appears when it is complete and on disk.
 * @throws TransferError when the folder cannot be written
 */
export async function writeBackup(file: string, snapshot: Snapshot, origin: Origin): Promise<WrittenFile> {
  const unfinished = `${file}.${randomUUID()}.partial`;
  let trailer: Trailer | undefined;
  try {
    await pipeline(
      async function* () {
        trailer = yield* encode(snapshot, origin);
      },
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true })
    );
    const { size } = await stat(unfinished);
    await rename(unfinished, file);
    await syncToDisk(path.dirname(file));
    return { trailer: trailer!, bytes: size };
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw fileError(error, `${file} cannot be written`);
  }
}

/**
 * Removes all but the newest backups of a folder, and what interrupted commands left there a day ago. Other files stay. Backups of the
 * future, by a clock that was ahead, are not the newest.
 * @returns the names of the removed ones
 */
export async function keepNewest(folder: string, count: number, now = Date.now()): Promise<string[]> {
  const all = (await readdir(folder)).sort();
  const today = backupName(isoTime(now));
  const backups = all.filter((name) => NAME.test(name));
  const names = [...backups.filter((name) => name > today), ...backups.filter((name) => name <= today)];
  const old = names.slice(0, Math.max(0, names.length - count));
  for (const name of all.filter((one) => UNFINISHED.test(one))) {
    const { mtimeMs } = await stat(path.join(folder, name));
    if (now - mtimeMs > DAY_MS) {
      old.push(name);
    }
  }
  for (const name of old) {
    await rm(path.join(folder, name), { force: true });
  }
  return old;
}

/** Reads and verifies a backup; see {@link decode}. @throws TransferError */
export async function* readBackup(file: string): AsyncGenerator<Part> {
  try {
    await expectMagic(file);
    const content = createZstdDecompress();
    // Errors reach the reader of `content`.
    pipe(createReadStream(file), content, () => undefined);
    yield* decode(content as AsyncIterable<Buffer>, maxRows((await stat(file)).size));
  } catch (error) {
    throw fileError(error, `${file} cannot be read`);
  }
}

/** Verifies a whole backup. @throws TransferError */
export async function verifyBackup(file: string): Promise<{ header: Header; trailer: Trailer; bytes: number }> {
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  for await (const part of readBackup(file)) {
    header = part.type === 'header' ? part.header : header;
    trailer = part.type === 'end' ? part.trailer : trailer;
  }
  return { header: header!, trailer: trailer!, bytes: (await stat(file)).size };
}

async function expectMagic(file: string): Promise<void> {
  await using handle = await open(file, 'r');
  const { buffer } = await handle.read(Buffer.alloc(MAGIC.length));
  if (!buffer.equals(MAGIC)) {
    throw new TransferError('damaged', `${file} is not a backup of Nodebell.`);
  }
}

function fileError(error: unknown, what: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') {
    return new TransferError('damaged', 'The backup is truncated.', error);
  }
  if (code?.startsWith('ZSTD_error')) {
    return new TransferError('damaged', `The backup is damaged: ${message}.`, error);
  }
  // An error of the file system has a number and a system call; all others pass.
  return (error as NodeJS.ErrnoException).syscall === undefined
    ? error
    : new TransferError('refused', `${what} (${code ?? message}).`, error);
}
