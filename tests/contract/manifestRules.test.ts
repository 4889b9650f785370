/** docs/package-authors.md lists the rules for manifests; known members are those of the schema. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { RULES, type Rule } from '../../backend-bridge/src/validation/manifest/validateManifest.ts';
import { LEVELS } from '../../backend-bridge/src/validation/manifest/dialects.ts';
import { publishedSchema } from '../../backend-bridge/src/platform/http/openapi.ts';

const PAGE = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'package-authors.md'), 'utf8');
const CORPUS = readFileSync(path.join(import.meta.dirname, '..', 'fixtures', 'manifestCorpus.md'), 'utf8');

test('the docs list every rule with its severity', () => {
  const table = PAGE.split('\n## Rules for manifests')[1]!.split('\n## ')[0]!;
  const shown = [...table.matchAll(/^\| `([\w-]+)` +\| (\w+) +\| (\w+) +\| (\w*) *\| (.*?) +\|$/gm)].map(
    ([, ...row]) => row
  );
  const rules = Object.entries<Rule>(RULES).map(([id, { dappnode, spec, schema, what }]) => [
    id,
    dappnode,
    spec,
    schema ?? '',
    what,
  ]);
  expect(shown).toEqual(rules);
});

test('rules in the expected findings of real packages exist', () => {
  const table = CORPUS.split('\n## Real packages')[1]!.split('\n## ')[0]!;
  const named = [...table.matchAll(/\| ((?:`[\w-]+`(?: × \d+)?(?:, )?)+) +\|$/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([\w-]+)`/g)].map(([, rule]) => rule!)
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((rule) => !Object.hasOwn(RULES, rule))).toEqual([]);
});

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
}
describe('known members are those of the schema', () => {
  const published = publishedSchema('manifest-spec') as { $defs: Record<string, Schema> };
  const schema = published.$defs.SpecificationManifest!;
  // `chain` and the entries of `globalEnvs` are in the dialect `dappnode` only.
  const levels = Object.entries(LEVELS).filter(([, { known }]) => known.length > 0);
  test.each(levels)('%s', (level, { known, foreign = [] }) => {
    const [member = '', each] = level.split('/');
    const inner = member === '' ? schema : schema.properties?.[member];
    const described = Object.keys((each === undefined ? inner : inner?.items)?.properties ?? {});
    expect(described.filter((one) => !foreign.includes(one)).sort()).toEqual([...known].sort());
  });
  test('every object of the schema has known members', () => {
    const objects = Object.entries(schema.properties ?? {}).flatMap(([member, { properties, items }]) => [
      ...(properties ? [member] : []),
      ...(items?.properties ? [`${member}/*`] : []),
    ]);
    expect(objects.sort()).toEqual(
      levels
        .map(([level]) => level)
        .filter((level) => level !== '')
        .sort()
    );
  });
});
