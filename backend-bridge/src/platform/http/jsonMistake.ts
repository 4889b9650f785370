/** Locates a JSON syntax error. V8 reports the position of some errors only; jsonc-parser finds the others. */
import { visit } from 'jsonc-parser';
import { show } from '../../../contract/text.ts';
import { type HttpProblem, problemAt } from './problem.ts';

/**
 * @param error of JSON.parse: its message is used without the excerpt of the text
 * @param firstLine number of the first line of the text
 */
export function locateSyntaxError(text: string, error: unknown, firstLine = 1): HttpProblem {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  const atEnd = message.startsWith('Unexpected end');
  const offset = atEnd ? text.length : position === undefined ? firstError(text) : Number(position);
  const { line, column } = lineAndColumn(text, offset);
  const reason = reasonOf(message);
  const found = offset >= text.length ? 'the end of the body' : show(text.slice(offset, offset + 24).toWellFormed());
  const detail = `The body is not JSON: line ${firstLine + line - 1}, column ${column}: ${reason}.`;
  return problemAt('malformed', { pointer: '#', found, allowed: 'JSON (RFC 8259)', detail }, error);
}

class Found extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super();
    this.offset = offset;
  }
}

function firstError(text: string): number {
  try {
    // Stops at the first error: an invalid body may have a million of them.
    const stop = (_code: number, offset: number): never => {
      throw new Found(offset);
    };
    visit(text, { onError: stop }, { disallowComments: true, allowTrailingComma: false });
  } catch (thrown) {
    // Anything else is a stack overflow, on nesting that is rejected later anyway.
    return thrown instanceof Found ? thrown.offset : text.length;
  }
  return text.length;
}

/** Both count from 1, as editors do. */
function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: offset - lastBreak };
}

/** V8's message without its excerpt of the text and without the position. */
function reasonOf(message: string): string {
  return message
    .replace(/, (?:\.\.\.)?".*$/s, '')
    .replace(/ at position \d+.*$/s, '')
    .replace(/ in JSON$| after JSON$/, '')
    .replace('end of JSON input', 'end of the body');
}
