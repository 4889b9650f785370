/**
 * Rules of Grafana's plugin catalog for what is not in the archive's metadata: sources, links and texts. They follow the checks of
 * https://github.com/grafana/plugin-validator, which docs/release.md describes how to run.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
interface Plugin {
  id: string;
  info: { links: { name: string; url: string }[]; author: { url: string } };
}
const plugin = JSON.parse(read('plugin.json')) as Plugin;
const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
const HOME = repository.url.replace(/^git\+|\.git$/g, '');

/** The validator examines each folder `src`, comments and test helpers included. */
const SOURCES = ['src', 'backend-bridge/src'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }).filter((file) => !/\.(test|spec)\.tsx?$/.test(file))
);

describe('sources contain no', () => {
  test.each([
    ['direct queries, instead of getDataSourceSrv()', /\/api\/ds\/query/, 'src'],
    ['suppressed type errors', /@ts-(ignore|expect-error)/, ''],
    ['logging to the console', /\bconsole\.(log|info|table|clear|count|dir|group|time|trace)/, 'src'],
    ['access to the address, instead of locationService', /window\.location\.(search|href)/, ''],
    ['dialogs of the browser', /\bwindow\.(alert|confirm|prompt)\(|(?<![\w.])alert\(/, 'src'],
    ['windows with an opener', /window\.open\((?!.*noopener,noreferrer)/, ''],
    [
      'internals of Grafana or React',
      /window\.(grafana\w+|__grafana\w+)|__SECRET_INTERNALS|featureToggles\.topnav/,
      '',
    ],
    [
      'style sheets, global styles and classes of Grafana',
      /import\s+['"].*\.(css|scss|less)['"]|<Global\b|gf-form/,
      '',
    ],
    ['elements looked up in the whole document', /document\.(querySelector|getElementById)/, 'src'],
  ])('%s', (_, pattern, folder) => {
    const found = SOURCES.filter((file) => file.startsWith(folder) && pattern.test(read(file)));
    expect(found).toEqual([]);
  });
});

test('keys in the storage of the browser begin with the id of the plugin', () => {
  const uses = SOURCES.filter((file) => /(local|session)Storage\./.test(read(file)));
  expect(uses).not.toEqual([]);
  expect(uses.filter((file) => !read(file).includes(`'${plugin.id}.`))).toEqual([]);
});

test('plugin.json has the links that the catalog shows, to the repository of package.json', () => {
  const { links, author } = plugin.info;
  expect(links.map(({ name }) => name.toLowerCase()).sort()).toEqual(
    ['documentation', 'license', 'raise issue', 'repository', 'sponsorship'].sort()
  );
  const elsewhere = [author, ...links].map(({ url }) => url).filter((url) => !url.startsWith(HOME));
  expect(elsewhere).toEqual([expect.stringMatching(/^https:\/\/github\.com\/sponsors\/\w+$/)]);
});

describe.each(['src/README.md', 'CHANGELOG.md'])('%s, which the catalog shows without the repository', (file) => {
  const links = [...read(file).matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to!);

  test('has absolute links only, and those to this repository have a target', () => {
    expect(links.filter((to) => !to.startsWith('https://'))).toEqual([]);
    const raw = HOME.replace('github.com', 'raw.githubusercontent.com');
    const own = links.flatMap((to) => /^(?:.*\/blob\/main|.*githubusercontent.*\/main)\/([^#]+)/.exec(to)?.[1] ?? []);
    expect(own).not.toEqual([]);
    expect(own.filter((target) => !existsSync(path.join(ROOT, target)))).toEqual([]);
    expect(links.filter((to) => to.includes('/main/') && ![HOME, raw].some((base) => to.startsWith(base)))).toEqual([]);
  });

  test('has no comments, and none of the words that the validator rejects', () => {
    expect(read(file)).not.toMatch(/<!--|\byarn\b|\bnodejs\b/i);
  });
});

test('the licence names its owner', () => {
  expect(read('LICENSE')).not.toMatch(/\{yyyy\}|\{name of copyright owner\}/);
});
