/** Backups of a package's files: one tarball of the entries that its manifest lists; see docs/back-up.md. */
import { LIMITS } from './limits.ts';
import { z } from 'zod';

/** The first member of the tarball: what is in it. */
export const BACKUP_INDEX = 'nodebell-backup.json';
/** The folder in the tarball that holds the entries, each under its name. */
export const BACKUP_ENTRIES = 'entries';
/** Of the files in it together. Bytes. Backups are for small files: configuration, keys, passwords. */
export const BACKUP_LIMIT = LIMITS.backupBytes.value;
/** Of the tarball, packed and unpacked: the files with what tar adds to each. Bytes. */
export const BACKUP_TARBALL_LIMIT = 128 * 1024 * 1024;
/** Files and folders in one tarball. */
export const BACKUP_MEMBERS_LIMIT = LIMITS.backupFiles.value;

/** `stored`: it is in the tarball; `missing`: there was nothing at its path; `outside`: its path led out of the folder. */
export const BACKUP_STATES = ['stored', 'missing', 'outside'] as const;

export const backupIndexSchema = z
  .object({
    format: z.literal('nodebell-backup').describe('What this file is.'),
    formatVersion: z.literal(1).describe('Which form it has.'),
    dnpName: z.string().describe('Whose files they are.'),
    version: z.string().describe('The version of the package when the backup was made.'),
    createdAt: z.iso.datetime().describe('When it was made.'),
    entries: z
      .array(
        z.object({
          name: z.string().describe('By which it is found again when its path has changed.'),
          path: z.string().describe('Where it was.'),
          service: z.string().optional().describe('In which service.'),
          state: z.enum(BACKUP_STATES).describe('Whether it is in the tarball.'),
          leftOut: z.int().describe('Links, sockets and devices in it, which are not stored.'),
        })
      )
      .describe('The entries of the manifest.'),
  })
  .meta({ id: 'BackupIndex', description: 'The index of a backup.' });
export type BackupIndex = z.infer<typeof backupIndexSchema>;

const restoredEntry = z.object({
  name: z.string().describe('Its name.'),
  path: z.string().describe('Where it is now.'),
  service: z.string().optional().describe('In which service.'),
  from: z.string().describe('Where it was when the backup was made.'),
});

export const backupRestoredSchema = z
  .object({
    dnpName: z.string().describe('Whose files were restored.'),
    backupVersion: z.string().describe('The version of the package when the backup was made.'),
    createdAt: z.iso.datetime().describe('When the backup was made.'),
    restored: z.array(restoredEntry).describe('What was put in place.'),
    unknown: z.array(z.string()).describe('Names in the backup that the package no longer has; left alone.'),
    missing: z.array(z.string()).describe('Names of the package that are not in the backup; left as they were.'),
  })
  .meta({ id: 'BackupRestored', description: 'What a restore did.' });
export type BackupRestored = z.infer<typeof backupRestoredSchema>;
