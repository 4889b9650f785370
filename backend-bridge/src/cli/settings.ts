/** `nodebell settings export|import|history`: what admins have set, as a file, and who set what. */
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { z } from 'zod';
import {
  importedSchema,
  type SettingChange,
  settingChangeSchema,
  settingsDocumentSchema,
} from '../../contract/settings.ts';
import { adminRequest } from './client.ts';
import { ADMIN_TOKEN_HELP, type ConnectionFlags } from './connection.ts';
import { CliError, type CliIo, EXIT, printable, table } from './io.ts';

interface SettingsFlags extends ConnectionFlags {
  json?: boolean;
  dryRun?: boolean;
  package?: string;
  limit?: string;
}

const HELP = `
${ADMIN_TOKEN_HELP}

Examples:
  $ nodebell settings export > settings.yaml
  $ nodebell settings import --dry-run settings.yaml
`;

export function addSettings(program: Command, io: CliIo, connectionOptions: (command: Command) => Command): void {
  const group = program
    .command('settings')
    .description('Take out and in what is set for packages, endpoints and categories, and see who set it.')
    .addHelpText('after', HELP);
  const command = (name: string, description: string): Command =>
    connectionOptions(
      group
        .command(name)
        .description(description)
        .option('--data-dir <folder>', "the bridge's data directory, which holds the admin token")
        .option('--json', 'print JSON')
    ).addHelpText('after', HELP);

  command('export', 'Print all that admins have set, as YAML that can be taken in again.').action(
    (flags: SettingsFlags) => take(flags, io)
  );
  command('import <file>', 'Set what a file says (- is standard input): all of it, or nothing.')
    .option('--dry-run', 'only say what would change')
    .action((file: string, flags: SettingsFlags) => put(file, flags, io));
  command('history', 'List who set what, newest first.')
    .option('--package <name>', 'only of this package')
    .option('--limit <count>', 'at most so many, up to 1000', '50')
    .action((flags: SettingsFlags) => history(flags, io));
}

async function take(flags: SettingsFlags, io: CliIo): Promise<void> {
  const settings = await adminRequest(settingsDocumentSchema, { method: 'GET', path: 'api/v1/settings' }, flags, io);
  io.out(flags.json ? `${JSON.stringify(settings)}\n` : stringify(settings, { lineWidth: 0 }));
}

async function put(file: string, flags: SettingsFlags, io: CliIo): Promise<void> {
  const settings = await readText(file, io);
  const body = { settings, dryRun: flags.dryRun ?? false };
  const answer = await adminRequest(importedSchema, { method: 'POST', path: 'api/v1/settings', body }, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(answer)}\n`);
    return;
  }
  answer.notes.forEach((note) => io.err(`${printable(note)}\n`));
  const values = answer.changed === 1 ? '1 value' : `${answer.changed} values`;
  io.out(`${values} ${flags.dryRun ? 'would be set' : 'set'}.\n`);
}

async function readText(file: string, io: CliIo): Promise<string> {
  if (file === '-') {
    const text = await io.stdin?.();
    if (text === undefined) {
      throw new CliError(EXIT.usage, 'Nothing is on standard input.');
    }
    return text;
  }
  try {
    return io.readFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(EXIT.usage, `${file} cannot be read (${code ?? message}).`);
  }
}

async function history(flags: SettingsFlags, io: CliIo): Promise<void> {
  const query = new URLSearchParams({ limit: flags.limit ?? '50' });
  if (flags.package !== undefined) {
    query.set('dnpName', flags.package);
  }
  const path = `api/v1/settings/history?${query.toString()}`;
  const changes = await adminRequest(z.array(settingChangeSchema), { method: 'GET', path }, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(changes)}\n`);
    return;
  }
  io.out(
    changes.length === 0
      ? 'Nothing was set yet.\n'
      : table([['WHEN', 'WHO', 'WHAT', 'FROM', 'TO'], ...changes.map(row)])
  );
}

function row({ at, by, file, category, dnpName, correlationId, member, from, to }: SettingChange): string[] {
  const what = category === undefined ? [dnpName, correlationId, member] : ['category', category];
  const words = what.flatMap((word) => (word === undefined ? [] : [printable(word)]));
  return [at, printable(by ?? file ?? '-'), words.join(' '), valueText(from), valueText(to)];
}

function valueText(value: SettingChange['from']): string {
  return value === null ? '-' : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
