import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, ask, startTestBridge } from './accessBridge.testing.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const LAUNCHER = path.join(ROOT, 'backend-bridge/bin/nodebell.mjs');
const PAYLOAD = {
  title: 'Test Notification',
  body: 'Hello **there**',
  category: 'other',
  dnpName: 'test.dnp.dappnode.eth',
  priority: 'low',
  status: 'triggered',
  callToAction: { title: 'Open', url: 'http://dappmanager.dappnode' },
  correlationId: 'testPkg-test',
  isBanner: false,
};

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function nodebell(
  args: string[],
  options: {
    env?: Record<string, string>;
    stdin?: string;
    node?: string;
    cwd?: string;
    /** Closed by its reader after the first piece. */
    cut?: 'stdout' | 'stderr';
  } = {}
): Promise<Ran> {
  const { env = {}, stdin = '', node = process.execPath, cwd = ROOT, cut } = options;
  return new Promise((resolve) => {
    const child = spawn(node, [LAUNCHER, ...args], { env, cwd });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const closed = cut && child[cut];
    closed?.once('data', () => closed.destroy());
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(stdin);
  });
}

describe('with a real bridge', () => {
  test('an admin creates a token, a script sends with it, the admin revokes it', async () => {
    const { url, dataDir } = await startTestBridge({ NODEBELL_AUTH: 'token', NODEBELL_ADMIN_TOKEN: '' });
    const admin = { env: { NODEBELL_URL: url, NODEBELL_DATA_DIR: dataDir } };
    const created = await nodebell(['token', 'create', 'script', '--package', PAYLOAD.dnpName], admin);
    expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^nbs_[\w-]{43}\n$/) as unknown });

    const script = { env: { NODEBELL_URL: url, NODEBELL_TOKEN: created.out.trim() } };
    const sent = await nodebell(['send', '--json'], { ...script, stdin: JSON.stringify(PAYLOAD) });
    expect([sent.code, sent.err]).toEqual([0, '']);
    expect(JSON.parse(sent.out)).toMatchObject(PAYLOAD);
    const flags = await nodebell(['send', '--title', 'Über', '--body', 'ä', '--banner'], script);
    expect(flags).toEqual({ code: 0, out: 'sent 2: Über (other, test.dnp.dappnode.eth, low)\n', err: '' });
    expect((await nodebell(['send', '--title', 'T', '--body', 'B', '--dnp-name', 'other.eth'], script)).code).toBe(1);
    expect((await nodebell(['send', '--title', 'T', '--body', 'B'], { env: { NODEBELL_URL: url } })).err).toContain(
      'Sending requires a token'
    );

    const listed = await nodebell(['token', 'list', '--json'], admin);
    const [{ id }] = JSON.parse(listed.out) as [{ id: string }];
    expect((await nodebell(['token', 'revoke', id], admin)).code).toBe(0);
    const refused = await nodebell(['send', '--title', 'T', '--body', 'B'], script);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('revoked')]);

    const token = readFileSync(path.join(dataDir, 'admin-token'), 'utf8').trim();
    const { body } = await ask(url, 'GET', '/api/v1/notifications', { token });
    expect((body as { title: string }[]).map(({ title }) => title)).toEqual(['Über', 'Test Notification']);
  });

  test('several notifications from standard input, one of them rejected', async () => {
    const { url } = await startTestBridge();
    const lines = Array.from({ length: 50 }, (_, index) => ({
      title: `n ${index}`,
      body: 'x',
      ...(index === 20 && { priority: 'no' }),
    }));
    const ran = await nodebell(['send', '--url', url, '--category', 'bulk', '--strict'], {
      stdin: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    expect([ran.code, ran.out.split('\n').length - 1]).toEqual([1, 49]);
    expect(ran.err).toContain('number 21 of 50');
    const { body } = await ask(url, 'GET', '/api/v1/notifications/facets?category=bulk', { token: ADMIN_TOKEN });
    expect(body.total).toBe(49);
  });
});

test('send reports what was not stored as sent', async () => {
  const { url } = await startTestBridge();
  const lines = [
    { title: 'One', body: '' },
    { title: 'Two', body: '', priority: 'urgent' },
  ];
  const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(await nodebell(['send', '--url', url], { stdin })).toEqual({
    code: 0,
    out: 'sent 1: One (other, unknown, low)\nsent 2: Two (other, unknown, low)\n',
    err: 'nodebell: number 2 of 2: ignored /priority: Must be one of "low", "medium", "high", "critical". Stored as "low".\n',
  });
  const asJson = await nodebell(['send', '--url', url, '--json'], { stdin: JSON.stringify(lines[1]) });
  expect([asJson.code, asJson.err]).toEqual([0, '']);
  expect(JSON.parse(asJson.out)).toMatchObject({ ignored: [{ pointer: '/priority' }] });
});

test.each(['stdout', 'stderr'] as const)('all is sent when the reader of %s goes away', async (cut) => {
  const { url } = await startTestBridge();
  const payload = { title: 'One', body: '', category: 'cut', priority: 'urgent' };
  const stdin = Array.from({ length: 30 }, () => JSON.stringify(payload)).join('\n');
  expect(await nodebell(['send', '--url', url], { stdin, cut })).toMatchObject({ code: 0 });
  const { body } = await ask(url, 'GET', '/api/v1/notifications/facets?category=cut', { token: ADMIN_TOKEN });
  expect(body.total).toBe(30);
});

test.runIf(existsSync('/dev/full'))('output that cannot be written is reported', () => {
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, '--version'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  expect([status, stderr.toString()]).toEqual([2, 'nodebell: cannot write standard output (ENOSPC).\n']);
});

describe('the launcher', () => {
  test('prints the version of the package from any folder', async () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'backend-bridge/package.json'), 'utf8')) as {
      version: string;
    };
    expect(await nodebell(['--version'], { cwd: '/' })).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test('npx runs it in the clone', () => {
    expect(existsSync(path.join(ROOT, 'node_modules/.bin/nodebell'))).toBe(true);
  });

  // It also runs with an older Node of the system (20 or newer); here there may only be one version.
  const system = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => existsSync(node));
  test.runIf(system)('runs the Node of the packages, with input, output and exit code', async () => {
    const options = { node: system ?? '', env: { PATH: '/usr/bin:/bin' } };
    expect((await nodebell(['--version'], options)).code).toBe(0);
    expect(await nodebell(['send', '--url', 'http://127.0.0.1:9'], { ...options, stdin: '{"title":' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('standard input: it is not JSON') as unknown,
    });
  });
});
