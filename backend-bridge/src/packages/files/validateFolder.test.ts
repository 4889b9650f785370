import { describe, expect, test } from 'vitest';
import { folderWith, manifestText } from './packageFolder.testing.ts';
import { readPackageFolder } from './readPackageFolder.ts';
import { validateFolder } from './validateFolder.ts';

async function validate(files: Record<string, string>) {
  const [folder] = await readPackageFolder(folderWith(files));
  const validated = validateFolder(folder!, { dialect: 'dappnode' });
  return {
    ...validated,
    places: validated?.findings.map(({ rule, path, line, column }) => `${rule} ${path}:${line}:${column}`),
  };
}

const VARIANT = 'package_variants/main/dappnode_package.json';

test('without variants findings are in their files', async () => {
  const { acceptable, places } = await validate({
    'dappnode_package.json': manifestText({ mainService: 'api' }),
    'notifications.yml': 'endpoints: 5\n',
    'docker-compose.yaml': 'services:\n  web: x\nversion: "3.5"\n',
  });
  expect(acceptable).toBe(false);
  expect(places).toEqual([
    'service-unknown dappnode_package.json:10:20',
    'file-shape notifications.yml:1:12',
    'service-shape docker-compose.yaml:2:8',
  ]);
});

describe('findings of merged manifests point to the file with the value', () => {
  test('to the value in the variant, and to the one in the root', async () => {
    const { places } = await validate({
      'dappnode_package.json': manifestText({ version: '1.0', shortDescription: 'Too short' }),
      [VARIANT]: '{\n\n\n  "version": "2.x"\n}',
    });
    expect(places).toEqual([`short-description-words dappnode_package.json:10:25`, `version-format ${VARIANT}:4:14`]);
  });

  test('to the whole value if it is formatted differently', async () => {
    const files = { 'dappnode_package.json': manifestText(), [VARIANT]: '{"version": "\\u0031.x"}' };
    expect((await validate(files)).findings).toEqual([
      expect.objectContaining({ path: VARIANT, column: 13, endColumn: 23, pointer: '/version' }),
    ]);
  });

  test('to the key of a member', async () => {
    const { places } = await validate({
      'dappnode_package.json': manifestText({ links: { ui: 'http://a' }, colour: 'red' }),
      [VARIANT]: '{"author": "A <a@b.cd> (https://a.example)",\n "liense": "MIT"}',
    });
    expect(places).toEqual(['unknown-member dappnode_package.json:13:5', `unknown-member ${VARIANT}:2:2`]);
  });

  test('to the parent of a missing member', async () => {
    const { places } = await validate({
      'dappnode_package.json': manifestText({ license: undefined }),
      [VARIANT]: '{\n  "bugs": {}\n}',
    });
    expect(places).toEqual(['required dappnode_package.json:1:1', `required ${VARIANT}:2:3`]);
  });

  test('with an empty variant', async () => {
    const root = JSON.stringify(JSON.parse(manifestText({ colour: 'red' })), null, 2);
    expect((await validate({ 'dappnode_package.json': root, [VARIANT]: '{}' })).places).toEqual([
      'unknown-member dappnode_package.json:10:3',
    ]);
  });

  test('a duplicate member in one of them is reported', async () => {
    const { places } = await validate({
      'dappnode_package.json': manifestText(),
      [VARIANT]: '{"version": "2.0.0",\n "version": "3.0.0"}',
    });
    expect(places).toEqual([`duplicate-member ${VARIANT}:2:2`]);
  });

  test('only syntax errors of an invalid file are reported', async () => {
    const { acceptable, places } = await validate({
      'dappnode_package.json': manifestText({ license: undefined }),
      [VARIANT]: '{\n  "version": "2.0.0"\n  "author": "x"\n}',
    });
    expect([acceptable, places]).toEqual([false, [`syntax ${VARIANT}:3:3`]]);
  });
});

describe('findings of merged compose files', () => {
  test('the manifest may refer to services of both', async () => {
    const { places } = await validate({
      'dappnode_package.json': manifestText({ type: 'library', mainService: 'db' }),
      'docker-compose.yml': 'services:\n  web:\n    environment: [A=1]\nversion: "3.5"\n',
      [VARIANT]: '{}',
      'package_variants/main/docker-compose.yml': 'services:\n  db: {}\n',
    });
    expect(places).toEqual(['library-environment dappnode_package.json:5:13']);
  });

  test('one of them may have no services', async () => {
    const files = {
      'dappnode_package.json': manifestText(),
      'docker-compose.yml': 'version: "3.5"\n',
      [VARIANT]: '{}',
    };
    const variant = 'package_variants/main/docker-compose.yml';
    expect((await validate({ ...files, [variant]: 'services: {a: {}}\n' })).places).toEqual([]);
    expect((await validate({ ...files, [variant]: 'volumes: {}\n' })).places).toEqual([
      'services-missing docker-compose.yml:1:1',
      `services-missing ${variant}:1:1`,
    ]);
  });

  test('DAppNode’s rules apply to the merged file, with places in the file that has the value', async () => {
    const variant = 'package_variants/main/docker-compose.yml';
    const files = {
      'dappnode_package.json': manifestText(),
      'docker-compose.yml': 'services:\n  web:\n    volumes: ["a:/a"]\n    pid: host\n    dns: 172.33.1.2\n',
      [VARIANT]: '{}',
    };
    const inBoth = 'volumes: {a: {}}\nservices:\n  web:\n    dns: 8.8.8.8\n';
    expect((await validate({ ...files, [variant]: inBoth })).places).toEqual([
      'compose-version docker-compose.yml:1:1',
      'compose-pid docker-compose.yml:4:5',
      `compose-dns ${variant}:4:5`,
    ]);
    expect((await validate({ ...files, [variant]: 'version: "3.5"\n' })).places).toEqual([
      'compose-volume docker-compose.yml:3:15',
      'compose-pid docker-compose.yml:4:5',
    ]);
  });
});

test('a folder without a manifest is not validated', async () => {
  const [folder] = await readPackageFolder(folderWith({}));
  expect(validateFolder(folder!, { dialect: 'spec' })).toBeUndefined();
});

describe('findings of merged notifications files', () => {
  const VARIANT_FILE = 'package_variants/main/notifications.yaml';
  const ROOT = 'endpoints:\n  - name: a\n    correlationId: a\n    conditions: ["[BODY].x => 80"]\n    colour: red\n';
  const placesOf = async (notifications: string, variant: string) => {
    const files = { 'dappnode_package.json': manifestText(), [VARIANT]: '{}' };
    const { findings } = await validate({ ...files, 'notifications.yaml': notifications, [VARIANT_FILE]: variant });
    return findings?.flatMap(({ rule, path, line, file }) =>
      file === 'notifications' && rule !== 'member-missing' ? [`${rule} ${path}:${line}`] : []
    );
  };
  test('point to the file with the value', async () => {
    expect(await placesOf(ROOT, 'endpoints:\n  - color: 5\n')).toEqual([
      'correlation-id-format notifications.yaml:3',
      'condition-grammar notifications.yaml:4',
      'member-unknown notifications.yaml:5',
      `member-unknown ${VARIANT_FILE}:2`,
    ]);
  });
  test.each(['', 'endpoints: [', '5'])('if one cannot be merged, it alone is reported: %j', async (text) => {
    expect((await placesOf(ROOT, text))?.every((place) => place.includes(VARIANT_FILE))).toBe(true);
    expect((await placesOf(text, ROOT))?.every((place) => place.includes(' notifications.yaml'))).toBe(true);
  });
});
