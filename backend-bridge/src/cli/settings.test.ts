import { describe, expect, test } from 'vitest';
import { bridge, problem, run } from './cliWorld.testing.ts';

const env = { NODEBELL_ADMIN_TOKEN: 'the-admin-token-of-the-tests' };
const DOCUMENT = { apiVersion: 1, packages: { 'geth.eth': { endpoints: { 'geth-peers': { threshold: 20.5 } } } } };
const YAML = `apiVersion: 1
packages:
  geth.eth:
    endpoints:
      geth-peers:
        threshold: 20.5
`;

describe('nodebell settings', () => {
  test('export prints YAML, or JSON', async () => {
    const { sent, fetch } = bridge({ status: 200, body: DOCUMENT });
    expect(await run(['settings', 'export'], { env, fetch })).toEqual({ code: 0, out: YAML, err: '' });
    expect((await run(['settings', 'export', '--json'], { env, fetch })).out).toBe(`${JSON.stringify(DOCUMENT)}\n`);
    expect(sent[0]).toMatchObject({ method: 'GET', url: 'http://127.0.0.1:8080/api/v1/settings' });
  });

  test('import sends the text from a file or standard input, and prints notes', async () => {
    const { sent, fetch } = bridge({
      status: 200,
      body: { changed: 1, notes: ['geth.eth is not registered.'], rejected: [] },
    });
    const world = { env, fetch, files: { 'x.yaml': YAML } };
    expect(await run(['settings', 'import', 'x.yaml'], world)).toEqual({
      code: 0,
      out: '1 value set.\n',
      err: 'geth.eth is not registered.\n',
    });
    const dry = await run(['settings', 'import', '-', '--dry-run'], { env, fetch, stdin: YAML });
    expect(dry.out).toBe('1 value would be set.\n');
    expect(sent.map(({ body }) => body)).toEqual([
      { settings: YAML, dryRun: false },
      { settings: YAML, dryRun: true },
    ]);
  });

  test('import prints what was applied and what was left out, and fails', async () => {
    const left = {
      pointer: '/settings/packages/geth.eth',
      found: '51',
      allowed: '0 to 50',
      detail: 'The threshold is 51.',
    };
    const body = { changed: 2, notes: [], rejected: [left] };
    const { fetch } = bridge({ status: 200, body });
    const world = { env, fetch, files: { 'x.yaml': YAML } };
    expect(await run(['settings', 'import', 'x.yaml'], world)).toEqual({
      code: 1,
      out: '2 values set.\n',
      err: '/settings/packages/geth.eth: The threshold is 51.\nnodebell: 1 value out of range left out.\n',
    });
    const json = await run(['settings', 'import', 'x.yaml', '--json'], world);
    expect([json.code, JSON.parse(json.out)]).toEqual([1, body]);
  });

  test('import reports errors of the bridge and a missing file', async () => {
    const { fetch } = bridge({ status: 400, body: problem(400, { detail: 'The threshold is 51.' }) });
    const refused = await run(['settings', 'import', 'x.yaml'], { env, fetch, files: { 'x.yaml': YAML } });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The threshold is 51.')]);
    const missing = await run(['settings', 'import', 'none.yaml'], { env, fetch });
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('cannot read none.yaml (ENOENT)')]);
    expect((await run(['settings', 'import', '-'], { env, fetch })).code).toBe(2);
  });

  test('history lists changes', async () => {
    const at = '2026-11-21T10:00:00.000Z';
    const body = [
      {
        id: 2,
        at,
        by: 'ada',
        dnpName: 'geth.eth',
        correlationId: 'geth-peers',
        member: 'threshold',
        from: null,
        to: 20,
      },
      { id: 1, at, file: 'all.yaml', category: 'hardware', member: 'enabled', from: true, to: false },
    ];
    const { sent, fetch } = bridge({ status: 200, body });
    const { out } = await run(['settings', 'history', '--package', 'geth.eth'], { env, fetch });
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['WHEN', 'WHO', 'WHAT', 'FROM', 'TO'],
      [at, 'ada', 'geth.eth geth-peers threshold', '-', '20'],
      [at, 'all.yaml', 'category hardware', 'on', 'off'],
      [''],
    ]);
    expect(sent[0]?.url).toBe('http://127.0.0.1:8080/api/v1/settings/history?limit=50&dnpName=geth.eth');
  });
});
