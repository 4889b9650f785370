/** The judge of manifests and the published JSON Schemas: of one mind, for whatever text comes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../backend-bridge/contract/finding.ts';
import { judgeManifest, type Judged, RULES } from '../../backend-bridge/contract/manifest.ts';
import { MAX_DEPTH } from '../../backend-bridge/contract/text.ts';
import { publishedSchema } from '../../backend-bridge/src/http/openapi.ts';
import { newAjv } from './published.ts';

const SCHEMAS = { dappnode: 'manifest', spec: 'manifest-spec' } as const;
const ajv = newAjv(true);
const checks = {
  dappnode: ajv.compile(publishedSchema(SCHEMAS.dappnode)!),
  spec: ajv.compile(publishedSchema(SCHEMAS.spec)!),
};

/** A manifest that uses every member, to be changed at random. */
const FULL = {
  name: 'my-node.public.dappnode.eth',
  version: '1.2.3',
  upstreamVersion: 'v1',
  shortDescription: 'Runs a node of the example chain',
  description: 'A node.',
  type: 'service',
  chain: 'ethereum',
  mainService: 'node',
  dockerTimeout: '20min',
  dependencies: { 'a.dnp.dappnode.eth': '^1.0.0', 'b.eth': 'latest' },
  requirements: { minimumDappnodeVersion: '0.2.77', notInstalledPackages: ['c.eth'] },
  globalEnvs: { all: true },
  architectures: ['linux/amd64'],
  backup: [{ name: 'keys', path: '/keys', service: 'node' }],
  changelog: 'New.',
  warnings: { onInstall: 'a', onUpdate: 'b', onReset: 'c', onRemove: 'd' },
  updateAlerts: [{ from: '<1.0.0', to: '1.x', message: 'Careful.' }],
  disclaimer: { message: 'Careful.' },
  style: { featuredBackground: '#123', featuredColor: 'white', featuredAvatarFilter: 'invert(1)' },
  exposable: [{ name: 'API', description: 'An API', serviceName: 'node', port: 8545, fromSubdomain: 'api' }],
  author: 'A <a@example.org> (https://example.org)',
  contributors: ['B <b@example.org>'],
  categories: ['Blockchain'],
  keywords: ['node'],
  links: { homepage: 'https://example.org', forum: 'https://example.org/forum' },
  repository: { type: 'git', url: 'https://github.com/a/b.git', directory: 'c' },
  bugs: { url: 'https://example.org/issues' },
  license: 'MIT',
};

/** Values that are right somewhere, and wrong nearly everywhere else. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '',
      '1',
      '0',
      '65536',
      '080',
      '1.2.3',
      '1a2b3',
      '1😀2😀3',
      '1.2',
      'true',
      'false',
      'service',
      'bitcoin',
      'Lido',
      '/a',
      '~/a',
      '/~',
      '\n',
    ],
    ...[0, 1, 80, 65535, 65536, 80.5, -1, 1e300, true, false, null, [], {}, [''], ['a'], [1], [[]]],
    ...[{ all: true }, { all: 'true' }, [{ envs: ['A'], services: ['b'] }], [{ envs: 'A' }], [{}]],
    ...[
      { driver: 'ethereum' },
      { driver: '' },
      { driver: 'a', portNumber: 0 },
      { a: 'b' },
      { 'a.eth': '1.0.0' },
      { 'A.eth': 1 },
    ],
    ...[
      { onMajorUpdate: 'a' },
      { onPatchUpdate: 1 },
      { message: 'a' },
      { name: 'a', path: '/b' },
      { name: 'a', port: '80' },
    ]
  ),
  fc.jsonValue({ maxDepth: 2 }).filter((one) => !/"(?:__proto__|constructor|prototype)"/.test(JSON.stringify(one)))
);
type Json = Record<string, unknown>;
const isObject = (one: unknown): one is Json => typeof one === 'object' && one !== null;

/** FULL with some of its members, at any depth, replaced, added or removed. */
const mutated = fc
  .array(
    fc.tuple(fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }), fc.constantFrom('set', 'remove', 'add'), value),
    {
      minLength: 1,
      maxLength: 4,
    }
  )
  .map((changes) => {
    const manifest = structuredClone(FULL) as Json;
    for (const [steps, action, to] of changes) {
      change(manifest, steps, action, structuredClone(to));
    }
    return manifest;
  });

function change(target: Json, [step = 0, ...rest]: number[], action: string, to: unknown): void {
  const keys = Object.keys(target);
  const key = keys[step % Math.max(1, keys.length)];
  const inner = key === undefined ? undefined : target[key];
  if (rest.length > 0 && isObject(inner)) {
    change(inner, rest, action, to);
  } else if (action === 'add' || key === undefined) {
    target[Array.isArray(target) ? keys.length : 'added'] = to;
  } else if (action === 'remove' && !Array.isArray(target)) {
    delete target[key];
  } else {
    target[key] = to;
  }
}

/** Whether a rule that the schema knows refuses it. */
const refusedByShape = ({ findings }: Judged): boolean =>
  findings.some(({ verdict, rule }) => {
    const of = (RULES as Record<string, { schema?: true }>)[rule];
    return verdict === 'error' && of?.schema === true;
  });

function inRange({ findings }: Judged, text: string): void {
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

describe.each(DIALECTS)('in the dialect %s', (dialect) => {
  const agrees = (manifest: unknown): void => {
    const text = JSON.stringify(manifest, null, 2);
    const judged = judgeManifest(text, { dialect });
    inRange(judged, text);
    expect(refusedByShape(judged)).toBe(!checks[dialect](JSON.parse(text)));
  };
  test('judge and published schema refuse the same of a manifest that was changed', () => {
    fc.assert(fc.property(mutated, agrees), { numRuns: 1_000 });
  });
  test('judge and published schema refuse the same of any value', () => {
    fc.assert(fc.property(value, agrees), { numRuns: 500 });
  });
  test('the manifest that is changed is a good one', () => agrees(FULL));
});

describe('any text', () => {
  const dialect = 'dappnode';
  const text = JSON.stringify(FULL, null, 1);
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
  test('has findings, and never an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 60 }).map((all) => all.join(''))
        ),
        (any) => {
          const judged = judgeManifest(any, { dialect });
          inRange(judged, any);
          expect(judged.findings.some(({ verdict }) => verdict === 'error')).toBe(true);
        }
      ),
      { numRuns: 1_000 }
    );
  });
  test('cut, or with a piece put into it, is JSON for the judge when it is for JSON.parse', () => {
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(5), piece, (at, cut, put) => {
        const changed = text.slice(0, at) + put + text.slice(at + cut);
        const judged = judgeManifest(changed, { dialect });
        inRange(judged, changed);
        expect(judged.findings.some(({ rule }) => rule === 'syntax')).toBe(!isJson(changed.replace(/^\uFEFF/, '')));
      }),
      { numRuns: 1_000 }
    );
  });
  test(`nested to any depth is refused beyond ${MAX_DEPTH}`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom('[', '{"a":', '[{"a":'), (depth, open) => {
        const { findings } = judgeManifest(open.repeat(depth), { dialect });
        expect(findings.some(({ rule }) => rule === 'too-deep')).toBe(
          depth * open.replace(/[^[{]/g, '').length > MAX_DEPTH
        );
      }),
      { numRuns: 50 }
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
