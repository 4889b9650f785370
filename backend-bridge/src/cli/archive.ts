/** `nodebell archive import`: stores archived notifications again. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { RETENTION } from '../../contract/api/retention.ts';
import { type Archived, type ArchiveImported, archivedSchema } from '../../contract/archive.ts';
import { LIMITS } from '../../contract/limits.ts';
import { toProblemErrors } from '../../contract/problem.ts';
import { type Cli, adminGroup } from './shared/command.ts';
import { adminCall } from './shared/client.ts';
import { ADMIN_TOKEN_HELP, type ConnectionFlags } from './shared/connection.ts';
import { CliError, type CliIo, EXIT, type ExitCode, parsedJson, printable, unreadable } from './shared/io.ts';

interface ImportFlags extends ConnectionFlags {
  json?: boolean;
}

const HELP = `
The files are those in the folder archive of the bridge's data directory, compressed or not. Notifications get their ids, times and
threads back, as read ones. Those that are stored already are left alone, so that an import can be repeated. Retention pauses for
${LIMITS.importPauseDays.value} days, since it would remove them again. Exit code 1: some could not be read, or belong to another database.

${ADMIN_TOKEN_HELP}
`;

/** Bytes of one request, as JSON: below what the bridge accepts. */
const REQUEST_BYTES = LIMITS.archiveBodyBytes.value / 2;
const SHOWN = 20;

export function addArchive(cli: Cli): void {
  const command = adminGroup(cli, 'archive', 'Import archives of removed notifications.', '');
  command('import <file...>', 'Store the notifications of archive files again.', HELP).action(
    async (files: string[], flags: ImportFlags) => cli.end(await importFiles(files, flags, cli.io))
  );
}

interface Total extends ArchiveImported {
  /** Lines that could not be read. */
  unreadable: number;
}

async function importFiles(files: readonly string[], flags: ImportFlags, io: CliIo): Promise<ExitCode> {
  const total: Total = { imported: 0, present: 0, conflicts: [], unreadable: 0, pausedUntil: '' };
  try {
    await importInto(total, files, flags, io);
  } catch (error) {
    if (total.pausedUntil === '' || !(error instanceof CliError)) {
      throw error;
    }
    report(total, flags, io);
    throw error.exitCode === EXIT.usage ? new CliError(EXIT.refused, error.message) : error;
  }
  report(total, flags, io);
  return total.conflicts.length + total.unreadable > 0 ? EXIT.refused : EXIT.ok;
}

/** Adds to `total` what each request has imported. */
async function importInto(total: Total, files: readonly string[], flags: ImportFlags, io: CliIo): Promise<void> {
  // Newer ones first: a trigger is known to be resolved only then.
  for (const file of [...new Set(files)].sort().toReversed()) {
    const { notifications, unreadable } = readArchive(file, io);
    total.unreadable += unreadable;
    for (const some of requestsOf(notifications.sort((a, b) => b.id - a.id))) {
      const { imported, present, conflicts, pausedUntil } = await adminCall(
        RETENTION.importArchive,
        { body: { notifications: some } },
        flags,
        io
      );
      total.imported += imported;
      total.present += present;
      total.conflicts.push(...conflicts);
      total.pausedUntil = pausedUntil;
    }
  }
}

/** @throws CliError if the file cannot be read at all */
function readArchive(file: string, io: CliIo): { notifications: Archived[]; unreadable: number } {
  const { text, cut } = textOf(file);
  const notifications: Archived[] = [];
  let unreadable = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const value = parsedJson(line);
    const read = line === '' ? undefined : archivedSchema.safeParse(value);
    if (read?.success) {
      notifications.push(read.data);
    } else if (read) {
      unreadable += 1;
      if (unreadable <= SHOWN) {
        const { detail = '' } = toProblemErrors(read.error, value)[0] ?? {};
        io.err(`nodebell: ${printable(file)}:${index + 1}: not a notification: ${printable(detail)}\n`);
      }
    }
  }
  if (cut) {
    io.err(
      `nodebell: ${printable(file)} ends early, as after a crash. Its ${notifications.length} complete notifications are imported.\n`
    );
  }
  return { notifications, unreadable };
}

/** Bytes of one file. The bridge writes at most LIMITS.archiveFileBytes; users may have joined some. */
export const MAX_UNPACKED = 32 * LIMITS.archiveFileBytes.value;

/** @throws an error with the code ERR_BUFFER_TOO_LARGE beyond the limit */
const unpacked = (bytes: Buffer): string => gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED }).toString();

/** Without the incomplete end that a crash leaves: its notifications were not removed. */
function textOf(file: string): { text: string; cut: boolean } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw unreadable(printable(file), error);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return { text: bytes.toString(), cut: false };
  }
  try {
    return { text: unpacked(bytes), cut: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new CliError(
        EXIT.refused,
        `${printable(file)} unpacks to more than ${MAX_UNPACKED / 2 ** 20} MiB, and the bridge writes at most ${LIMITS.archiveFileBytes.value / 2 ** 20} MiB into a file. Split it.`
      );
    }
    const text = completeMembers(bytes);
    if (text === '') {
      throw new CliError(EXIT.refused, `${printable(file)} is damaged: nothing in it can be read.`);
    }
    return { text, cut: true };
  }
}

/** Each write is a member of the gzip file (RFC 1952): all up to the first that is damaged. */
function completeMembers(bytes: Buffer): string {
  const starts = [...members(bytes), bytes.length];
  for (let last = starts.length - 2; last > 0; last -= 1) {
    try {
      return unpacked(bytes.subarray(0, starts[last]));
    } catch {
      // A member before it is damaged, or this was not the start of one.
    }
  }
  return '';
}

/** Where members may start: the header that Node writes. */
function* members(bytes: Buffer): Generator<number> {
  const header = bytes.subarray(0, 10);
  for (let at = bytes.indexOf(header); at >= 0; at = bytes.indexOf(header, at + 1)) {
    yield at;
  }
}

/** Lists that fit into a request. */
function* requestsOf(notifications: readonly Archived[]): Generator<Archived[]> {
  let some: Archived[] = [];
  let bytes = 0;
  for (const one of notifications) {
    const size = Buffer.byteLength(JSON.stringify(one));
    if (some.length > 0 && (some.length === LIMITS.archivedRows.value || bytes + size > REQUEST_BYTES)) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(one);
    bytes += size;
  }
  if (some.length > 0) {
    yield some;
  }
}

function report(total: Total, { json }: ImportFlags, io: CliIo): void {
  if (json) {
    io.out(`${JSON.stringify(total)}\n`);
    return;
  }
  const { imported, present, conflicts, pausedUntil } = total;
  io.out(`imported ${imported}, already stored ${present}\n`);
  if (conflicts.length > 0) {
    const shown = conflicts.slice(0, SHOWN).join(', ');
    io.err(
      `nodebell: ${conflicts.length} not imported: in this database, other notifications have their ids (${shown}${conflicts.length > SHOWN ? ', …' : ''}).\n`
    );
  }
  if (pausedUntil !== '') {
    io.err(`Retention is paused until ${pausedUntil}.\n`);
  }
}
