/** docs/channels.md lists the members of each channel type; the rows are generated. To update them: `npx vitest run --project integration tests/contract/channelTypes.test.ts -u`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { expect, test } from 'vitest';
import { CHANNEL_TYPES, DESCRIPTORS } from '../../backend-bridge/contract/channelTypes/index.ts';

const PAGE = path.join(import.meta.dirname, '..', '..', 'docs', 'channels.md');
const ROWS = /(?<=\| Type +\| Members +\|\n\|[- |]+\n)(?:\|.*\n)+/;

const rowOf = (type: (typeof CHANNEL_TYPES)[number], sections: string): string => {
  const members = Object.entries(DESCRIPTORS[type].fields).map(([key, { required, hidden }]) => {
    const name = `\`${key}\`${hidden ? '\\*' : ''}`;
    return required ? `**${name}**` : name;
  });
  const anchor = sections.includes(`\n### ${type}\n`) ? type : 'chats';
  return `| [${type}](#${anchor}) | ${members.join(', ')} |\n`;
};

test('docs/channels.md lists the members of each type', async () => {
  const before = readFileSync(PAGE, 'utf8');
  expect(before).toMatch(ROWS);
  const page = before.replace(ROWS, () => CHANNEL_TYPES.map((type) => rowOf(type, before)).join(''));
  const options = await prettier.resolveConfig(PAGE);
  await expect(await prettier.format(page, { ...options, parser: 'markdown' })).toMatchFileSnapshot(PAGE);
});
