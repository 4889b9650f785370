/** Flags and help of `nodebell backup`, `restore` and `migrate`; run.ts is loaded on demand. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../shared/command.ts';
import type { BackupFlags, MigrateFlags, RestoreFlags } from './run.ts';

const STORE = `The store is that of the bridge: nodebell.db in --data-dir, or else NODEBELL_DATABASE_URL, or else nodebell.db in NODEBELL_DATA_DIR
or ./data. Run the command as the user of the bridge, with its environment.`;

const CODES = `
Exit codes:
  0  done
  1  rejected: the backup is damaged, or the stores do not allow it; nothing was changed
  2  the command is invalid
  3  the store is in use: stop the bridge and try again`;

const BACKUP_HELP = `
${STORE}

The bridge may run. The backup is one file, readable for its owner only; it appears when it is complete. It contains everything
in the database, but neither the admin token nor files of packages.
${CODES}

Examples:
  $ nodebell backup --to /backups/ --keep 14
  $ nodebell restore --check /backups/nodebell-20261122T020000Z.jsonl.zst
`;

const RESTORE_HELP = `
${STORE} --into selects another one: a data folder, or
'$NAME' for the environment variable with the URL of a PostgreSQL database.

The whole backup is verified first. No bridge may use the store. It is replaced as a whole or not at all; SQLite's old file is kept
beside it.
${CODES}

Examples:
  $ nodebell restore --check backup.jsonl.zst
  $ nodebell restore backup.jsonl.zst
`;

const MIGRATE_HELP = `
A store is a data folder, its nodebell.db, a PostgreSQL URL without a password, or '$NAME' for the environment variable with a URL.
--from-file and --to-file read it from a file.

No bridge may use either store. The source is not changed. The target must be empty; it is filled as a whole or not at all, so an
interrupted migration is started again. Counts and checksums of all tables are compared.
${CODES}

Examples:
  $ nodebell migrate --from /var/lib/nodebell --to '$NODEBELL_DATABASE_URL'
  $ nodebell migrate --from-file /etc/nodebell/database-url --to ./data
`;

export function addTransfer({ program, io, end }: Cli): void {
  const command = (name: string, description: string, help: string): Command =>
    program.command(name).description(description).addHelpText('after', help);

  command('backup', 'Back up the store to a file.', BACKUP_HELP)
    .option('--to <file>', 'file, or folder for a file named by the time', '.')
    .option('--keep <count>', 'with a folder: keep only so many of the newest backups in it', readCount)
    .option('--data-dir <folder>', "the bridge's data directory")
    .option('--json', 'print JSON')
    .action(async (flags: BackupFlags) => end(await (await import('./run.ts')).backup(flags, io)));

  command('restore', 'Replace the store by a backup.', RESTORE_HELP)
    .argument('<file>', 'the backup')
    .option('--check', 'only verify the backup')
    .option('--into <store>', 'another store')
    .option('--data-dir <folder>', "the bridge's data directory")
    .option('--yes', 'do not ask for confirmation')
    .action(async (file: string, flags: RestoreFlags) =>
      end(await (await import('./run.ts')).restore(file, flags, io))
    );

  command('migrate', 'Copy the store to another place or engine.', MIGRATE_HELP)
    .option('--from <store>', 'the source')
    .option('--from-file <file>', 'file with the source')
    .option('--to <store>', 'the target')
    .option('--to-file <file>', 'file with the target')
    .action(async (flags: MigrateFlags) => end(await (await import('./run.ts')).migrate(flags, io)));
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new InvalidArgumentError('Expected a whole number from 1 to 99999.');
  }
  return Number(text);
}
