/** docs/package-authors.md describes the rules and flags of the code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { YAML_RULES } from '../../backend-bridge/src/validation/rules.ts';
import { FORMATS } from '../../backend-bridge/src/cli/validate/output.ts';
import { SCHEMA_NAMES } from '../../backend-bridge/src/platform/http/openapi.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/package-authors.md'), 'utf8');

test('it lists every rule for notifications and compose files with its severity', () => {
  const table = page.split('\n## Notifications and compose files')[1]!.split('\n## ')[0]!;
  const listed = [...table.matchAll(/^\| `([\w-]+)`\s*\| (\w+)\s*\| (.+?)\s*\|$/gm)].map(([, ...cells]) => cells);
  expect(listed).toEqual(Object.entries(YAML_RULES).map(([rule, { spec, what }]) => [rule, spec, what]));
});

test('it lists every output format, and existing schemas', () => {
  const formats = [...page.matchAll(/^\| `--format (\w+)`/gm)].map(([, format]) => format);
  expect(formats).toEqual([...FORMATS]);
  const schemas = [...page.matchAll(/nodebell schema ([\w-]+)/g)].map(([, name]) => name);
  expect(schemas.length).toBeGreaterThan(0);
  expect(schemas.filter((name) => !SCHEMA_NAMES.includes(name!))).toEqual([]);
});
