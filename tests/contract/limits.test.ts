/**
 * The limits in docs/operate.md have the values of the code. The page names those that an operator can meet; the rows are
 * generated. To update them: `npx vitest run --project integration tests/contract/limits.test.ts -u`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { expect, test } from 'vitest';
import { type Limit, LIMIT_GROUPS, LIMITS } from '../../backend-bridge/contract/limits.ts';

const PAGE = path.join(import.meta.dirname, '..', '..', 'docs', 'operate.md');
const ROW = /^\| `(\w+)` +\|.*$/gm;

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

test('docs/operate.md lists limits with their values', async () => {
  const [before = '', table = ''] = readFileSync(PAGE, 'utf8').split(/(?<=\n## Limits\n)/);
  const known: Record<string, Limit> = LIMITS;
  const names = [...table.matchAll(ROW)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !(name in known))).toEqual([]);
  const rows = table.replaceAll(ROW, (_, name: string) => {
    const limit = known[name]!;
    return `| \`${name}\` | ${limit.of} | ${shown(limit)} | ${limit.beyond} |`;
  });
  const options = await prettier.resolveConfig(PAGE);
  const page = await prettier.format(before + rows, { ...options, parser: 'markdown' });
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('a limit is in one group only', () => {
  const listed = Object.values(LIMIT_GROUPS).flatMap((limits) => Object.entries(limits));
  expect(new Set(listed.map(([name]) => name)).size).toBe(listed.length);
  expect(LIMITS).toMatchObject(Object.fromEntries(listed));
});
