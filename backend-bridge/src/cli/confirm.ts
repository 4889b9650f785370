import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Asks the user. @returns false unless the answer is yes */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream
): Promise<boolean> {
  const lines = createInterface({ input, output });
  const ended = once(lines, 'close').then(() => '');
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    // Ctrl+C or Ctrl+D.
    if ((error as NodeJS.ErrnoException).code === 'ABORT_ERR') {
      output.write('\n');
      return false;
    }
    throw error;
  } finally {
    lines.close();
  }
}
