/** `nodebell backup`, `restore` and `migrate`: they open the stores themselves. */
import { mkdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { isoTime } from '../../../contract/text.ts';
import { restartEvents } from '../../platform/storage/events.ts';
import { failureReason } from '../../platform/storage/storeError.ts';
import { backupName, keepNewest, verifyBackup, writeBackup } from '../../platform/backup/file.ts';
import { TransferError } from '../../platform/backup/errors.ts';
import type { OnRows } from '../../platform/backup/fill.ts';
import type { Trailer } from '../../platform/backup/format.ts';
import { migrateStore } from '../../platform/backup/migrate.ts';
import type { Place } from '../../platform/backup/place.ts';
import { recordBackup } from '../../platform/backup/record.ts';
import { revokeAllActions } from '../../delivery/actions/epochs.ts';
import { abandonWaiting } from '../../delivery/channels/writes.ts';
import { type Loss, restoreBackup, type RestorePlan } from '../../platform/backup/restore.ts';
import { CliError, type CliIo, EXIT, type ExitCode, table } from '../shared/io.ts';
import { configuredStore, namedStore } from './stores.ts';

export interface BackupFlags {
  to: string;
  keep?: number;
  dataDir?: string;
  json?: boolean;
}

export interface RestoreFlags {
  check?: boolean;
  into?: string;
  dataDir?: string;
  yes?: boolean;
}

export interface MigrateFlags {
  from?: string;
  fromFile?: string;
  to?: string;
  toFile?: string;
}

export function backup(flags: BackupFlags, io: CliIo): Promise<ExitCode> {
  return reported(async () => {
    const place = configuredStore(flags, io);
    const createdAt = isoTime(Date.now());
    const folder = await folderOf(flags.to);
    if (folder === undefined && flags.keep !== undefined) {
      throw new CliError(EXIT.usage, '--keep needs a folder as --to.');
    }
    const file = folder === undefined ? path.resolve(flags.to) : path.resolve(folder, backupName(createdAt));
    const written = await place.snapshot((snapshot) => writeBackup(file, snapshot, { bridge: io.version, createdAt }));
    const { trailer, bytes } = written;
    const { notifications, rows } = countsOf(trailer);
    const recorded = await recordBackup(place, { at: createdAt, file, bytes, notifications });
    const { removed, failure } = await keptIn(folder, flags.keep);
    if (flags.json) {
      io.out(`${JSON.stringify({ file, createdAt, bytes, notifications, rows, removed, tables: trailer.tables })}\n`);
    } else {
      io.err(`${notificationsText(notifications)}, ${whole(rows)} rows, ${sizeText(bytes)} from ${place.label}.\n`);
      io.err(removed.map((name) => `Removed ${name}.\n`).join(''));
      io.out(`${file}\n`);
    }
    if (!recorded) {
      io.err(
        'The backup is complete, but could not be recorded in the store: the configuration page will not show it.\n'
      );
    }
    if (failure) {
      throw new CliError(EXIT.refused, `the backup is complete, but old ones could not be removed: ${failure.message}`);
    }
  });
}

async function keptIn(
  folder: string | undefined,
  count: number | undefined
): Promise<{ removed: string[]; failure?: Error }> {
  try {
    return { removed: folder === undefined || count === undefined ? [] : await keepNewest(folder, count) };
  } catch (error) {
    return { removed: [], failure: error as Error };
  }
}

export function restore(file: string, flags: RestoreFlags, io: CliIo): Promise<ExitCode> {
  return reported(async () => {
    if (flags.check) {
      const { header, trailer, bytes } = await verifyBackup(file);
      io.out(`${backupText({ header, trailer })}, ${sizeText(bytes)}. It is whole.\n`);
      return;
    }
    const place = flags.into === undefined ? configuredStore(flags, io) : namedStore(flags.into, io);
    const approve = async (plan: RestorePlan): Promise<boolean> => {
      io.err(`${backupText(plan)}. It is whole.\n${lossText(place, plan)}\n`);
      if (flags.yes || plan.loss.store === 'none') {
        return true;
      }
      if (!io.confirm) {
        throw new CliError(EXIT.usage, 'nothing was changed: add --yes to replace the store.');
      }
      return io.confirm('Replace the store?');
    };
    const { restored, kept } = await restoreBackup(place, file, {
      approve,
      onRows: progress(io),
      user: userName(),
      async conclude(trx, now) {
        await abandonWaiting(trx, now);
        await revokeAllActions(trx);
        await restartEvents(trx, now);
      },
    });
    if (!restored) {
      throw new CliError(EXIT.refused, 'nothing was changed.');
    }
    io.out(`Restored ${place.label}.\n`);
    if (kept !== undefined) {
      io.err(`The old store is ${kept}. Remove it when you no longer need it.\n`);
    }
  });
}

export function migrate(flags: MigrateFlags, io: CliIo): Promise<ExitCode> {
  return reported(async () => {
    const from = namedStore(flags.from, io, flags.fromFile, '--from');
    const to = namedStore(flags.to, io, flags.toFile, '--to');
    const { trailer } = await migrateStore(from, to, { bridge: io.version, onRows: progress(io) });
    const rows = Object.entries(trailer.tables).map(([name, { rows: count, sum }]) => [
      name,
      whole(count),
      sum.slice(0, 16),
    ]);
    io.out(table([['TABLE', 'ROWS', 'CHECKSUM'], ...rows]));
    io.err(`All tables are equal in ${from.label} and ${to.label}. The source is unchanged.\n`);
  });
}

async function reported(work: () => Promise<void>): Promise<ExitCode> {
  try {
    await work();
    return EXIT.ok;
  } catch (error) {
    if (error instanceof TransferError) {
      throw new CliError(error.failure === 'in_use' ? EXIT.unreachable : EXIT.refused, error.message);
    }
    const { code, message } = error as Error & { code?: unknown };
    const reason = failureReason(code);
    throw reason ? new CliError(EXIT.refused, `the store failed (${reason}): ${message}. Nothing was changed.`) : error;
  }
}

/** The folder that is meant, which is made; undefined: a file is. */
async function folderOf(to: string): Promise<string | undefined> {
  if (/[/\\]$/.test(to)) {
    await mkdir(to, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw new TransferError('refused', `${to} cannot be made (${error.code ?? error.message}).`, error);
    });
  }
  return (await stat(to).catch(() => undefined))?.isDirectory() ? to : undefined;
}

/** A user of the system; one without a name, as in the image, is unknown. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

const PROGRESS_ROWS = 100_000;

/** Each table when it begins, and then now and again. */
function progress(io: CliIo): OnRows {
  let next = { table: '', rows: 0 };
  return (name, rows) => {
    if (name !== next.table || rows >= next.rows) {
      io.err(`${name}: ${whole(rows)} rows\n`);
      next = { table: name, rows: rows + PROGRESS_ROWS };
    }
  };
}

const whole = (count: number): string => count.toLocaleString('en-US');
const notificationsText = (count: number): string => (count === 1 ? '1 notification' : `${whole(count)} notifications`);
const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${whole(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

function countsOf({ tables }: Trailer): { notifications: number; rows: number } {
  const rows = Object.values(tables).reduce((sum, one) => sum + one.rows, 0);
  return { notifications: tables.notifications?.rows ?? 0, rows };
}

function backupText({ header, trailer }: Omit<RestorePlan, 'loss'>): string {
  const { notifications, rows } = countsOf(trailer);
  return `Backup of ${header.createdAt}, version ${header.bridge}, ${header.engine}: ${notificationsText(notifications)}, ${whole(rows)} rows`;
}

/** Data that a restore loses, for the person who confirms it. */
function lossText({ label }: Place, { header, loss }: { header: RestorePlan['header']; loss: Loss }): string {
  if (loss.store === 'none') {
    return `${label} does not exist yet.`;
  }
  if (loss.store === 'unreadable') {
    return `${label} cannot be read, so it is unknown what it contains beyond the backup.`;
  }
  const { notifications, later, from, to } = loss;
  const lost =
    later === 0
      ? `It has no notification that came after this backup.`
      : `${later === 1 ? '1 of them came' : `${whole(later)} of them came`} after this backup (from ${from} to ${to}) and will be lost.`;
  return `${label} has ${notificationsText(notifications)}. ${lost}\nOther changes since ${header.createdAt} are undone: read states, deletions, settings, packages, tokens.`;
}
