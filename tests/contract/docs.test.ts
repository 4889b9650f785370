/** The docs match the code: links, settings, metrics and YAML examples. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { GATUS_BODY } from '../../backend-bridge/contract/gatusWebhook.ts';
import { STORE_FAILURES } from '../../backend-bridge/contract/status.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../backend-bridge/src/platform/access/signature.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const markdownIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name));
const PAGES = [...markdownIn('.'), ...markdownIn('docs'), ...markdownIn('docs/decisions')];

/** Source files, as `/path`: pages name them by their last segments. */
const SOURCES = [
  'src',
  'backend-bridge/src',
  'backend-bridge/contract',
  'backend-bridge/bin',
  'standalone',
  'tests',
  'scripts',
  '.',
]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: folder !== '.' }).map((file) =>
      path.posix.join('/', folder, String(file))
    )
  )
  .concat('/backend-bridge/build.ts');

/** The anchor of a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
const anchorsOf = (file: string): string[] => [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, text]) => anchor(text!));

describe.each(PAGES)('%s', (page) => {
  test('every link within the repository has a target', () => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to!).filter((to) => !/^\w+:/.test(to));
    const broken = links.filter((to) => {
      const [file = '', heading] = to.split('#');
      const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      return !existsSync(path.join(ROOT, target)) || (heading !== undefined && !anchorsOf(target).includes(heading));
    });
    expect(broken).toEqual([]);
  });

  test('every source file that it names exists', () => {
    const named = [...read(page).matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map(([, file]) => file!);
    expect(named.filter((file) => !SOURCES.some((source) => source.endsWith(`/${file}`)))).toEqual([]);
  });

  test('every npm script that it names exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

/** The YAML examples of a page. */
const yamlIn = (page: string): Record<string, unknown>[] =>
  [...read(page).matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent, text]) => parse(text!.replaceAll(new RegExp(`^${indent}`, 'gm'), '')) as Record<string, unknown>
  );

test('docs/README.md links to every page for operators, package authors and developers', () => {
  const index = read('docs/README.md');
  const pages = markdownIn('docs').map((page) => path.posix.basename(page));
  expect(pages.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
});

test('docs/use-the-inbox.md links to every picture, and they are small enough to clone', () => {
  const pictures = readdirSync(path.join(ROOT, 'docs/img'));
  const page = read('docs/use-the-inbox.md');
  expect(pictures.filter((name) => !page.includes(`](img/${name})`))).toEqual([]);
  const bytes = pictures.reduce((sum, name) => sum + statSync(path.join(ROOT, 'docs/img', name)).size, 0);
  expect(bytes).toBeLessThan(6 * 1024 * 1024);
});

test('the docs stay short: at most 13 pages, and 40,000 words together with the decisions', () => {
  const pages = markdownIn('docs');
  const words = [...pages, ...markdownIn('docs/decisions')].flatMap((page) => read(page).match(/\S+/g) ?? []);
  expect(pages.length).toBeLessThanOrEqual(13);
  expect(words.length).toBeLessThanOrEqual(40_000);
});

test('docs/decisions/README.md lists every decision', () => {
  const index = read('docs/decisions/README.md');
  const pages = markdownIn('docs/decisions').map((page) => path.posix.basename(page));
  expect(pages.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
});

describe('pages for operators', () => {
  const blocks = ['docs/install.md', 'docs/connect-senders.md', 'docs/configure.md'].flatMap(yamlIn);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the examples differ in shape
  const block = (member: string, child?: string): any =>
    blocks.find((one) => member in one && (child === undefined || child in (one[member] as object)));

  test('lists all settings and no others', () => {
    const sources = ['config.ts', 'configUrls.ts', 'monitoring/monitors/settings.ts']
      .map((name) => read(`backend-bridge/src/${name}`))
      .join('');
    const known = [...sources.matchAll(/'(NODEBELL_[A-Z_]+)'/g)].map(([, name]) => name!);
    const listed = [...read('docs/configure.md').matchAll(/^\| `(NODEBELL_[A-Z_]+)`/gm)].map(([, name]) => name!);
    expect(listed.sort()).toEqual([...new Set(known)].sort());
  });

  test('names no settings that do not exist', () => {
    const settings = read('docs/configure.md');
    /** Variables of the stand-in's script, and of tests. */
    const others = ['NODEBELL_TEST_POSTGRES_BIN', 'NODEBELL_TEST_ALL'];
    const named = PAGES.flatMap((page) => [...read(page).matchAll(/\bNODEBELL_[A-Z_]+[A-Z]\b/g)].map(([name]) => name));
    const unknown = named.filter((name) => !settings.includes(`\`${name.replace(/_FILE$/, '')}\``));
    expect(unknown.filter((name) => !others.includes(name))).toEqual([]);
  });

  test('lists all metrics of the bridge, and no others', () => {
    const known = SOURCES.filter((file) => /^\/backend-bridge\/src\/.*(?<!\.test|\.testing)\.ts$/.test(file)).flatMap(
      (file) => [...read(file).matchAll(/'(nodebell_[a-z_]+)'/g)].map(([, name]) => name!)
    );
    const listed = [...read('docs/operate.md').matchAll(/^\| `(nodebell_[a-z_]+)/gm)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual([...new Set(known)].sort());
  });

  test('lists all reasons why the store cannot be written', () => {
    const page = read('docs/operate.md');
    expect(STORE_FAILURES.filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
  });

  test('quotes messages that exist', () => {
    const sources = SOURCES.filter((file) =>
      /^\/(src|backend-bridge\/(src|contract))\/.*(?<!\.test)\.(tsx?|json)$/.test(file)
    )
      .map(read)
      .join('\n')
      .replaceAll(/\s+/g, ' ');
    const [, troubleshooting = ''] = read('docs/operate.md').split('\n## Troubleshoot\n');
    const quoted = [...troubleshooting.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, symptom]) =>
      [...symptom!.matchAll(/"([^"]+)"/g)].flatMap(([, text]) => text!.split('…'))
    );
    expect(quoted.length).toBeGreaterThan(20);
    /** Messages of Grafana. */
    const others = ['plugin proxy route access denied', 'disk_full'];
    expect(quoted.filter((text) => !sources.includes(text.trim()) && !others.includes(text))).toEqual([]);
  });

  test("configures the headers that the bridge verifies in Grafana's contact point", () => {
    const { contactPoints } = block('contactPoints');
    const { url, hmacConfig } = contactPoints[0].receivers[0].settings;
    expect(url).toMatch(/\/api\/v1\/webhooks\/grafana$/);
    expect(hmacConfig).toMatchObject({ header: SIGNATURE_HEADER, timestampHeader: TIMESTAMP_HEADER });
  });

  test('configures the webhook of Alertmanager', () => {
    const { receivers } = block('receivers');
    expect(receivers[0].webhook_configs[0].url).toMatch(/\/api\/v1\/webhooks\/alertmanager$/);
  });

  test('configures the recommended body for Gatus', () => {
    const { custom } = block('alerting', 'custom').alerting;
    expect(custom).toMatchObject({ method: 'POST', body: GATUS_BODY });
  });

  test('provisions the plugin with the settings that it reads', () => {
    const [app] = block('apps').apps;
    const plugin = read('plugin.json');
    expect(app.type).toBe((JSON.parse(plugin) as { id: string }).id);
    expect(Object.keys(app.jsonData).every((name) => plugin.includes(`.JsonData.${name} `))).toBe(true);
    expect(Object.keys(app.secureJsonData).every((name) => plugin.includes(`.SecureJsonData.${name} `))).toBe(true);
  });
});
