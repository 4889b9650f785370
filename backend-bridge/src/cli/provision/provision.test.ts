import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { run } from '../cliWorld.testing.ts';

const MANIFEST = JSON.stringify({
  name: 'a.example.eth',
  version: '1.0.0',
  type: 'service',
  description: 'A package.',
  license: 'MIT',
});

function folder(files: Record<string, string>): string {
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

const check = (dir: string, flags: string[] = [], env: Record<string, string> = {}) =>
  run(['provision', '--check', '--dir', dir, ...flags], { env });
const GOOD = { 'p.yaml': 'apiVersion: 1\npackages: [{ manifest: a.json }]\n', 'a.json': MANIFEST };

describe('nodebell provision --check', () => {
  test('exits with 0 without errors, and needs no bridge', async () => {
    expect(await check(folder(GOOD))).toEqual({ code: 0, out: 'No findings in 1 file of 1 package.\n', err: '' });
  });

  test('errors have positions in the file or in the package', async () => {
    const wrong = folder({ ...GOOD, 'q.yaml': 'apiVersion: 1\npackages:\n  - path: none\n' });
    const { code, out } = await check(wrong);
    expect(code).toBe(1);
    expect(out).toMatch(/q\.yaml\n {2}3:11 +error/);
    expect(out).toContain('|   - path: none');
    const link = MANIFEST.replace('"type"', '"repository":{"type":"git","url":[]},"type"');
    expect((await check(folder({ ...GOOD, 'a.json': link }))).out).toContain('"url":[]');
    const broken = await check(folder({ ...GOOD, 'a.json': MANIFEST.replace('"1.0.0"', '"1"') }));
    expect([broken.code, broken.out]).toEqual([1, expect.stringMatching(/a\.json\n {2}1:35 +error/)]);
  });

  test('exits with 2 for an unreadable file', async () => {
    const dir = folder(GOOD);
    writeFileSync(path.join(dir, 'q.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
    const { code, out } = await check(dir);
    expect([code, out]).toEqual([2, expect.stringMatching(/q\.yaml\n {2}unreadable/)]);
  });

  test('variables are resolved from the environment; no secret is printed', async () => {
    const token = 'geheim-und-lang-genug ';
    const sender = { ...GOOD, 's.yaml': 'apiVersion: 1\nsenders:\n  - { token: $TOKEN, name: s }\n' };
    expect((await check(folder(sender), [], { TOKEN: 'sixteen-letters-and-more' })).code).toBe(0);
    expect((await check(folder(sender))).out).toContain('The variable TOKEN is not set');
    const address = `chains:\n  a.eth: { interval: often, url: "ftp://x:${token.trim()}@x" }\n`;
    const literal = `apiVersion: 1\nsenders:\n  - { token: "${token}ä", nam: s }\n${address}`;
    for (const format of ['human', 'json', 'sarif', 'github']) {
      const { code, out } = await check(folder({ 's.yaml': literal }), ['--format', format]);
      expect([code, out]).toEqual([1, expect.not.stringContaining(token.trim())]);
    }
  });

  test.each(['human', 'json', 'sarif', 'github'])('no secret of a channel is printed as %s', async (format) => {
    const channels = [
      '{ name: a, type: apprise, url: "http://h:1", key: "geheim!" }',
      '{ name: p, type: pushover, user: "geheim!", token: abcdefghijklmnop }',
      '{ name: n, type: ntfy, topic: geheim, emergency: x }',
    ];
    const text = `apiVersion: 1\nchannels:\n${channels.map((one) => `  - ${one}\n`).join('')}`;
    const { code, out } = await check(folder({ 'c.yaml': text }), ['--format', format]);
    expect([code, out]).toEqual([1, expect.not.stringContaining('geheim')]);
  });

  test("Grafana's folders beside the bridge's are ignored", async () => {
    const bridge = Object.fromEntries(Object.entries(GOOD).map(([name, text]) => [`nodebell/${name}`, text]));
    const whole = { ...bridge, 'plugins/app.yaml': 'apps: 5' };
    expect((await check(folder(whole))).out).toBe('No findings in 1 file of 1 package.\n');
  });

  test("a folder with files of its own is the bridge's, whatever folders it has", async () => {
    const wrong = { 'nodebell/p.yaml': 'packages: 5' };
    expect((await check(folder({ ...GOOD, ...wrong }))).out).toBe('No findings in 1 file of 1 package.\n');
    expect((await check(folder(wrong))).code).toBe(1);
  });

  test('the folder is set by flag or environment', async () => {
    const env = { NODEBELL_PROVISIONING_DIR: folder(GOOD) };
    expect((await run(['provision', '--check'], { env })).out).toBe('No findings in 1 file of 1 package.\n');
    expect((await check(folder({}), [], env)).out).toBe('No findings in 0 files.\n');
  });
});

test.each([
  [['--check', '--dir', '/nowhere'], 'cannot read the folder /nowhere (ENOENT). Use --dir to select another one.'],
  [[], '--check or --dry-run is required.'],
  [['--check', '--dry-run'], "option '--dry-run' cannot be used with option '--check'"],
  [['--dry-run', '--format', 'sarif'], '--dry-run supports --format human and json, found sarif.'],
])('nodebell provision %j is rejected', async (flags, message) => {
  const { code, out, err } = await run(['provision', ...flags]);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
});

test('--dry-run without a bridge exits with 3', async () => {
  const fetch = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }));
  const { code, err } = await run(['provision', '--dry-run', '--dir', folder(GOOD)], { fetch });
  expect([code, err]).toEqual([3, expect.stringContaining('connection refused')]);
});
