import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { run } from '../cliWorld.testing.ts';

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.0.0', type: 'service', description: 'It.', license: 'MIT', ...more });
const shipped = (uid: string, title: string): string => JSON.stringify({ uid, title, panels: [] });
/** Two packages, not sorted by name, that share a uid. */
const FILES = {
  'in/p.yaml': 'apiVersion: 1\npackages: [{ path: b }, { path: a }]\n',
  'in/a/dappnode_package.json': manifest('a.example.eth'),
  'in/a/host-grafana-dashboard.json': shipped('host', 'Host of a'),
  'in/b/dappnode_package.json': manifest('b.example.eth'),
  'in/b/host-grafana-dashboard.json': shipped('Host', 'Host of b'),
  'in/b/broken-grafana-dashboard.json': '{',
};

function world(files: Record<string, string> = FILES) {
  const base = temporaryFolder();
  const write = (changed: Record<string, string>): void => {
    for (const [name, text] of Object.entries(changed)) {
      mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
      writeFileSync(path.join(base, name), text);
    }
  };
  write(files);
  const out = path.join(base, 'out');
  return {
    out,
    write,
    remove: (name: string) => rmSync(path.join(base, name), { recursive: true }),
    dashboards: (...flags: string[]) => run(['dashboards', '--dir', path.join(base, 'in'), '--out', out, ...flags]),
    read: (name: string) => JSON.parse(readFileSync(path.join(out, name), 'utf8')) as Record<string, unknown>,
  };
}

const fates = (out: string): string[] => out.split('\n').flatMap((line) => line.split(' ')[0] || []);

test('a uid shared by two packages belongs to the first by name; the other is reported', async () => {
  const { dashboards, out, read } = world();
  const { code, err } = await dashboards();
  expect(code).toBe(0);
  expect(readdirSync(out)).toEqual([
    'host.json',
    expect.stringMatching(/^nodebell-a-example-eth-\w{8}\.json$/),
    expect.stringMatching(/^nodebell-b-example-eth-\w{8}\.json$/),
  ]);
  readdirSync(out).forEach((name) => expect(`${String(read(name).uid)}.json`).toBe(name));
  expect(read('host.json')).toMatchObject({ uid: 'host', title: 'Host of a', tags: ['nodebell'] });
  expect(err).toMatch(
    /^b\.example\.eth: broken-grafana-dashboard\.json is skipped\. It is no JSON: .*\nb\.example\.eth: host-grafana-dashboard\.json is skipped\. Its uid Host is already used by a dashboard of a\.example\.eth\.\n$/
  );
});

test('output is deterministic; only changes are written', async () => {
  const one = world();
  const other = world({ ...FILES, 'in/p.yaml': 'apiVersion: 1\npackages: [{ path: a }, { path: b }]\n' });
  await one.dashboards();
  await other.dashboards();
  for (const name of readdirSync(one.out)) {
    expect(readFileSync(path.join(other.out, name), 'utf8')).toBe(readFileSync(path.join(one.out, name), 'utf8'));
    utimesSync(path.join(one.out, name), 1, 1);
  }
  one.write({ 'in/b/dappnode_package.json': manifest('b.example.eth', { shortDescription: 'New.' }) });
  expect(fates((await one.dashboards()).out).sort()).toEqual(['kept', 'kept', 'wrote']);
  const old = readdirSync(one.out).filter((name) => statSync(path.join(one.out, name)).mtimeMs === 1000);
  expect(old).toHaveLength(2);
});

test('dashboards without a package are reported, and deleted with --prune; other files are kept', async () => {
  const { dashboards, out, remove, write } = world();
  await dashboards();
  write({
    'in/p.yaml': 'apiVersion: 1\npackages: [{ path: b }]\n',
    'out/mine.json': '{ "uid": "mine", "tags": [] }',
    'out/copy.json': JSON.stringify({ uid: 'other', tags: ['nodebell'] }),
    'out/list.json': '[]',
    'out/provider.yaml': 'apiVersion: 1',
  });
  remove('in/b/host-grafana-dashboard.json');
  expect((await dashboards()).out).toMatch(
    /^left {5}\S*host\.json {2}belongs to no package; use --prune to delete it$/m
  );
  expect(readdirSync(out)).toContain('host.json');
  expect(fates((await dashboards('--prune')).out)).toEqual(['kept', 'deleted', 'deleted']);
  const left = readdirSync(out).filter((name) => !name.startsWith('nodebell-b'));
  expect(left).toEqual(['copy.json', 'list.json', 'mine.json', 'provider.yaml']);
});

test('other files are not overwritten', async () => {
  const { dashboards, read, write } = world();
  write({ 'out/host.json': '{ "uid": "host", "title": "Mine" }' });
  const { code, out } = await dashboards();
  expect([code, out]).toEqual([1, expect.stringMatching(/^refused {2}\S*host\.json {2}is not a dashboard/m)]);
  expect(read('host.json')).toEqual({ uid: 'host', title: 'Mine' });
  expect(fates(out).sort()).toEqual(['refused', 'wrote', 'wrote']);
});

test('with errors nothing is written', async () => {
  const { dashboards, out, write } = world();
  write({ 'in/p.yaml': 'apiVersion: 1\npackages: [{ path: b }, { path: c }]\n' });
  const { code, err } = await dashboards();
  expect([code, err]).toEqual([1, expect.stringContaining('p.yaml\n  2:33')]);
  expect(() => readdirSync(out)).toThrow('ENOENT');
});

test('write errors are reported', async () => {
  const { dashboards, write } = world();
  write({ out: 'a file' });
  expect(await dashboards()).toMatchObject({ code: 2, err: expect.stringMatching(/cannot write .*out \(EEXIST\)/) });
});
