/** Backups of a package's files: one tarball of the entries that its manifest lists; see docs/packages.md. */
import { LIMITS } from './limits.ts';
import { z } from 'zod';

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

export const backupIndexSchema = z
  .object({
    format: z.literal('nodebell-backup').describe('Identifies the file as a backup.'),
    formatVersion: z.literal(1).describe('Version of the format.'),
    dnpName: z.string().describe('The package.'),
    version: z.string().describe('The version of the package when the backup was made.'),
    createdAt: z.iso.datetime().describe('Time of the backup.'),
    entries: z
      .array(
        z.object({
          name: z.string().describe('Identifies the entry if its path changes.'),
          path: z.string().describe('Its path.'),
          service: z.string().optional().describe('The service that contains it.'),
          state: z.enum(BACKUP_STATES).describe('Whether the tarball contains it.'),
          leftOut: z.int().describe('Links, sockets and devices in it, which are not stored.'),
        })
      )
      .describe('The entries of the manifest.'),
  })
  .meta({ id: 'BackupIndex', description: 'The index of a backup.' });
export type BackupIndex = z.infer<typeof backupIndexSchema>;

const restoredEntry = z.object({
  name: z.string().describe('Its name.'),
  path: z.string().describe('Its current path.'),
  service: z.string().optional().describe('The service that contains it.'),
  from: z.string().describe('Its path at the time of the backup.'),
});

export const backupRestoredSchema = z
  .object({
    dnpName: z.string().describe('The package.'),
    backupVersion: z.string().describe('The version of the package when the backup was made.'),
    createdAt: z.iso.datetime().describe('Time of the backup.'),
    restored: z.array(restoredEntry).describe('The restored entries.'),
    unknown: z.array(z.string()).describe('Entries of the backup that the package no longer defines; not restored.'),
    missing: z.array(z.string()).describe('Entries of the package that the backup does not contain; unchanged.'),
  })
  .meta({ id: 'BackupRestored', description: 'The result of a restore.' });
export type BackupRestored = z.infer<typeof backupRestoredSchema>;
