/** The interface between the command line and its environment, so that tests can replace it. */

export interface CliIo {
  version: string;
  env: Record<string, string | undefined>;
  fetch: typeof globalThis.fetch;
  /** @throws like fs.readFileSync */
  readFile: (path: string) => string;
  /** Reads standard input; undefined if it is a terminal. */
  stdin: (() => Promise<string>) | undefined;
  /**
   * Reads a file, or standard input, in pieces.
   * @param path undefined: standard input
   */
  open: (path: string | undefined) => AsyncIterable<Uint8Array>;
  /** Waits before a request is repeated. Milliseconds. */
  wait: (ms: number) => Promise<unknown>;
  /** Prompts for yes or no; undefined if standard input is no terminal. */
  confirm?: (question: string) => Promise<boolean>;
  /** Whether standard output is a terminal that supports colors. */
  terminal?: boolean;
  out: (text: string) => void;
  err: (text: string) => void;
}

/** Default folder of the provisioning files: the example in the repository. */
export const DEFAULT_DIR = 'provisioning';

/** Exit codes; scripts rely on them. */
export const EXIT = {
  /** Done. */
  ok: 0,
  /** Rejected by the bridge: a retry has the same result. */
  refused: 1,
  /** Invalid command; nothing was sent. */
  usage: 2,
  /** The bridge is unreachable or unavailable (429, 503): a retry may succeed. */
  unreachable: 3,
  /** `provision --dry-run`: the bridge differs from the files. */
  different: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with an error message. */
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

/** A file that cannot be read. @param error as it was thrown; one of the command itself stays */
export const unreadable = (file: string, error: unknown): CliError =>
  error instanceof CliError
    ? error
    : usageError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);

/** The text of a file without white space around it. @param name in messages @throws CliError if it is empty, or cannot be read */
export function readTrimmed(file: string, { readFile }: CliIo, name = file): string {
  try {
    const text = readFile(file).trim();
    if (text === '') {
      throw usageError(`${name} is empty.`);
    }
    return text;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Undefined: not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** External text, safe to print: control characters could manipulate the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Formats rows in columns; the first row is the header. */
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
