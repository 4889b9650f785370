/** A file that the bridge writes for a monitor: whole, in one step, and never over somebody else's. */
import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { Document, visit } from 'yaml';

/** Stands in the first line of every file that the bridge writes, so that it knows its own. YAML. */
export const WRITTEN_BY = '# Written by Nodebell';

/**
 * What ends a line in YAML 1.1, which the monitors read, and not in 1.2; and what they do not take at the beginning of a line. Such a
 * text in any other than double quotes would make them refuse the whole file.
 */
const QUOTED = /[\t\r\x85\u2028\u2029]/;
const LINE_ENDS: Readonly<Record<string, string>> = { '\x85': '\\N', '\u2028': '\\L', '\u2029': '\\P' };

/** YAML as the monitors read it: each text in one line unless it has several, and no character that YAML forbids in a file (1.2, 5.1). */
export function yamlText(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_key, scalar) {
      if (typeof scalar.value === 'string' && QUOTED.test(scalar.value)) {
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
  return document
    .toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
    .replace(/[\x85\u2028\u2029]/g, (end) => LINE_ENDS[end] ?? end)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]/g, '\ufffd');
}

/**
 * Puts a file in place, so that a reader finds the old one or the new one, and never a half; leaves one that holds the same
 * already as it is. The folder must be there: a monitor in a container sees the change when the folder is mounted, not the file.
 * @param text begins with {@link WRITTEN_BY}
 * @param mode of a file that is new
 * @returns whether it was written
 * @throws Error with a sentence that says why not, and what to do
 */
export async function putFile(path: string, text: string, mode = 0o644): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw new Error(`${path} cannot be read (${error.code ?? error.message}).`);
  });
  if (before === text) {
    return false;
  }
  if (before !== undefined && before.trim() !== '' && !before.startsWith(WRITTEN_BY)) {
    throw new Error(
      `${path} was not written by Nodebell, so it is left as it is. Name another file, or move this one away.`
    );
  }
  // A link stays one: whoever reads the file that it leads to reads the new one as well.
  const target = before === undefined ? path : await realpath(path).catch(() => path);
  const aside = `${target}.${randomUUID()}.tmp`;
  try {
    await write(aside, text, before === undefined ? mode : (await stat(target)).mode & 0o777);
    await rename(aside, target);
  } catch (error) {
    await rm(aside, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${path} cannot be written (${code ?? message}).`, { cause: error });
  }
  return true;
}

async function write(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    // Renamed before it is on disk, it could be an empty file after a power cut.
    await file.sync();
  } finally {
    await file.close();
  }
}
