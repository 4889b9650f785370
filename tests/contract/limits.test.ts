/** docs/limits.md is generated from the table of limits. To update it: `npx vitest run tests/contract/limits.test.ts -u`. */
import path from 'node:path';
import prettier from 'prettier';
import { expect, test } from 'vitest';
import { type Limit, LIMIT_GROUPS, LIMITS } from '../../backend-bridge/contract/limits.ts';

const PAGE = path.join(import.meta.dirname, '..', '..', 'docs', 'limits.md');
const INTRODUCTION = `# Limits

Everything that a sender, a reader or a file can make grow has a bound. This page lists the bounds that you can meet; all are in
\`backend-bridge/contract/limits.ts\`, from which this page is generated. The values are fixed.`;

function shown({ value, unit }: Limit): string {
  const number = (count: number) => count.toLocaleString('en-US', { maximumFractionDigits: 1 });
  if (unit === 'bytes') {
    const [name, size] = value >= 2 ** 20 ? ['MiB', 2 ** 20] : value >= 2 ** 10 ? ['KiB', 2 ** 10] : ['bytes', 1];
    return `${number(value / Number(size))} ${name}`;
  }
  if (unit === 'ms') {
    return value >= 1000 ? `${number(value / 1000)} s` : `${number(value)} ms`;
  }
  return unit === 'items' ? number(value) : `${number(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`;
}

test('docs/limits.md lists the limits that an operator can meet', async () => {
  const sections = Object.entries(LIMIT_GROUPS).flatMap(([title, limits]: [string, Record<string, Limit>]) => {
    const rows = Object.entries(limits).map(
      ([name, limit]) => `| \`${name}\` | ${limit.of} | ${shown(limit)} | ${limit.beyond} |`
    );
    return rows.length === 0
      ? []
      : [`## ${title}`, ['| Name | Limit of | Value | Beyond it |', '| --- | --- | --- | --- |', ...rows].join('\n')];
  });
  const options = await prettier.resolveConfig(PAGE);
  const page = await prettier.format([INTRODUCTION, ...sections].join('\n\n'), { ...options, parser: 'markdown' });
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('a limit is in one group only', () => {
  const listed = Object.values(LIMIT_GROUPS).flatMap((limits) => Object.entries(limits));
  expect(new Set(listed.map(([name]) => name)).size).toBe(listed.length);
  expect(LIMITS).toMatchObject(Object.fromEntries(listed));
});
