/** The interface between the command line and its environment, so that tests can replace it. */

export interface CliIo {
  version: string;
  env: Record<string, string | undefined>;
  fetch: typeof globalThis.fetch;
  /** @throws like fs.readFileSync */
  readFile: (path: string) => string;
  /** Everything on standard input; undefined when that is a terminal. */
  stdin: (() => Promise<string>) | undefined;
  /** Whether standard output is a terminal, which shows colours. */
  terminal?: boolean;
  out: (words: string) => void;
  err: (words: string) => void;
}

/** Exit codes; scripts rely on them. */
export const EXIT = {
  /** Done. */
  ok: 0,
  /** The bridge refused: sending the same again is refused again. */
  refused: 1,
  /** The command itself was wrong; nothing was sent. */
  usage: 2,
  /** The bridge was not reached, or cannot take it at the moment (429, 503): trying again can help. */
  unreachable: 3,
  /** `provision --dry-run`: the bridge has something else in use than the files say. */
  different: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message for a person. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, message);
}

/** Text of others, safe to show: in a terminal, control characters can hide and rewrite what stands there. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`
    )
    .join('');
}
