/** Collects the files of a backup. Everything is checked before the first byte is sent, so that errors can still be reported. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { BACKUP_LIMIT, BACKUP_MEMBERS_LIMIT, type BackupIndex } from '../../../contract/backup.ts';
import type { BackupEntry } from '../../../contract/package.ts';
import { show } from '../../../contract/text.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { memberName, segmentsOf } from './names.ts';
import { findPlace } from './places.ts';

export interface Member {
  /** In the tarball. */
  name: string;
  type: 'file' | 'directory';
  /** On the disk. */
  file: string;
}

export interface Gathered {
  entries: BackupIndex['entries'];
  members: Member[];
}

/**
 * @param root the folder of the package's files, without links
 * @throws HttpProblem 409 when it is more than a backup is for
 */
export async function gather(root: string, entries: readonly BackupEntry[]): Promise<Gathered> {
  const members: Member[] = [];
  const listed: BackupIndex['entries'] = [];
  let bytes = 0;
  for (const entry of entries) {
    const place = await findPlace(root, entry);
    const before = members.length;
    let leftOut = 0;
    if (place?.exists) {
      for await (const found of walk(place.real, memberName(entry.name))) {
        if (found.type === 'other') {
          leftOut += 1;
          continue;
        }
        if (segmentsOf(found.name) === undefined) {
          throw notRestorable(found.name);
        }
        members.push({ name: found.name, type: found.type, file: found.file });
        bytes += found.size;
        if (members.length >= BACKUP_MEMBERS_LIMIT || bytes > BACKUP_LIMIT) {
          throw tooMuch(entry.name);
        }
      }
    }
    const state = place === undefined ? 'outside' : members.length > before ? 'stored' : 'missing';
    listed.push({ ...entry, state, leftOut });
  }
  return { entries: listed, members };
}

function tooMuch(name: string): HttpProblem {
  return new HttpProblem(
    'conflict',
    `The files of the backup are more than ${BACKUP_LIMIT / 1024 / 1024} MiB or ${BACKUP_MEMBERS_LIMIT} files, which was reached in ${JSON.stringify(name)}. Backups are for small files; copy large ones by other means.`
  );
}

function notRestorable(name: string): HttpProblem {
  return new HttpProblem(
    'conflict',
    `The backup would contain ${show(name)}, which could not be restored: names with a back slash or a control character, and more than 62 levels of folders, are not. Rename it.`
  );
}

interface Found {
  name: string;
  type: Member['type'] | 'other';
  file: string;
  size: number;
}

/** A folder before what is in it, by name. Links are not followed. */
async function* walk(file: string, name: string): AsyncGenerator<Found> {
  const waiting: { file: string; name: string }[] = [{ file, name }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const stats = await lstat(next.file);
    const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
    yield { ...next, type, size: type === 'file' ? stats.size : 0 };
    if (type === 'directory') {
      const { file: folder, name: prefix } = next;
      const names = (await readdir(folder)).sort().reverse();
      waiting.push(...names.map((one) => ({ file: path.join(folder, one), name: `${prefix}/${one}` })));
    }
  }
}
