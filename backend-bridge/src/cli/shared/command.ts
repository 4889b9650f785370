/** Helpers that define commands. */
import { type Command, InvalidArgumentError } from 'commander';
import { ADMIN_TOKEN_HELP, DEFAULT_TIMEOUT_S, DEFAULT_URL } from './connection.ts';
import type { CliIo, ExitCode } from './io.ts';

export interface Cli {
  /** The commands are added to it. They inherit its help option. */
  program: Command;
  io: CliIo;
  /** Sets the exit code; without it, 0. */
  end: (code: ExitCode) => void;
}

/** With the options of a request to the bridge. */
export const connecting = (command: Command): Command =>
  command
    .option('--url <url>', `URL of the bridge (NODEBELL_URL; default: ${DEFAULT_URL})`)
    .option('--token-file <file>', 'file with the token; a token on the command line would be visible to other users')
    .option('--timeout <seconds>', `request timeout (default: ${DEFAULT_TIMEOUT_S})`, readSeconds);

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 3600)) {
    throw new InvalidArgumentError('Expected seconds, more than 0 and at most 3600.');
  }
  return seconds;
}

/** With the options of a request of an admin. */
export const connectingAsAdmin = (command: Command): Command =>
  connecting(command.option('--data-dir <folder>', "the bridge's data directory, which contains the admin token"));

/**
 * A command with others in it, for admins.
 * @param help of each, unless it has its own
 * @returns adds one
 */
export function adminGroup({ program }: Cli, name: string, description: string, help = `\n${ADMIN_TOKEN_HELP}\n`) {
  const group = program.command(name).description(description).addHelpText('after', help);
  return (usage: string, what: string, ownHelp = help): Command =>
    connectingAsAdmin(group.command(usage).description(what))
      .option('--json', 'print JSON')
      .addHelpText('after', ownHelp);
}
