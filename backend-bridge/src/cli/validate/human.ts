/** Findings for a person at a terminal. */
import { styleText } from 'node:util';
import type { Verdict } from '../../../contract/finding.ts';
import { countOf, type FileFinding, type JudgedFile, type Outcome } from './types.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<Verdict, Style>;
/** Of a source line, in characters; of longer ones the part around the finding is shown. */
const WIDTH = 100;

export function humanText(outcome: Outcome, { colour }: { colour: boolean }): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const files = outcome.files.filter(({ findings }) => findings.length > 0).map((file) => fileText(file, paint));
  const unreadable = outcome.unreadable.map(
    ({ path, message }) => `${paint('bold', safe(path))}\n  ${paint('red', 'unreadable')}  ${safe(message)}\n`
  );
  return [...files, ...unreadable, `${summary(outcome, paint)}\n`].join('\n');
}

function fileText({ findings, path, text }: JudgedFile, paint: Paint): string {
  const lines = text.split(/\r\n|\n|\r/);
  return `${paint('bold', safe(path))}\n${findings.map((finding) => findingText(finding, lines, paint)).join('\n')}`;
}

function findingText(finding: FileFinding, lines: readonly string[], paint: Paint): string {
  const { column, detail, line, rule, title, verdict } = finding;
  const place = `${line}:${column}`.padEnd(7);
  const head = `  ${place} ${paint(COLOURS[verdict], verdict.padEnd(7))}  ${paint('bold', safe(title))}  ${paint('dim', rule)}`;
  return `${head}\n${wrapped(safe(detail))}\n${excerpt(finding, lines[line - 1] ?? '', paint)}`;
}

const MARGIN = ' '.repeat(10);

function wrapped(text: string): string {
  const lines = text.match(new RegExp(`\\S.{0,${WIDTH - 1}}(?=\\s|$)|\\S+`, 'gu')) ?? [];
  return lines.map((line) => MARGIN + line.trim()).join('\n');
}

/** The line, and below it a mark under the place. */
function excerpt({ column, endColumn, endLine, line, verdict }: FileFinding, source: string, paint: Paint): string {
  const start = column - 1;
  const from = source.length <= WIDTH ? 0 : Math.max(0, Math.min(start - 20, source.length - WIDTH));
  const shown = `${from > 0 ? '…' : ''}${source.slice(from, from + WIDTH)}${from + WIDTH < source.length ? '…' : ''}`;
  const before = start - from + (from > 0 ? 1 : 0);
  const end = endLine === line ? endColumn - 1 : source.length;
  const marks = Math.max(1, Math.min(end - start, shown.length - before));
  const text = shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trimEnd();
  const mark = paint(COLOURS[verdict], '^'.repeat(marks));
  return `${MARGIN}${paint('dim', '|')} ${text}\n${MARGIN}${paint('dim', '|')} ${' '.repeat(before)}${mark}\n`;
}

/** Others wrote the file: control characters could rewrite what stands in a terminal. */
const safe = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

function summary(outcome: Outcome, paint: Paint): string {
  const { files, packages, unreadable } = outcome;
  const [errors, warnings, notes] = [countOf(outcome, 'error'), countOf(outcome, 'warning'), countOf(outcome, 'note')];
  const where = `${count(files.length, 'file')}${packages > 0 ? ` of ${count(packages, 'package')}` : ''}`;
  const found = [
    ...(errors > 0 ? [paint('red', count(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint('yellow', count(warnings, 'warning'))] : []),
    ...(notes > 0 ? [paint('cyan', count(notes, 'note'))] : []),
    ...(unreadable.length > 0 ? [paint('red', `${unreadable.length} unreadable`)] : []),
  ];
  return found.length === 0 ? `${paint('green', 'No findings')} in ${where}.` : `${found.join(', ')} in ${where}.`;
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
