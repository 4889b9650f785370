import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { folderWith, manifestText } from '../../packages/files/packageFolder.testing.ts';
import { run } from '../cliWorld.testing.ts';

const GOOD = { 'dappnode_package.json': manifestText() };
const NOTES = 'endpoints:\n  - correlationId: web-up\n    conditions: "[STATUS] == 200"\n';
const BAD = {
  'bad/dappnode_package.json': manifestText({ version: '1.0', shortDescription: 'Too short' }),
  'bad/notifications.yaml': NOTES,
};

/** Paths are printed relative to the current folder. */
function at(files: Record<string, string>): string {
  const dir = folderWith(files);
  vi.spyOn(process, 'cwd').mockReturnValue(dir);
  return dir;
}

const json = async (...args: string[]) => {
  const { code, out } = await run(['validate', '--format', 'json', ...args]);
  return {
    code,
    ...(JSON.parse(out) as { files: { path: string; findings: unknown[] }[]; unreadable: unknown[]; summary: object }),
  };
};

describe('what is validated', () => {
  test('the current folder by default, recursively', async () => {
    const dir = at({ ...GOOD, ...BAD, 'node_modules/x/dappnode_package.json': '{', '.git/dappnode_package.json': '{' });
    const { code, files, summary } = await json(dir);
    expect(files.map((file) => file.path)).toEqual([
      'dappnode_package.json',
      'bad/dappnode_package.json',
      'bad/notifications.yaml',
    ]);
    expect([code, summary]).toEqual([1, expect.objectContaining({ packages: 2, files: 3 })]);
  });

  test('findings of the root are reported once, not per variant', async () => {
    const dir = at({
      'dappnode_package.json': manifestText({ colour: 'red' }),
      'package_variants/a/dappnode_package.json': '{}',
      'package_variants/b/dappnode_package.json': '{"version": "1"}',
    });
    const { files, summary } = await json(dir);
    expect(files.map((file) => [file.path, file.findings.length])).toEqual([
      ['dappnode_package.json', 1],
      ['package_variants/a/dappnode_package.json', 0],
      ['package_variants/b/dappnode_package.json', 1],
    ]);
    expect(summary).toMatchObject({ packages: 2, files: 3, errors: 1, warnings: 1 });
  });

  const rulesOf = ({ findings }: { findings: unknown[] }) => findings.map((one) => (one as { rule: string }).rule);

  test('given files by the kind of their names, in the given order', async () => {
    const dir = at({
      'a-notifications.yaml': NOTES,
      'm.json': manifestText(),
      'docker-compose.yml': 'services: {}\nversion: "3.5"\n',
    });
    const { files, summary } = await json(
      ...['a-notifications.yaml', 'm.json', 'docker-compose.yml', 'm.json'].map((name) => path.join(dir, name))
    );
    expect(files.map((file) => [file.path, rulesOf(file).at(-1)])).toEqual([
      ['a-notifications.yaml', 'conditions-shape'],
      ['m.json', undefined],
      ['docker-compose.yml', 'services-missing'],
    ]);
    expect(summary).toMatchObject({ packages: 0, files: 3 });
  });

  test('a manifest together with a given compose file', async () => {
    const dir = at({
      'svc/dappnode_package.json': manifestText({ mainService: 'nope' }),
      'svc/docker-compose.yml': 'services: {web: {image: a}}\nversion: "3.5"\n',
      'other/docker-compose.yml': 'services: {nope: {image: a}}\nversion: "3.5"\n',
    });
    const named = (...names: string[]) => json(...names.map((name) => path.join(dir, name)));
    const alone = await named('svc/dappnode_package.json', 'other/docker-compose.yml');
    expect(alone.files.map(rulesOf)).toEqual([[], []]);
    const together = await named('svc/docker-compose.yml', 'svc/dappnode_package.json');
    expect(together.files.map(rulesOf)).toEqual([[], ['service-unknown']]);
  });

  test('a compose or notifications file alone by the dialect', async () => {
    const dir = at({
      'docker-compose.yml': 'services: {a: {image: a}}\n',
      'notifications.yaml': 'endpoints: []\nendpoints: []\n',
    });
    const verdicts = async (...flags: string[]) =>
      (
        await json(...flags, ...['docker-compose.yml', 'notifications.yaml'].map((name) => path.join(dir, name)))
      ).files.map(({ findings }) => findings.map((one) => (one as { verdict: string }).verdict));
    expect(await verdicts('--dialect', 'dappnode')).toEqual([['error'], ['error']]);
    expect(await verdicts('--dialect', 'any')).toEqual([['warning'], ['warning']]);
    expect(await verdicts('--dialect', 'spec')).toEqual([[], ['warning']]);
  });

  test('files separately if the manifest is ambiguous', async () => {
    const dir = at({
      'a.json': manifestText({ mainService: 'nope' }),
      'b.json': manifestText(),
      'docker-compose.yml': 'services: {}\nversion: "3.5"\n',
    });
    const { files } = await json(...['a.json', 'b.json', 'docker-compose.yml'].map((name) => path.join(dir, name)));
    expect(files.map(rulesOf)).toEqual([[], [], ['services-missing']]);
  });

  describe('libraries, against the packages of the same run', () => {
    const library = manifestText({ name: 'l.eth', type: 'library', dependencies: { 's.eth': '^1.0.0' } });
    const other = (type: string): string => manifestText({ name: 's.eth', type, categories: ['Blockchain'] });
    test.each([
      ['a service', { 's/dappnode_package.json': other('service') }, 'library-depends'],
      ['a library', { 's/dappnode_package.json': other('library') }, undefined],
      ['nothing that is there', {}, 'library-dependency'],
      [
        'one that is both',
        { 's/dappnode_package.json': other('service'), 't/dappnode_package.json': other('library') },
        'library-dependency',
      ],
    ])('that depend on %s', async (_, files, rule) => {
      const found = await json(at({ 'l/dappnode_package.json': library, ...files }));
      expect(rulesOf(found.files[0]!)).toEqual(rule === undefined ? [] : [rule]);
    });

    test('also for given files', async () => {
      const dir = at({ 'l/m.json': library, 's/m.json': other('service') });
      const { files } = await json(path.join(dir, 'l/m.json'), path.join(dir, 's/m.json'));
      expect(files.map(rulesOf)).toEqual([['library-depends'], []]);
    });
  });

  test('a given file, also through a link; variants without a manifest are not a package', async () => {
    const dir = at({ 'real/m.json': '{', 'empty/package_variants/a/docker-compose.yml': 'services: {a: {}}\n' });
    symlinkSync(path.join(dir, 'real/m.json'), path.join(dir, 'link.json'));
    symlinkSync(path.join(dir, 'real'), path.join(dir, 'folder'));
    const { files, unreadable } = await json(
      ...['link.json', 'folder/m.json', 'empty'].map((name) => path.join(dir, name))
    );
    expect(files.map((file) => file.path)).toEqual(expect.arrayContaining(['link.json', 'folder/m.json']));
    expect(unreadable).toEqual([{ path: 'empty', message: 'The folder has variants, but no dappnode_package.json.' }]);
  });

  test('with the rules of the dialect', async () => {
    const dir = at({ 'dappnode_package.json': manifestText({ chain: { driver: 'ethereum' } }) });
    expect((await json(dir)).files[0]?.findings).toEqual([]);
    expect((await json(dir, '--dialect', 'dappnode')).code).toBe(0);
    expect((await json(dir, '--dialect', 'spec')).code).toBe(1);
  });
});

describe('exit codes', () => {
  test.each([
    ['no findings', GOOD, 0],
    ['warnings only', { 'dappnode_package.json': manifestText({ colour: 'red' }) }, 0],
    ['an error', BAD, 1],
    ['no package', { 'README.md': '' }, 2],
  ])('%s', async (_, files, code) => expect((await run(['validate', at(files)])).code).toBe(code));

  test.each([
    ['no findings', GOOD, 0],
    ['notes only', { 'dappnode_package.json': manifestText({ warnings: { onUpdate: 'a' } }) }, 0],
    ['warnings only', { 'dappnode_package.json': manifestText({ colour: 'red' }) }, 1],
    ['warnings that --quiet does not print', { 'dappnode_package.json': manifestText({ colour: 'red' }) }, 1],
  ])('with --strict: %s', async (title, files, code) =>
    expect((await run(['validate', '--strict', ...(title.includes('quiet') ? ['--quiet'] : []), at(files)])).code).toBe(
      code
    )
  );

  test('a folder without permission is named as such', async (context) => {
    context.skip(process.getuid?.() === 0, 'root may read all folders');
    const dir = at(GOOD);
    chmodSync(dir, 0o100);
    onTestFinished(() => chmodSync(dir, 0o700));
    const { code, unreadable } = await json(dir);
    expect([code, unreadable]).toEqual([2, [{ path: '.', message: 'Permission denied.' }]]);
  });

  test('unreadable files take precedence over errors', async () => {
    const dir = at(BAD);
    mkdirSync(path.join(dir, 'bad/docker-compose.yml'));
    const { code, unreadable } = await json(dir, path.join(dir, 'gone'));
    expect(code).toBe(2);
    expect(unreadable).toEqual([
      { path: 'gone', message: 'File not found.' },
      { path: 'bad/docker-compose.yml', message: 'Not a regular file.' },
    ]);
  });

  test.each([[['--format', 'xml']], [['--dialect', 'mine']], [['--nonsense']]])(
    '%s is an invalid command',
    async (args) => {
      expect(await run(['validate', ...args])).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('--help') as unknown,
      });
    }
  );
});

describe('format human', () => {
  test('findings per file with source line and marker, and a summary', async () => {
    const { out } = await run(['validate', at(BAD)]);
    expect(out).toContain('bad/dappnode_package.json\n  3:16    error    version is not a version  version-format\n');
    expect(out).toContain('          |     "version": "1.0",\n          |                ^^^^^\n');
    expect(out).toMatch(/^bad\/notifications\.yaml\n {2}2:5 .*[^]*^ {2}3:17 {4}error/m);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d+ errors, \d+ warnings? in 2 files of 1 package\.$/);
    expect(out).not.toContain('\u001b');
  });

  test('without findings', async () => {
    expect((await run(['validate', at(GOOD)])).out).toBe('No findings in 1 file of 1 package.\n');
  });

  test('errors only with --quiet', async () => {
    const { out } = await run(['validate', '--quiet', at(BAD)]);
    expect(out).not.toMatch(/warning|note /);
    expect(out).toMatch(/^\d+ errors in 2 files/m);
  });

  test('colors on a terminal, unless NO_COLOR is set', async () => {
    const dir = at(BAD);
    expect((await run(['validate', dir], { terminal: true })).out).toContain('\u001b[31merror');
    expect((await run(['validate', dir], { terminal: true, env: { NO_COLOR: '1' } })).out).not.toContain('\u001b');
  });

  test('long lines are cut around the finding; control characters are removed', async () => {
    const keywords = Array.from({ length: 60 }, (_, index) => `keyword${index}`);
    const name = 'esc\u001b[2J';
    const dir = at({ 'dappnode_package.json': JSON.stringify({ ...JSON.parse(manifestText()), keywords, [name]: 1 }) });
    const { out } = await run(['validate', dir]);
    const [source, mark] = out.split('\n').filter((line) => line.startsWith('          | '));
    expect(source?.length).toBeLessThan(120);
    expect(source?.slice(mark?.indexOf('^'))).toMatch(/^"esc/);
    expect(out).not.toContain('\u001b');
  });
});

describe('format github', () => {
  test('one escaped annotation per finding', async () => {
    const dir = at({ 'a,b:c%/dappnode_package.json': manifestText({ version: '1,0:%' }) });
    const { out } = await run(['validate', '--format', 'github', dir]);
    expect(out.split('\n')[0]).toMatch(
      /^::error file=a%2Cb%3Ac%25\/dappnode_package\.json,line=3,endLine=3,col=16,endColumn=23,title=[^:,]+::.*1,0:%25.*$/
    );
  });

  test('notes are notices, and unreadable files are errors', async () => {
    const dir = at({ 'dappnode_package.json': manifestText({ dependencies: { 'a.dnp.dappnode.eth': 'latest' } }) });
    const { out } = await run(['validate', '--format', 'github', dir, path.join(dir, 'gone')]);
    expect(out).toMatch(/^::notice file=dappnode_package\.json,/m);
    expect(out).toMatch(/^::error file=gone::File not found\.$/m);
  });
});

test('schemas are listed and printed', async () => {
  const { out } = await run(['schema']);
  expect(out.split('\n')).toEqual(expect.arrayContaining(['manifest', 'notifications-file']));
  const schema = JSON.parse((await run(['schema', 'notifications-file'])).out) as { $id: string };
  expect(schema.$id).toBe('/api/v1/schemas/notifications-file.json');
  expect(await run(['schema', 'manifset'])).toMatchObject({
    code: 2,
    err: 'nodebell: unknown schema "manifset". Did you mean manifest?\n',
  });
});
