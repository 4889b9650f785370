/**
 * Unpacks an uploaded backup into a folder of our own, and checks the whole of it before anything else is touched. Only files and
 * folders are taken: no links, devices or pipes, and no names that lead out.
 */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Extract, type Header } from 'tar-stream';
import {
  BACKUP_ENTRIES,
  BACKUP_INDEX,
  BACKUP_LIMIT,
  BACKUP_MEMBERS_LIMIT,
  BACKUP_TARBALL_LIMIT,
  type BackupIndex,
  backupIndexSchema,
} from '../../../contract/backup.ts';
import { show } from '../../../contract/text.ts';
import { HttpProblem, problemAt } from '../../platform/http/problem.ts';
import { encodeName, segmentsOf } from './names.ts';
import { ownerOf } from './owners.ts';

const INDEX_LIMIT = 1024 * 1024;
/** More than the longest name. Bytes. */
const HEADER_LIMIT = 64 * 1024;

/** An entry of tar-stream. */
interface Entry extends AsyncIterable<unknown> {
  header: Header;
  resume(): unknown;
}

export interface Staged {
  /** Index of the entry, and the names below it. */
  entry: number;
  below: string[];
  type: 'file' | 'directory';
  /** Where the contents of a file are: flat, so that nothing in the tarball decides about a path here. */
  content: string;
  mode: number;
  mtime: Date;
  uid: number;
  gid: number;
}

export interface Unpacked {
  index: BackupIndex;
  /** In the order of the tarball; a folder may be missing that something is in. */
  staged: Staged[];
}

/**
 * @param dir an empty folder of our own
 * @throws HttpProblem 400 that says what is wrong with the tarball, 413 when it is too large
 */
export async function unpack(body: Readable, dir: string): Promise<Unpacked> {
  const members = withSmallHeaders(extract());
  const packed = limited(BACKUP_TARBALL_LIMIT);
  const flow = pipeline(packed, createGunzip(), limited(BACKUP_TARBALL_LIMIT), members);
  const letGo = feed(body, packed);
  const [read, flowed] = await Promise.allSettled([readMembers(members, dir), flow]);
  letGo();
  // An error in the entry explains more than the stream error that follows from it.
  const failures = [read, flowed].flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const failure = failures.find((reason) => reason instanceof HttpProblem) ?? failures[0];
  if (failure !== undefined || read.status === 'rejected') {
    throw readableError(failure);
  }
  return read.value;
}

/** tar-stream's handling of PAX and GNU headers, which its types omit. */
interface LongHeaders {
  _header: Header | null;
  _decodeLongHeader(content: Uint8Array): void;
}

/**
 * tar-stream reads headers of up to 4 MiB, and copies a global one to each that follows: a small tarball would block the bridge for hours.
 * Backups have a header for a long name only.
 */
function withSmallHeaders(members: Extract): Extract {
  const inner = members as unknown as LongHeaders;
  const decode = inner._decodeLongHeader.bind(inner);
  inner._decodeLongHeader = (content) => {
    if ((inner._header?.type as string) === 'pax-global-header' || content.length > HEADER_LIMIT) {
      throw refused(`it holds a global header, or one of more than ${HEADER_LIMIT / 1024} KiB`);
    }
    decode(content);
  };
  return members;
}

/**
 * Not `pipeline`, which destroys a request when what comes after it fails, and with it the connection on which the sender is to be
 * told why.
 * @returns what has to be called at the end: the rest of the request is read and dropped
 */
function feed(body: Readable, to: Transform): () => void {
  const cut = (): void => void (body.readableEnded || to.destroy(new Error('the upload was broken off')));
  if (body.destroyed) {
    // Broken off before anybody listened.
    cut();
  }
  body.on('error', cut).on('close', cut).pipe(to);
  return () => {
    body.off('close', cut).unpipe(to).resume();
  };
}

function limited(bytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > bytes ? tooLarge() : null, chunk);
    },
  });
}

function tooLarge(): HttpProblem {
  return new HttpProblem(
    'too-large',
    `A backup can contain at most ${BACKUP_LIMIT / 1024 / 1024} MiB in ${BACKUP_MEMBERS_LIMIT} files; this one contains more.`
  );
}

export function refused(what: string, cause?: unknown): HttpProblem {
  const detail = `This is not a backup that can be restored: ${what}.`;
  const allowed = 'a backup that was downloaded from here';
  return problemAt('invalid', { pointer: '#', found: what, allowed, detail }, cause);
}

/** Translates errors of zlib, tar-stream and the file system. */
function readableError(error: unknown): unknown {
  if (error instanceof HttpProblem) {
    return error;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_') || code === undefined) {
    return refused(code === 'Z_BUF_ERROR' ? 'it ends too early' : `it is not a complete tarball (${message})`, error);
  }
  // The disk of the bridge, which is not the sender's fault.
  return error;
}

async function readMembers(members: AsyncIterable<Entry>, dir: string): Promise<Unpacked> {
  const staged: Staged[] = [];
  const tree: Tree = new Map();
  let index: BackupIndex | undefined;
  let stored = new Map<string, number>();
  let count = 0;
  let bytes = 0;
  for await (const member of members) {
    if (index === undefined) {
      index = await readIndex(member);
      stored = storedEntries(index);
      continue;
    }
    const content = path.join(dir, String(count));
    const one = check(member.header, stored, tree, content);
    count += 1;
    bytes += member.header.size;
    if (count > BACKUP_MEMBERS_LIMIT || bytes > BACKUP_LIMIT) {
      throw tooLarge();
    }
    if (one?.type === 'file') {
      await pipeline(member, createWriteStream(content, { flags: 'wx', mode: 0o600 }));
    } else {
      member.resume();
    }
    staged.push(...(one ? [one] : []));
  }
  if (index === undefined) {
    throw refused('it is empty');
  }
  const held = new Set(staged.map(({ entry }) => entry));
  const absent = [...stored.values()].find((number) => !held.has(number));
  if (absent !== undefined) {
    throw refused(`its index names ${show(index.entries[absent]?.name)}, which it does not hold`);
  }
  return { index, staged };
}

/** Entries of the tarball by path; also folders that only occur as parents. */
type Tree = Map<string, { type: 'file' | 'directory'; named: boolean }>;

async function readIndex(member: Entry): Promise<BackupIndex> {
  const { name, type, size } = member.header;
  if (name !== BACKUP_INDEX || type !== 'file' || size > INDEX_LIMIT) {
    throw refused(`it begins with ${show(name)} instead of ${BACKUP_INDEX}`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of member) {
    chunks.push(chunk as Uint8Array);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return backupIndexSchema.parse(JSON.parse(text));
  } catch (error) {
    throw refused(`its index cannot be read`, error);
  }
}

/** The entries that are in it, by the name that they have as a file. */
function storedEntries({ entries }: BackupIndex): Map<string, number> {
  const stored = new Map<string, number>();
  for (const [number, { name, state }] of entries.entries()) {
    if (state === 'stored') {
      if (stored.has(encodeName(name))) {
        throw refused(`its index names ${show(name)} twice`);
      }
      stored.set(encodeName(name), number);
    }
  }
  return stored;
}

/** @returns undefined for the folder of the entries itself */
function check(header: Header, stored: ReadonlyMap<string, number>, tree: Tree, content: string): Staged | undefined {
  const { name, type, mode, mtime } = header;
  const { uid, gid } = ownerOf(header);
  if (type !== 'file' && type !== 'directory') {
    throw refused(
      `${show(name)} is a ${(type as string | null) ?? 'member of an unknown kind'}; only files and folders are taken`
    );
  }
  if (![uid, gid].every((id) => Number.isInteger(id) && id >= 0 && id < 2 ** 32 - 1) || Number.isNaN(mtime.getTime())) {
    throw refused(`${show(name)} has an owner or a time that is none`);
  }
  const segments = segmentsOf(name) ?? [];
  const [top, entry, ...below] = segments;
  if (top !== BACKUP_ENTRIES) {
    throw refused(`it holds ${show(name)}, which is not a place in a backup`);
  }
  plant(tree, segments, type, name);
  if (entry === undefined) {
    return undefined;
  }
  const number = stored.get(entry);
  if (number === undefined) {
    throw refused(`it holds ${show(name)}, which its index does not name`);
  }
  return { entry: number, below, type, content, mode: mode & 0o777, mtime, uid, gid };
}

/** @throws HttpProblem when there is something else in the place already, or in the place of a folder that it is in */
function plant(tree: Tree, segments: readonly string[], type: 'file' | 'directory', name: string): void {
  for (let depth = 1; depth < segments.length; depth += 1) {
    const folder = segments.slice(0, depth).join('/');
    const known = tree.get(folder);
    if (known?.type === 'file') {
      throw refused(`it holds ${show(name)} below a file`);
    }
    tree.set(folder, known ?? { type: 'directory', named: false });
  }
  const whole = segments.join('/');
  const known = tree.get(whole);
  if (known && (known.named || type === 'file')) {
    throw refused(`it holds ${show(name)} twice`);
  }
  if (segments.length === 1 && type === 'file') {
    throw refused(`it holds a file ${show(name)} instead of a folder`);
  }
  tree.set(whole, { type, named: true });
}
