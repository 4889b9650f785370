/** Differences for a person at a terminal. */
import type { Difference } from '../../provisioning/difference.ts';
import { printable } from '../io.ts';

const SIGNS = { add: '+', change: '~', remove: '-' } as const;

export function differencesText(differences: readonly Difference[]): string {
  if (differences.length === 0) {
    return 'No difference: the bridge has in use what the files say.\n';
  }
  const files = [...new Set(differences.map(({ file }) => file))];
  const width = Math.max(...differences.map(({ name }) => printable(name).length));
  const blocks = files.map((file) => {
    const lines = differences.filter((one) => one.file === file).map((one) => lineOf(one, width));
    return `${printable(file)}\n${lines.join('')}`;
  });
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return `${blocks.join('\n')}\n${count}. Nothing was changed.\n`;
}

function lineOf({ action, kind, name, detail, warnings = [] }: Difference, width: number): string {
  const head = `  ${SIGNS[action]} ${kind.padEnd(8)}  ${printable(name).padEnd(width)}  ${printable(detail)}`;
  const said = warnings.map((warning) => `      ${warning.kind}: ${printable(warning.message)}\n`);
  return `${head.trimEnd()}\n${said.join('')}`;
}
