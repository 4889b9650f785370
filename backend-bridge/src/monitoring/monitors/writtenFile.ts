/** Writes files for monitors: atomically, and never over a file of others. */
import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { Document, visit } from 'yaml';

/** The first line of each file that the bridge writes, by which it recognizes them. A YAML comment. */
export const WRITTEN_BY = '# Written by Nodebell';

/**
 * Line ends of YAML 1.1, which the monitors read, that are none in 1.2; and tabs, which they reject at the start of a line. Outside of
 * double quotes they would make a monitor reject the whole file.
 */
const QUOTED = /[\t\r\x85\u2028\u2029]/;
const LINE_ENDS: Readonly<Record<string, string>> = { '\x85': '\\N', '\u2028': '\\L', '\u2029': '\\P' };

/** YAML for the monitors: lines are not folded, and characters that YAML forbids in a file (1.2, 5.1) are replaced. */
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

/** The texts of a list, of which those of unchanged items are kept: each slider move writes the whole file. */
export function keptTexts<T>(textOf: (item: T) => string): (items: readonly T[]) => string {
  let before = new Map<string, string>();
  return (items) => {
    const keys = items.map((item) => JSON.stringify(item));
    before = new Map(keys.map((key, index) => [key, before.get(key) ?? textOf(items[index]!)]));
    return keys.map((key) => before.get(key)).join('');
  };
}

/**
 * Replaces a file atomically, unless it has this content already. The folder must exist: a monitor in a container sees the change only
 * if the folder is mounted, not the file.
 * @param text begins with {@link WRITTEN_BY}
 * @param mode of a new file
 * @returns whether it was written
 * @throws Error with the cause and what to do
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
      `${path} was not written by Nodebell and is not overwritten. Configure another path, or move the file.`
    );
  }
  // Writes through a symbolic link.
  const target = before === undefined ? path : await realpath(path).catch(() => path);
  const aside = `${target}.${randomUUID()}.tmp`;
  try {
    await write(aside, text, before === undefined ? mode : narrowed((await stat(target)).mode, mode));
    await rename(aside, target);
  } catch (error) {
    await rm(aside, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${path} cannot be written (${code ?? message}).`, { cause: error });
  }
  return true;
}

/** The mode of the file that is replaced, unless everybody could read what must not be readable by everyone. */
const narrowed = (existing: number, mode: number): number => existing & (mode & 0o004 ? 0o777 : 0o770);

async function write(path: string, text: string, mode: number): Promise<void> {
  await using file = await open(path, 'wx', mode);
  await file.writeFile(text);
  // Without it the renamed file could be empty after a power failure.
  await file.sync();
}
