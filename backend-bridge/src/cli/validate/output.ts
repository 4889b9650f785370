/** Findings by file, and their output formats. */
import { styleText } from 'node:util';
import type { Finding, Verdict } from '../../../contract/finding.ts';
import { urlValue } from '../../../contract/url.ts';
import type { CliIo } from '../shared/io.ts';

/** `human` for a terminal, `github` for annotations of GitHub Actions. */
export const FORMATS = ['human', 'json', 'sarif', 'github'] as const;
export type Format = (typeof FORMATS)[number];

/** Without the kind for files that do not belong to a package. */
export type FileFinding = Omit<Finding, 'file'> & Partial<Pick<Finding, 'file'>>;

export interface ValidatedFile {
  /** Relative to the current folder, with slashes. */
  path: string;
  text: string;
  /** Sorted by position. */
  findings: FileFinding[];
}

export interface UnreadableFile {
  /** Relative to the current folder, with slashes. */
  path: string;
  /** A sentence. */
  message: string;
}

export interface Outcome {
  /** In search order, including files without findings. */
  files: ValidatedFile[];
  unreadable: UnreadableFile[];
  /** Number of packages; each variant counts. */
  packages: number;
}

/** Adds findings to a file; files without findings are listed, too. */
export type ReportFindings = (name: string, text: string, findings: readonly FileFinding[]) => void;
/** @param message why the file could not be read */
export type ReportUnreadable = (name: string, message: string) => void;

export const countOf = ({ files }: Outcome, verdict: Finding['verdict']): number =>
  files.reduce((sum, { findings }) => sum + findings.filter((one) => one.verdict === verdict).length, 0);

/** For findings of one file. */
export const byLine = (a: FileFinding, b: FileFinding): number => a.line - b.line || a.column - b.column;

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<Verdict, Style>;
/** Characters per line; of longer source lines the part around the finding is shown. */
const WIDTH = 100;

function humanText(outcome: Outcome, { terminal, env }: CliIo): string {
  const colour = terminal === true && !env.NO_COLOR;
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const files = outcome.files.filter(({ findings }) => findings.length > 0).map((file) => fileText(file, paint));
  const unreadable = outcome.unreadable.map(
    ({ path, message }) => `${paint('bold', safe(path))}\n  ${paint('red', 'unreadable')}  ${safe(message)}\n`
  );
  return [...files, ...unreadable, `${summary(outcome, paint)}\n`].join('\n');
}

function fileText({ findings, path, text }: ValidatedFile, paint: Paint): string {
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

/** The source line with a marker below. */
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

/** External text: control characters could manipulate the terminal. */
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

function jsonText(outcome: Outcome): string {
  const { files, packages, unreadable } = outcome;
  const document = {
    summary: {
      packages,
      files: files.length,
      errors: countOf(outcome, 'error'),
      warnings: countOf(outcome, 'warning'),
      notes: countOf(outcome, 'note'),
      unreadable: unreadable.length,
    },
    files: files.map(({ path, findings }) => ({ path, findings })),
    unreadable,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

function githubText({ files, unreadable }: Outcome): string {
  return [
    ...files.flatMap(({ path, findings }) => findings.map((finding) => annotation(path, finding))),
    ...unreadable.map(({ path, message }) => `::error file=${property(path)}::${data(message)}\n`),
  ].join('');
}

function annotation(
  path: string,
  { column, detail, endColumn, endLine, line, rule, title, verdict }: FileFinding
): string {
  // Columns are only supported for a single line.
  const columns = line === endLine ? `,col=${column},endColumn=${endColumn}` : '';
  const place = `file=${property(path)},line=${line},endLine=${endLine}${columns},title=${property(`${title} (${rule})`)}`;
  return `::${COMMANDS[verdict]} ${place}::${data(detail)}\n`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function sarifText({ files, unreadable }: Outcome, { version }: CliIo): string {
  const rules = [
    ...new Map(files.flatMap(({ findings }) => findings).map((finding) => [finding.rule, finding])).values(),
  ];
  const order = new Map(rules.map(({ rule }, index) => [rule, index]));
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'nodebell', version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: unreadable.length === 0,
            toolExecutionNotifications: unreadable.map(({ path, message }) => ({
              level: 'error',
              message: { text: message },
              locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path) } } }],
            })),
          },
        ],
        results: files.flatMap((file) => file.findings.map((finding) => resultOf(file, finding, order))),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const ruleOf = ({ rule, title, verdict }: FileFinding) => ({
  id: rule,
  shortDescription: { text: title },
  defaultConfiguration: { level: verdict },
});

function resultOf({ path }: ValidatedFile, finding: FileFinding, order: ReadonlyMap<string, number>) {
  const { column, detail, endColumn, endLine, line, pointer, rule, title, verdict } = finding;
  return {
    ruleId: rule,
    ruleIndex: order.get(rule),
    level: verdict,
    message: { text: `${title}. ${detail}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(path) },
          region: { startLine: line, startColumn: column, endLine, endColumn },
        },
        logicalLocations: [{ fullyQualifiedName: pointer }],
      },
    ],
  };
}

/** A relative reference (RFC 3986), with each segment escaped. */
const uriOf = (path: string): string => path.split('/').map(urlValue).join('/');

const TEXTS: Readonly<Record<Format, (outcome: Outcome, io: CliIo) => string>> = {
  human: humanText,
  json: jsonText,
  sarif: sarifText,
  github: githubText,
};
/** @returns the text to print */
export const formatOutcome = (format: Format, outcome: Outcome, io: CliIo): string => TEXTS[format](outcome, io);
