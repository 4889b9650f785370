/**
 * Manifest validation and the published JSON Schemas agree on any input. If NODEBELL_CORPUS names a folder of real packages,
 * their manifests are mutated as well.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Authority } from '../../backend-bridge/src/validation/authority.ts';
import {
  validateManifest,
  type ValidatedManifest,
  RULES,
  type Rule,
} from '../../backend-bridge/src/validation/manifest/validateManifest.ts';
import { MAX_DEPTH } from '../../backend-bridge/contract/text.ts';
import { publishedSchema } from '../../backend-bridge/src/platform/http/openapi.ts';
import { FULL, FULL_DAPPNODE } from './fullManifest.testing.ts';
import { type Json, mutated, value } from './mutations.testing.ts';
import { newAjv } from './published.ts';

const SCHEMAS = { dappnode: 'manifest', spec: 'manifest-spec' } as const;
const AUTHORITIES = ['dappnode', 'spec'] as const;
const checks = {
  // DAppNode converts scalars before it validates.
  dappnode: newAjv(true, { coerceTypes: true }).compile(publishedSchema(SCHEMAS.dappnode)!),
  spec: newAjv(true).compile(publishedSchema(SCHEMAS.spec)!),
};

const FULLEST = { dappnode: FULL_DAPPNODE, spec: FULL };

/** Whether a rule that the schema knows refuses it. */
const refusedByShape = ({ findings }: ValidatedManifest, authority: Authority): boolean =>
  findings.some(({ verdict, rule }) => {
    const { schema } = RULES[rule as keyof typeof RULES] as Rule;
    return verdict === 'error' && (schema === 'both' || schema === authority);
  });

function inRange({ findings }: ValidatedManifest, text: string): void {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const { line, column, endLine, endColumn, pointer, title, detail } of findings) {
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
    expect(endLine).toBeLessThanOrEqual(lines.length);
    expect(endColumn).toBeLessThanOrEqual(lines[endLine - 1]!.length + 1);
    expect(endLine > line || endColumn >= column).toBe(true);
    expect(pointer).toMatch(/^(?:\/|$)/);
    expect(title.length).toBeGreaterThan(0);
    expect(detail.length).toBeGreaterThan(0);
  }
}

/** @param dialect of validation and of the schema */
const agreesIn =
  (dialect: Authority) =>
  (manifest: unknown): void => {
    const text = JSON.stringify(manifest, null, 2);
    const validated = validateManifest(text, { dialect });
    inRange(validated, text);
    expect(refusedByShape(validated, dialect)).toBe(!checks[dialect](JSON.parse(text)));
  };

describe.each(AUTHORITIES)('in the dialect %s', (dialect) => {
  const agrees = agreesIn(dialect);
  test('validation and published schema reject the same changed manifests', () => {
    fc.assert(fc.property(mutated(fc.constant(FULLEST[dialect])), agrees), { numRuns: 1_000 });
  });
  test('validation and published schema reject the same values', () => {
    fc.assert(fc.property(value, agrees), { numRuns: 500 });
  });
  test('the manifest that is mutated is valid', () => agrees(FULLEST[dialect]));
});

const dialect = 'any';
const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\n',
  '\r',
  '//',
  '/*',
  '*/',
  '\u0000',
  '\ud800',
  '1',
  'e',
  '-',
  'null',
  '\uFEFF'
);

/** Text with a part removed or inserted: invalid for validation if and only if for JSON.parse. */
function cutAgrees(text: string, at: number, cut: number, put: string): void {
  const changed = text.slice(0, at) + put + text.slice(at + cut);
  const validated = validateManifest(changed, { dialect });
  inRange(validated, changed);
  expect(validated.findings.some(({ rule }) => rule === 'syntax')).toBe(!isJson(changed.replace(/^\uFEFF/, '')));
}

describe('any text', () => {
  test('has findings, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 60 }).map((all) => all.join(''))
        ),
        (any) => {
          const validated = validateManifest(any, { dialect });
          inRange(validated, any);
          expect(validated.findings.some(({ verdict }) => verdict === 'error')).toBe(true);
        }
      ),
      { numRuns: 1_000 }
    );
  });
  const text = JSON.stringify(FULL, null, 1);
  test('a mutated text is valid JSON for validation if it is for JSON.parse', () => {
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(5), piece, (at, cut, put) => cutAgrees(text, at, cut, put)),
      { numRuns: 1_000 }
    );
  });
  test(`nesting beyond ${MAX_DEPTH} is rejected`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom('[', '{"a":', '[{"a":'), (depth, open) => {
        const { findings } = validateManifest(open.repeat(depth), { dialect });
        expect(findings.some(({ rule }) => rule === 'too-deep')).toBe(
          depth * open.replace(/[^[{]/g, '').length > MAX_DEPTH
        );
      }),
      { numRuns: 50 }
    );
  });
});

const CORPUS = process.env.NODEBELL_CORPUS ?? '';
const realManifests = (): void => {
  const texts = globSync('**/*dappnode_package.json', { cwd: CORPUS })
    .sort()
    .map((file) => readFileSync(path.join(CORPUS, file), 'utf8'));
  const manifests = texts.filter(isJson).map((text) => JSON.parse(text) as Json);
  test('exist', () => expect(manifests.length).toBeGreaterThan(100));
  test.each(AUTHORITIES)('mutated: validation and published schema agree in the dialect %s', (one) => {
    const agrees = agreesIn(one);
    manifests.forEach(agrees);
    fc.assert(fc.property(mutated(fc.constantFrom(...manifests)), agrees), { numRuns: 2_000 });
  });
  test('mutated texts are valid JSON for validation if they are for JSON.parse', () => {
    const longest = Math.max(...texts.map(({ length }) => length));
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(longest), fc.nat(5), piece, (text, at, cut, put) =>
        cutAgrees(text, at % (text.length + 1), cut, put)
      ),
      { numRuns: 2_000 }
    );
  });
};

if (CORPUS) {
  describe('real manifests', realManifests);
} else {
  test('real manifests are not tested: NODEBELL_CORPUS is not set to a folder that contains them', () => {
    process.stdout.write('Real manifests were not changed: NODEBELL_CORPUS names no folder of them.\n');
    expect(CORPUS).toBe('');
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
