/** Backups of a package's files: one tarball of the entries that its manifest lists; see docs/packages.md. */
import { LIMITS } from './limits.ts';
import { z } from 'zod';
import { component, integer, list, objects, oneOf, string, time } from './schema.ts';

/** The first member of the tarball: what is in it. */
export const BACKUP_INDEX = 'nodebell-backup.json';
/** The folder in the tarball that holds the entries, each under its name. */
export const BACKUP_ENTRIES = 'entries';
/** Limit of all files of a backup together, in bytes. Backups are for small files: configuration, keys, passwords. */
export const BACKUP_LIMIT = LIMITS.backupBytes.value;
/** Limit of the tarball in bytes, packed and unpacked: the files and tar's headers. */
export const BACKUP_TARBALL_LIMIT = 128 * 1024 * 1024;
/** Files and folders in one tarball. */
export const BACKUP_MEMBERS_LIMIT = LIMITS.backupFiles.value;

/** `stored`: it is in the tarball; `missing`: there was nothing at its path; `outside`: its path led out of the folder. */
export const BACKUP_STATES = ['stored', 'missing', 'outside'] as const;

export const backupIndexSchema = component('BackupIndex', 'The index of a backup.', {
  format: z.literal('nodebell-backup').describe('Identifies the file as a backup.'),
  formatVersion: z.literal(1).describe('Version of the format.'),
  dnpName: string('The package.'),
  version: string('The version of the package when the backup was made.'),
  createdAt: time('Time of the backup.'),
  entries: objects('The entries of the manifest.', {
    name: string('Identifies the entry if its path changes.'),
    path: string('Its path.'),
    service: string('The service that contains it.').optional(),
    state: oneOf('Whether the tarball contains it.', BACKUP_STATES),
    leftOut: integer('Links, sockets and devices in it, which are not stored.'),
  }),
});
export type BackupIndex = z.infer<typeof backupIndexSchema>;

const restoredEntry = z.object({
  name: string('Its name.'),
  path: string('Its current path.'),
  service: string('The service that contains it.').optional(),
  from: string('Its path at the time of the backup.'),
});

export const backupRestoredSchema = component('BackupRestored', 'The result of a restore.', {
  dnpName: string('The package.'),
  backupVersion: string('The version of the package when the backup was made.'),
  createdAt: time('Time of the backup.'),
  restored: list('The restored entries.', restoredEntry),
  unknown: list('Entries of the backup that the package no longer defines; not restored.', z.string()),
  missing: list('Entries of the package that the backup does not contain; unchanged.', z.string()),
});
export type BackupRestored = z.infer<typeof backupRestoredSchema>;
