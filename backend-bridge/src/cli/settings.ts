/** `nodebell settings export|import|history`: settings as a file, and their history. */
import { stringify } from 'yaml';
import { THRESHOLDS } from '../../contract/api/thresholds.ts';
import type { SettingChange } from '../../contract/settings.ts';
import { type Cli, adminGroup } from './shared/command.ts';
import { adminCall } from './shared/client.ts';
import { ADMIN_TOKEN_HELP, type ConnectionFlags } from './shared/connection.ts';
import { CliError, type CliIo, EXIT, printable, table, unreadable } from './shared/io.ts';

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

export function addSettings(cli: Cli): void {
  const { io } = cli;
  const what = 'Export and import settings of packages, endpoints and categories, and list changes.';
  const command = adminGroup(cli, 'settings', what, HELP);
  command('export', 'Print all settings as YAML for a later import.').action((flags: SettingsFlags) =>
    exportSettings(flags, io)
  );
  command(
    'import <file>',
    'Import settings from a file (- for standard input). Values out of range are left out and listed.'
  )
    .option('--dry-run', 'only print what would change')
    .action((file: string, flags: SettingsFlags) => importSettings(file, flags, io));
  command('history', 'List changes of settings, newest first.')
    .option('--package <name>', 'only for this package')
    .option('--limit <count>', 'upper limit of entries, up to 1000', '50')
    .action((flags: SettingsFlags) => history(flags, io));
}

async function exportSettings(flags: SettingsFlags, io: CliIo): Promise<void> {
  const settings = await adminCall(THRESHOLDS.exportSettings, {}, flags, io);
  io.out(flags.json ? `${JSON.stringify(settings)}\n` : stringify(settings, { lineWidth: 0 }));
}

async function importSettings(file: string, flags: SettingsFlags, io: CliIo): Promise<void> {
  const settings = await readText(file, io);
  const body = { settings, dryRun: flags.dryRun ?? false };
  const response = await adminCall(THRESHOLDS.importSettings, { body }, flags, io);
  const { changed, notes, rejected } = response;
  if (flags.json) {
    io.out(`${JSON.stringify(response)}\n`);
  } else {
    notes.forEach((note) => io.err(`${printable(note)}\n`));
    rejected.forEach(({ pointer, detail }) => io.err(`${printable(`${pointer}: ${detail}`)}\n`));
    io.out(`${values(changed)} ${flags.dryRun ? 'would be set' : 'set'}.\n`);
  }
  if (rejected.length > 0) {
    throw new CliError(EXIT.refused, `${values(rejected.length)} out of range left out.`);
  }
}

const values = (count: number): string => (count === 1 ? '1 value' : `${count} values`);

async function readText(file: string, io: CliIo): Promise<string> {
  if (file === '-') {
    const text = await io.stdin?.();
    if (text === undefined) {
      throw new CliError(EXIT.usage, 'standard input is empty.');
    }
    return text;
  }
  try {
    return io.readFile(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function history(flags: SettingsFlags, io: CliIo): Promise<void> {
  const query = { limit: flags.limit ?? '50', dnpName: flags.package };
  const changes = await adminCall(THRESHOLDS.settingHistory, { query }, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(changes)}\n`);
    return;
  }
  io.out(
    changes.length === 0 ? 'No changes yet.\n' : table([['WHEN', 'WHO', 'WHAT', 'FROM', 'TO'], ...changes.map(row)])
  );
}

function row({ at, by, file, category, dnpName, correlationId, member, from, to }: SettingChange): string[] {
  const what = category === undefined ? [dnpName, correlationId, member] : ['category', category];
  const setting = what.flatMap((part) => (part === undefined ? [] : [printable(part)]));
  return [at, printable(by ?? file ?? '-'), setting.join(' '), valueText(from), valueText(to)];
}

function valueText(value: SettingChange['from']): string {
  return value === null ? '-' : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
