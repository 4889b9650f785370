/** Findings as GitHub Actions' workflow commands, which become annotations ("Workflow commands for GitHub Actions"). */
import type { FileFinding, Outcome } from './types.ts';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

export function githubText({ files, unreadable }: Outcome): string {
  return [
    ...files.flatMap(({ path, findings }) => findings.map((finding) => annotation(path, finding))),
    ...unreadable.map(({ path, message }) => `::error file=${property(path)}::${data(message)}\n`),
  ].join('');
}

function annotation(
  path: string,
  { column, detail, endColumn, endLine, line, rule, title, verdict }: FileFinding
): string {
  // Columns are taken only where it is one line.
  const columns = line === endLine ? `,col=${column},endColumn=${endColumn}` : '';
  const place = `file=${property(path)},line=${line},endLine=${endLine}${columns},title=${property(`${title} (${rule})`)}`;
  return `::${COMMANDS[verdict]} ${place}::${data(detail)}\n`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
