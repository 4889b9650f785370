/** What an admin is to read before a package is changed. */
import type { PackageChange, PackagePreview, ShownWarning } from '../../../contract/package.ts';
import { printable } from '../io.ts';

export function changeInWords({ kind, level, from = '', to }: PackageChange): string {
  switch (kind) {
    case 'install':
      return printable(to);
    case 'update':
      return `${printable(from)} → ${printable(to)} (${level})`;
    case 'downgrade':
      return `${printable(from)} → ${printable(to)} would be a downgrade`;
    case 'changed':
      return `${printable(to)} is registered with other files`;
    case 'same':
      return `${printable(to)} is registered like this already`;
  }
}

const WARNINGS: Record<ShownWarning['kind'], string> = {
  onInstall: 'Before it is installed',
  onUpdate: 'Before it is updated',
  onPatchUpdate: 'Before a patch',
  onMinorUpdate: 'Before a minor update',
  onMajorUpdate: 'Before a major update',
  updateAlert: 'About this update',
};

/** @param unused files of the folder that are not sent */
export function toRead(preview: PackagePreview, unused: readonly string[]): string {
  const { summary, change, facts, nodeRequirement, warnings, disclaimer } = preview;
  const lacking = (facts?.dependencies ?? []).filter(({ state }) => state === 'missing' || state === 'unsatisfied');
  const notes = [
    ...lacking.map(({ name, range, registered, optional }) => {
      const has = registered === undefined ? 'is not registered' : `is registered in version ${registered}`;
      return `It ${optional ? 'can use' : 'needs'} ${name} ${range}, which ${has}.`;
    }),
    ...(nodeRequirement?.state === 'unmet'
      ? [`It needs version ${nodeRequirement.minimum} of the node, which has ${nodeRequirement.node}.`]
      : []),
    ...(unused.length > 0 ? [`Not sent, since only provisioning uses them: ${unused.join(', ')}.`] : []),
  ];
  const said = [
    ...warnings.map(({ kind, message }) => quoted(WARNINGS[kind], message)),
    ...(disclaimer && !disclaimer.approved ? [quoted('Disclaimer', disclaimer.message)] : []),
  ];
  const head = `${printable(summary?.dnpName ?? '')} ${change ? changeInWords(change) : ''}\n`;
  return `${head}${notes.map((note) => `  ${printable(note)}\n`).join('')}${said.join('')}`;
}

/** The author's words: their lines are kept, since a disclaimer without them is hard to read. */
export function quoted(title: string, message: string): string {
  const lines = message.trim().split(/\r\n|\n|\r/);
  return `\n${title}:\n${lines.map((line) => `  ${printable(line)}`.trimEnd()).join('\n')}\n`;
}
