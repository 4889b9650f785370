/**
 * The dialect `dappnode` against DAppNode's own validation: an error here is a refusal there, and the other way round. Compared are the
 * specimens of this repository, real packages where NODEBELL_CORPUS names a folder of them, and both changed at random.
 * `npm run oracle` runs this file alone.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { validateCompose } from '../../backend-bridge/src/validation/validateCompose.ts';
import { validateManifest } from '../../backend-bridge/src/validation/manifest/validateManifest.ts';
import { validateNotifications } from '../../backend-bridge/src/validation/notifications/validateNotifications.ts';
import { OTHER_CATEGORIES } from '../../backend-bridge/src/validation/manifest/schema.ts';
import { FULL, FULL_DAPPNODE, FULL_NOTIFICATIONS } from '../contract/fullManifest.testing.ts';
import { type Json, mutated } from '../contract/mutations.testing.ts';
import { COMPOSE_VALUES, FULL_COMPOSE, NEWER_IN_COMPOSE, PACKAGES } from './support/composeSpecimens.ts';
import { loadOracle, type Oracle } from './support/dappnodeSchemas.ts';

/** Fixed seed, for the same changes in each run. */
const SEED = 20_260_101;
const CHANGED = 5_000;

/** Errors of rules that DAppNode's schema does not have, with the reason. */
const OURS: Record<string, string> = {
  'name-format':
    'DAppNode resolves packages by their ENS name, and Nodebell uses the name as key: other text names no package.',
  'version-semver':
    'The dots of the expression match any character (1a2b3), but versions are compared as semantic versions.',
  timeout: 'The schema accepts any text. The installer refuses one without a number of seconds.',
  'too-deep': 'A limit of Nodebell.',
  'too-many': 'A limit of Nodebell.',
  'too-large': 'A limit of Nodebell.',
  'yaml-limit': 'A limit of Nodebell.',
  'bad-text': 'Nodebell cannot store NUL characters and unpaired surrogates.',
  'reserved-member': 'Nodebell never reads members with a special meaning in JavaScript.',
};

/** Rules that DAppNode does not have for compose files, with the reason. */
const OF_DOCKER: Record<string, string> = {
  'file-shape': 'Docker Compose refuses a file that is not a mapping.',
  'services-missing': 'Docker Compose refuses a file without services, or with another type.',
  'service-shape': 'Docker Compose refuses a service that is not a mapping; DAppNode accepts numbers and empty texts.',
};

/** Members and values that releases before this one do not know; they are left out of the comparison with an older one. */
const KNOWS_ALL = '0.1.26';
const NEWER_MEMBERS = [
  ...['upstream', 'upstreamRepo', 'upstreamArg', 'optionalDependencies', 'runOrder', 'restartCommand'],
  'restartLaunchCommand',
];

const CORPUS = process.env['NODEBELL_CORPUS'] ?? '';
const ROOT = path.join(import.meta.dirname, '..', '..');
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function files(pattern: string): unknown[] {
  const found = (root: string, below: string): string[] =>
    globSync(`${below}${pattern}`, { cwd: root })
      .sort()
      .map((file) => readFileSync(path.join(root, file), 'utf8'));
  const texts = [...found(ROOT, 'provisioning/nodebell/packages/'), ...(CORPUS === '' ? [] : found(CORPUS, ''))];
  return texts.flatMap((text) => {
    try {
      return [parse(text) as unknown];
    } catch {
      return []; // what is no JSON or YAML is refused by any parser
    }
  });
}

/** Without what an older release does not validate. */
function forRelease(version: string, manifest: unknown): unknown {
  if (semver.valid(version) === null || semver.gte(version, KNOWS_ALL) || !isObject(manifest)) {
    return manifest;
  }
  const { requirements, categories, exposable, ...rest } = manifest;
  NEWER_MEMBERS.forEach((member) => delete rest[member]);
  const without = (value: unknown, members: readonly string[]): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([member]) => !members.includes(member))) : value;
  return {
    ...rest,
    ...(requirements !== undefined && {
      requirements: without(requirements, ['minimumDockerVersion', 'notInstalledPackages']),
    }),
    ...(exposable !== undefined && {
      exposable: Array.isArray(exposable) ? exposable.map((one) => without(one, ['external'])) : exposable,
    }),
    ...(categories !== undefined && {
      categories: Array.isArray(categories)
        ? categories.filter((one) => !(OTHER_CATEGORIES as readonly unknown[]).includes(one))
        : categories,
    }),
  };
}

const errorsOf = ({
  findings,
}: {
  findings: readonly { verdict: string; rule: string; pointer: string; title: string }[];
}) =>
  findings
    .filter(({ verdict, rule }) => verdict === 'error' && !Object.hasOwn(OURS, rule))
    .map(({ rule, pointer, title }) => `${rule} ${pointer} ${title}`);

/** Values of every type, and formats that are right in some places. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, 80.5, -1, 65_536, 1e300, [], {}, [null], ['a'], [{}], { a: 1 }],
  ...[
    '',
    ' ',
    'a',
    '8545',
    ' 8 ',
    '0x10',
    '80.5',
    '80;',
    'true',
    'false',
    'no',
    '1.2.3',
    '1a2b3',
    '1.x',
    '>=1.2.3',
    '12345',
  ],
  ...[
    'ethereum',
    'bitcoin',
    'handshake',
    'AI',
    'Blockchain',
    'linux/amd64',
    'service',
    'low',
    'GET',
    'get',
    '30s',
    'a-b',
    'abc-d',
  ],
  ...['ftp://a', ' http://a', 'http://a b', 'ws://a', 'a.dnp.dappnode.eth', 'a.eth', 12_345],
];

/** A specimen with each of its members in turn removed, and replaced by each value. */
function eachChange(specimen: Json, values = VALUES): unknown[] {
  const changed = (steps: readonly string[], to: unknown): unknown => {
    const copy = structuredClone(specimen);
    const parent = steps.slice(0, -1).reduce<Json>((value, step) => value[step] as Json, copy);
    parent[steps.at(-1)!] = to;
    return JSON.parse(JSON.stringify(copy));
  };
  const pathsIn = (value: unknown): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([step, one]) => [[step], ...pathsIn(one).map((rest) => [step, ...rest])])
      : [];
  return pathsIn(specimen).flatMap((steps) => [undefined, ...values].map((to) => changed(steps, to)));
}

/** Specimens, the first of them with each change, and all changed at random. */
const withChanges = (specimens: readonly Json[], values = VALUES): unknown[] => [
  ...specimens,
  ...eachChange(specimens[0]!, values),
  ...fc.sample(mutated(fc.constantFrom(...specimens)), { numRuns: CHANGED, seed: SEED }),
];

interface Disagreement<T> {
  value: T;
  errors: string[];
  refused: boolean;
}

/** @returns the first few disagreements */
function compare<T>(values: readonly T[], errors: (value: T) => string[], refuses: (value: T) => boolean) {
  const all = values.flatMap((value): Disagreement<T>[] => {
    const found = errors(value);
    const refused = refuses(value);
    return found.length > 0 === refused ? [] : [{ value, errors: found, refused }];
  });
  const refused = values.filter(refuses).length;
  expect(Math.min(refused, values.length - refused)).toBeGreaterThan(CHANGED / 10);
  return { count: all.length, first: all.slice(0, 3) };
}

function against({ version, refuses }: Oracle): void {
  const manifests = [FULL_DAPPNODE, FULL, ...files('**/*dappnode_package.json')].filter(isObject);
  const tell = (count: number, what: string): void =>
    void process.stdout.write(`${count} ${what} compared with @dappnode/schemas ${version}.\n`);

  test('the specimens are taken, so that a change can make them refused', () => {
    expect(refuses.manifest(forRelease(version, FULL_DAPPNODE))).toBe(false);
    expect(refuses.notifications?.(FULL_NOTIFICATIONS) ?? false).toBe(false);
  });

  test('manifests', () => {
    const values = withChanges(manifests).map((value) => forRelease(version, value));
    const errors = (value: unknown) => errorsOf(validateManifest(JSON.stringify(value), { dialect: 'dappnode' }));
    tell(values.length, 'manifests');
    expect(compare(values, errors, refuses.manifest)).toEqual({ count: 0, first: [] });
  });

  const refusesCompose = refuses.compose;
  if (refusesCompose) {
    test('compose files', () => {
      const isNew = semver.valid(version) === null || semver.gte(version, KNOWS_ALL);
      const packages = isNew ? PACKAGES : PACKAGES.slice(0, -1);
      const specimens = [FULL_COMPOSE, ...files('**/docker-compose.{yml,yaml}')].filter(isObject);
      const values = withChanges(specimens, [...VALUES, ...COMPOSE_VALUES]).filter(
        (value) => isNew || !NEWER_IN_COMPOSE.test(JSON.stringify(value))
      );
      // Random changes are compared for one package each.
      const pairs = values.flatMap((compose, index) =>
        (index < values.length - CHANGED ? packages : [packages[index % packages.length]!]).map((identity) => ({
          compose,
          identity,
        }))
      );
      tell(pairs.length, 'compose files');
      const refused = ({ compose, identity }: (typeof pairs)[number]) => refusesCompose(compose, identity);
      const errors = (pair: (typeof pairs)[number]) => {
        const all = validateCompose(JSON.stringify(pair.compose), 'dappnode', pair.identity).findings;
        return errorsOf({
          findings: refused(pair) ? all : all.filter(({ rule }) => !Object.hasOwn(OF_DOCKER, rule)),
        });
      };
      expect(pairs.slice(0, packages.length).map(refused)).toEqual(packages.map(() => false));
      expect(compare(pairs, errors, refused)).toEqual({ count: 0, first: [] });
    });
  } else {
    test('compose files are not compared: NODEBELL_DAPPNODE_SCHEMAS is not in a checkout', () => {
      expect(existsSync(path.join(version, '..', 'validateDappnodeCompose.ts'))).toBe(false);
    });
  }

  if (refuses.notifications) {
    const { notifications } = refuses;
    test('notifications files', () => {
      const specimens = [FULL_NOTIFICATIONS, ...files('**/*notifications.{yaml,yml,json}')].filter(isObject);
      const values = withChanges(specimens);
      const errors = (value: unknown) => errorsOf(validateNotifications(JSON.stringify(value), 'dappnode'));
      tell(values.length, 'notifications files');
      expect(compare(values, errors, notifications)).toEqual({ count: 0, first: [] });
    });
  } else {
    test('notifications files are not compared: this release does not validate them', () => {
      expect(semver.lt(version, KNOWS_ALL)).toBe(true);
    });
  }
}

const oracle = await loadOracle();
if (typeof oracle === 'string') {
  test('DAppNode’s validation is not compared: its package could not be installed', () => {
    process.stdout.write(`The dialect dappnode was not compared. ${oracle}\n`);
    expect(oracle).not.toBe('');
  });
} else {
  describe(`DAppNode’s validation, ${oracle.version}`, () => against(oracle));
}
