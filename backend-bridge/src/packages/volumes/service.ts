/** Backups of packages' files: one tarball to download, and to restore by the names of its entries. */
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { BackupIndex, BackupRestored } from '../../../contract/backup.ts';
import type { BackupEntry } from '../../../contract/package.ts';
import { isoTime, show } from '../../../contract/text.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { notRegistered } from '../registry/errors.ts';
import type { RegisteredPackage } from '../registry/types.ts';
import { gather } from './gather.ts';
import { sendBackup } from './pack.ts';
import { restoredIn } from './journal.ts';
import { findPlace } from './places.ts';
import { type Disk, type Putting, putInPlace, REAL_DISK, recover } from './putInPlace.ts';
import { refused, unpack, type Unpacked } from './unpack.ts';

/** A download that is ready to be sent. */
export interface Download {
  /** For the browser to save it under. */
  fileName: string;
  /** @throws when it is interrupted */
  send: (to: Writable) => Promise<void>;
}

export interface BackupDeps {
  find: (dnpName: string) => Promise<RegisteredPackage | undefined>;
  /** Where uploads are unpacked. */
  dataDir: string;
  now: () => number;
  log: { info: (fields: object, message: string) => void; error: (fields: object, message: string) => void };
  disk?: Disk;
}

/** Prefix of folders in the data directory. */
const UPLOAD_PREFIX = 'restore-';

type Announce = (report: BackupRestored) => Promise<void>;

interface Files {
  registered: RegisteredPackage;
  entries: BackupEntry[];
  /** The folder of the files, without links. */
  root: string;
}

export type Backups = ReturnType<typeof createBackups>;

export function createBackups(deps: BackupDeps) {
  const { dataDir, now, log, disk = REAL_DISK } = deps;
  /** Folders in which something is going on. */
  const busy = new Set<string>();

  /** One at a time in a folder: what is read must not be replaced meanwhile. */
  const alone = async <T>(root: string, work: () => Promise<T>): Promise<T> => {
    if (busy.has(root)) {
      throw new HttpProblem('conflict', 'A backup of these files is being made or restored. Try again.');
    }
    busy.add(root);
    try {
      await recover(restoredIn(root, dataDir), disk);
      return await work();
    } finally {
      busy.delete(root);
    }
  };

  const recoverOne = async (filesDir: string): Promise<void> => {
    const root = await realpath(filesDir).catch(() => undefined);
    await (root && alone(root, () => Promise.resolve()));
  };

  return {
    /** @throws HttpProblem 404 when the package has no backup, 409 when nothing can be read at present */
    async download(dnpName: string): Promise<Download> {
      const files = await filesOf(dnpName, deps);
      const { entries, members } = await alone(files.root, () => gather(files.root, files.entries));
      if (members.length === 0) {
        throw new HttpProblem('conflict', `None of the files of the backup of ${dnpName} exists in ${files.root}.`);
      }
      const index = indexOf(files.registered, entries, now());
      return {
        fileName: fileNameOf(index),
        send: (to) => alone(files.root, () => sendBackup(index, members, to)),
      };
    },
    /**
     * Restores all entries that the backup and the package have, or none.
     * @param announce called before anything is changed; if it rejects, nothing is
     * @throws HttpProblem 400 and 413 for a tarball that is refused, else as `download`; nothing is changed then
     */
    async restore(dnpName: string, tarball: Readable, announce: Announce): Promise<BackupRestored> {
      const files = await filesOf(dnpName, deps);
      const dir = await mkdtemp(path.join(dataDir, UPLOAD_PREFIX));
      try {
        const unpacked = await unpack(tarball, dir);
        const report = await alone(files.root, async () => {
          const matched = await match(files, unpacked);
          await announce(matched.report);
          await putInPlace(restoredIn(files.root, dataDir), unpacked.staged, matched.puttings, disk);
          return matched.report;
        });
        log.info({ dnpName, restored: report.restored.map(({ name }) => name) }, 'backup restored');
        return report;
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    },
    /** At the start: puts back what a restore has left that was killed half-way, and throws its upload away. */
    async recover(filesDirs: readonly string[]): Promise<void> {
      const uploads = (await readdir(dataDir)).filter((name) => name.startsWith(UPLOAD_PREFIX));
      await Promise.all(uploads.map((name) => rm(path.join(dataDir, name), { recursive: true, force: true })));
      for (const filesDir of filesDirs) {
        await recoverOne(filesDir).catch((error: unknown) =>
          log.error({ err: error, filesDir }, 'could not roll back an interrupted restore')
        );
      }
    },
  };
}

function indexOf({ dnpName, version }: RegisteredPackage, entries: BackupIndex['entries'], now: number): BackupIndex {
  const createdAt = isoTime(now);
  return { format: 'nodebell-backup', formatVersion: 1, dnpName, version, createdAt, entries };
}

/** Letters, digits and a few signs alone: it stands in a header. */
function fileNameOf({ dnpName, version, createdAt }: BackupIndex): string {
  const name = `${dnpName}-${version}`.replace(/[^\w.-]/g, '_');
  return `${name}-${createdAt.slice(0, 10)}.backup.tar.gz`;
}

async function filesOf(dnpName: string, { find }: BackupDeps): Promise<Files> {
  const registered = await find(dnpName);
  if (registered === undefined) {
    throw notRegistered(dnpName);
  }
  const entries = registered.validated.facts?.facts.backup ?? [];
  if (entries.length === 0) {
    throw new HttpProblem('not-found', `The manifest of ${dnpName} names no files for a backup.`);
  }
  if (registered.filesDir === undefined) {
    throw new HttpProblem(
      'not-found',
      `The bridge does not know where the files of ${dnpName} are. Name their folder ("files") where the package is provisioned.`
    );
  }
  try {
    return { registered, entries, root: await realpath(registered.filesDir) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new HttpProblem('conflict', `The folder of the files of ${dnpName} cannot be read (${code}).`, {
      cause: error,
    });
  }
}

/** Old entries to new paths, by name (specification, "backup"). */
async function match(
  { registered, entries, root }: Files,
  { index }: Unpacked
): Promise<{ report: BackupRestored; puttings: Putting[] }> {
  if (index.dnpName !== registered.dnpName) {
    throw refused(`it is one of ${show(index.dnpName)}, not of ${registered.dnpName}`);
  }
  const stored = new Map(
    index.entries.flatMap((entry, number) =>
      entry.state === 'stored' ? [[entry.name, { entry, number }] as const] : []
    )
  );
  const restored: BackupRestored['restored'] = [];
  const puttings: Putting[] = [];
  for (const entry of entries) {
    const old = stored.get(entry.name);
    if (old === undefined) {
      continue;
    }
    const place = await findPlace(root, entry);
    if (place === undefined) {
      const where = `${entry.service ?? ''} ${entry.path}`.trim();
      throw new HttpProblem(
        'conflict',
        `${show(entry.name)} would be put at ${where}, which leads out of the folder of the package's files.`
      );
    }
    puttings.push({ entry: old.number, target: place.real });
    restored.push({ ...entry, from: old.entry.path });
  }
  if (puttings.length === 0) {
    throw refused('none of its entries is one of the package');
  }
  const names = new Set(entries.map(({ name }) => name));
  const { version: backupVersion, createdAt, dnpName } = index;
  const unknown = [...stored.keys()].filter((name) => !names.has(name));
  const missing = [...names].filter((name) => !stored.has(name));
  return { report: { dnpName, backupVersion, createdAt, restored, unknown, missing }, puttings };
}
