/** Lines of a backup, of bounded length. */
import { damaged } from './errors.ts';

/** Characters of the longest line: a row has at most a few texts of 1 MiB, each at most six times as long when escaped. */
const MAX_LINE = 64 * 1024 * 1024;

/** @throws TransferError if a line is too long, the text is not UTF-8, or its last line has no end */
export async function* linesOf(source: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  // Parts of a line, joined once: each character is looked at once, however long the line is.
  let rest: string[] = [];
  let length = 0;
  try {
    for await (const chunk of source) {
      const [first = '', ...others] = (
        typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      ).split('\n');
      rest.push(first);
      length += first.length;
      const last = others.pop();
      if (last !== undefined) {
        yield rest.join('');
        yield* others;
        rest = [last];
        length = last.length;
      }
      if (length > MAX_LINE) {
        throw damaged(`A line is longer than ${MAX_LINE} characters.`);
      }
    }
    rest.push(decoder.decode());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw damaged('It contains bytes that are not UTF-8.');
    }
    throw error;
  }
  if (rest.some((part) => part !== '')) {
    throw damaged('The backup is truncated: its last line has no end.');
  }
}
