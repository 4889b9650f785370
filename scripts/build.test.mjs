import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { build } from './build.mjs';
import { ROOT, run } from './run.mjs';
import { isFresh, markFresh } from './stale.mjs';

vi.mock(import('./run.mjs'), async (original) => ({ ...(await original()), run: vi.fn(), say: vi.fn() }));
vi.mock('./stale.mjs', () => ({ isFresh: vi.fn(), markFresh: vi.fn() }));

const builds = () => vi.mocked(run).mock.calls.map(([, args]) => args.join(' '));

beforeEach(() => {
  vi.mocked(run).mockReset().mockResolvedValue(0);
  vi.mocked(isFresh).mockReset().mockReturnValue(true);
  vi.mocked(markFresh).mockReset();
});

test('only what is stale is built', async () => {
  vi.mocked(isFresh).mockImplementation((name) => name !== 'plugin');
  await build('node');
  expect(builds()).toEqual([expect.stringMatching(/webpack.* --env production/)]);
});

test('a release is built with its plain version, even if the stamps are fresh: `npm run dev` writes to the same folder', async () => {
  await build('node', { release: true });
  expect(builds()).toEqual([
    expect.stringContaining('backend-bridge/build.ts'),
    expect.stringMatching(/webpack.* --env production.* --env release$/),
    expect.stringContaining('standalone/build.ts'),
  ]);
  expect(readFileSync(path.join(ROOT, 'scripts', 'package.mjs'), 'utf8')).toContain('{ release: true }');
});

test('npm start builds without minifying, but takes a build that is minified', async () => {
  const fresh = (...names) => vi.mocked(isFresh).mockImplementation((name) => names.includes(name));
  fresh('bridge', 'host');
  await build('node', { minified: false });
  expect(builds()).toEqual([expect.stringMatching(/webpack.* --env production .*--env unminified/)]);
  expect(markFresh).toHaveBeenCalledExactlyOnceWith('plugin-unminified', expect.anything(), 'dist/module.js');
  vi.mocked(run).mockClear();
  for (const name of ['plugin', 'plugin-unminified']) {
    fresh('bridge', 'host', name);
    await build('node', { minified: false });
  }
  expect(builds()).toEqual([]);
  // Everything else needs the build of a release.
  await build('node');
  expect(builds()).toEqual([expect.not.stringContaining('unminified')]);
});

test('a failed build is reported after the others have ended', async () => {
  vi.mocked(isFresh).mockReturnValue(false);
  vi.mocked(run).mockImplementation((_, [first]) => Promise.resolve(first === 'backend-bridge/build.ts' ? 1 : 0));
  await expect(build('node')).rejects.toThrow('Building the bridge failed');
  expect(vi.mocked(markFresh).mock.calls.map(([name]) => name)).toEqual(['plugin', 'host']);
});

test("every file that webpack's configuration imports is an input", async () => {
  await build('node');
  const inputs = vi.mocked(isFresh).mock.calls.find(([name]) => name === 'plugin')[1];
  const config = readFileSync(path.join(ROOT, 'webpack.config.ts'), 'utf8');
  const imported = [...config.matchAll(/from '\.\/(.+)'/g)].map(([, file]) => file);
  expect(imported).not.toEqual([]);
  expect(imported.filter((file) => !inputs.some((input) => file === input || file.startsWith(`${input}/`)))).toEqual(
    []
  );
});
