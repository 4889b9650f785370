/** Says where text stops being JSON. V8 tells the position of some mistakes only; jsonc-parser finds the others. */
import { visit } from 'jsonc-parser';
import { show } from '../../contract/text.ts';
import { HttpProblem } from './problem.ts';

/** @param error what JSON.parse threw: its words tell what is wrong, without its excerpt of the text */
export function locateSyntaxError(text: string, error: unknown): HttpProblem {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  const atEnd = message.startsWith('Unexpected end');
  const offset = atEnd ? text.length : position === undefined ? firstMistake(text) : Number(position);
  const { line, column } = lineAndColumn(text, offset);
  const reason = reasonOf(message);
  const found = offset >= text.length ? 'the end of the body' : show(text.slice(offset, offset + 24).toWellFormed());
  const detail = `The body is not JSON: line ${line}, column ${column}: ${reason}.`;
  return new HttpProblem('malformed', detail, {
    errors: [{ pointer: '#', found, allowed: 'JSON (RFC 8259)', detail }],
    cause: error,
  });
}

class Found extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super();
    this.offset = offset;
  }
}

function firstMistake(text: string): number {
  try {
    // Thrown out of the visit at the first mistake: a body of nothing but mistakes would yield a million of them.
    const stop = (_code: number, offset: number): never => {
      throw new Found(offset);
    };
    visit(text, { onError: stop }, { disallowComments: true, allowTrailingComma: false });
  } catch (thrown) {
    // Anything else is its stack running out, on nesting that is refused a moment later anyway.
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

/** V8's sentence without its excerpt of the text and without the position, which is given apart. */
function reasonOf(message: string): string {
  return message
    .replace(/, (?:\.\.\.)?".*$/s, '')
    .replace(/ at position \d+.*$/s, '')
    .replace(/ in JSON$| after JSON$/, '')
    .replace('end of JSON input', 'end of the body');
}
