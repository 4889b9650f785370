/** Lines of a file or of standard input, read as a stream. */
import { LIMITS } from '../../../contract/limits.ts';
import { CliError, type CliIo, EXIT } from './io.ts';

const NEWLINE = 0x0a;
const BOM = '\ufeff';
const MAX_BYTES = LIMITS.webhookBodyBytes.value;

/**
 * Lines that are not blank, without line breaks and byte order mark.
 * @param path undefined: standard input
 * @throws CliError if it cannot be read, or a line is longer than a request may be
 */
export async function* linesOf(
  path: string | undefined,
  io: CliIo
): AsyncGenerator<{ number: number; bytes: Buffer<ArrayBuffer> }> {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (last: Uint8Array): { number: number; bytes: Buffer<ArrayBuffer> } | undefined => {
    const bytes = trimmed(Buffer.concat([...pieces, last]), number === 1);
    [pieces, length] = [[], 0];
    return bytes.length === 0 ? undefined : { number, bytes };
  };
  for await (const piece of piecesOf(path, io, () => number)) {
    let at = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, at)) {
      const line = take(piece.subarray(at, end));
      if (line) {
        yield line;
      }
      number += 1;
      at = end + 1;
    }
    pieces.push(piece.subarray(at));
    length += piece.length - at;
    if (length > MAX_BYTES) {
      throw new CliError(EXIT.refused, `line ${number} is longer than ${MAX_BYTES / 1024 / 1024} MiB.`);
    }
  }
  const line = take(new Uint8Array());
  if (line) {
    yield line;
  }
}

async function* piecesOf(path: string | undefined, io: CliIo, line: () => number): AsyncGenerator<Uint8Array> {
  try {
    yield* io.open(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    const message = `cannot read ${path ?? 'standard input'} (${code}).`;
    throw line() === 1
      ? new CliError(EXIT.usage, message)
      : new CliError(EXIT.refused, `${message} Lines from ${line()} on were not read.`);
  }
}

/** Without whitespace of JSON at either end, which a carriage return is. */
function trimmed(line: Buffer<ArrayBuffer>, isFirst: boolean): Buffer<ArrayBuffer> {
  let start = isFirst && line.subarray(0, 3).toString() === BOM ? 3 : 0;
  let end = line.length;
  while (start < end && isSpace(line[start])) {
    start += 1;
  }
  while (end > start && isSpace(line[end - 1])) {
    end -= 1;
  }
  return line.subarray(start, end);
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;
