/** `nodebell provision --dry-run` reports what a bridge would change, and nothing once it has. */
import { describe, expect, test } from 'vitest';
import type { AuditPage } from '../../backend-bridge/contract/audit.ts';
import { type Ran, run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import { eventually, Folder, manifest, type Provisioned, TOKEN } from './provisioning.testing.ts';

const A = 'a.example.eth';
const env = { BACKUP_TOKEN: TOKEN };
const FILES = {
  'all.yaml': `apiVersion: 1
packages:
  - path: a
categories:
  hardware: false
senders:
  - { name: backup, packages: [${A}], token: $BACKUP_TOKEN }
`,
  'a/dappnode_package.json': manifest(A),
  'a/notifications.yaml':
    'customEndpoints:\n  - { name: N, description: D, correlationId: abc-n, isBanner: false, enabled: true }\n',
  'a/prometheus-targets.json': '[{ "targets": ["a:1"] }]',
  'a/x-grafana-dashboard.json': '{ "title": "X", "panels": [] }',
};

/** Runs it on the files of a folder, with a bridge. */
function dryRun({ bridge }: Provisioned, { dir }: Folder, flags: string[] = []): Promise<Ran> {
  const token = bridge.authorization.Authorization!.replace('Bearer ', '');
  return run(['provision', '--dry-run', '--dir', dir, '--url', bridge.url, ...flags], {
    env: { ...env, NODEBELL_ADMIN_TOKEN: token },
    fetch: globalThis.fetch,
  });
}
const SAME = { code: 0, out: 'No differences.\n', err: '' };

describe('against a bridge', () => {
  test('that is empty', async () => {
    const empty = await Folder.make();
    const folder = await Folder.make(FILES);
    const bridge = await empty.start();
    expect(await dryRun(bridge, folder)).toEqual({
      code: 4,
      out: `all.yaml
  + package   ${A}  1.0.0
  + category  hardware       on → off
  + sender    backup         its token is valid for ${A}

3 differences. Nothing was changed.
`,
      err: '',
    });
    expect(await bridge.packages()).toEqual([]);
  });

  test('that has applied these files: no difference; one for each changed file', async () => {
    const inUse = await Folder.make(FILES);
    const bridge = await inUse.start(env);
    expect(await dryRun(bridge, inUse)).toEqual(SAME);
    for (const name of Object.keys(FILES).filter((file) => file.startsWith('a/'))) {
      const changed = await Folder.make({ ...FILES, [name]: `${FILES[name as keyof typeof FILES]}\n` });
      const { code, out } = await dryRun(bridge, changed);
      expect([code, out], name).toEqual([
        4,
        expect.stringContaining('~ package   a.example.eth  1.0.0, with other files'),
      ]);
    }
    const dialect = { ...FILES, 'all.yaml': FILES['all.yaml'].replace('path: a\n', 'path: a\n    dialect: spec\n') };
    expect((await dryRun(bridge, await Folder.make(dialect))).code).toBe(4);
  });

  test('after the bridge has applied the change, no difference', async () => {
    const folder = await Folder.make(FILES);
    const bridge = await folder.start(env);
    const next = {
      'all.yaml': `apiVersion: 1\npackages: [{ path: a }]\ncategories: { hardware: true, other: false }\n`,
      'a/dappnode_package.json': manifest(A, '2.0.0', { warnings: { onUpdate: 'Read this.' } }),
    };
    const { code, out } = await dryRun(bridge, await Folder.make({ ...FILES, ...next }));
    expect([code, out]).toEqual([
      4,
      `all.yaml
  ~ package   ${A}  1.0.0 → 2.0.0, a major update
      onUpdate: Read this.
  ~ category  hardware       off → on
  + category  other          on → off
  - sender    backup         its token is revoked

4 differences. Nothing was changed.
`,
    ]);
    await folder.write(next);
    await eventually(async () => expect(await dryRun(bridge, folder)).toEqual(SAME));
  });

  test("settings: added, overriding an admin's, changed, and removed", async () => {
    const metric = 'metric: { treshold: 3, min: 0, max: 10 }, ';
    const endpoints = (set: string): string => `apiVersion: 1\npackages: [{ path: a, settings: { ${set} } }]\n`;
    const files = {
      'all.yaml': endpoints('endpoints: { abc-n: { threshold: 4 } }'),
      'a/dappnode_package.json': manifest(A),
      'a/notifications.yaml': FILES['a/notifications.yaml'].replace('isBanner', `${metric}isBanner`),
    };
    const empty = await Folder.make();
    const differences = async (bridge: Provisioned, folder: Folder): Promise<string[]> =>
      (await dryRun(bridge, folder)).out.split('\n').filter((line) => /^ {2}[+~-] setting/.test(line));
    expect(await differences(await empty.start(), await Folder.make(files))).toEqual([
      `  + setting   ${A} abc-n  threshold 4`,
    ]);
    const folder = await Folder.make(files);
    const bridge = await folder.start(env);
    expect(await dryRun(bridge, folder)).toEqual(SAME);
    await bridge.bridge.call('PATCH', `/api/v1/packages/${A}/endpoints/abc-n`, { enabled: false });
    const next = {
      ...files,
      'all.yaml': endpoints(
        'enabled: false, endpoints: { abc-n: { enabled: true, threshold: 5 }, abc-later: { enabled: false } }'
      ),
    };
    expect(await differences(bridge, await Folder.make(next))).toEqual([
      `  + setting   ${A}            on → off`,
      `  ~ setting   ${A} abc-n      off → on; until now set by hand`,
      `  ~ setting   ${A} abc-n      threshold 4 → threshold 5`,
      `  + setting   ${A} abc-later  off`,
    ]);
    await folder.write(next);
    // An endpoint that does not exist yet is a warning, not a difference.
    const same = { code: 0, out: expect.stringContaining(SAME.out) as string, err: '' };
    await eventually(async () => expect(await dryRun(bridge, folder)).toEqual(same));
    expect(await differences(bridge, await Folder.make({ ...files, 'all.yaml': endpoints('enabled: false') }))).toEqual(
      [
        `  - setting   ${A} abc-n      on is no longer configured`,
        `  - setting   ${A} abc-n      threshold 5 is no longer configured`,
        `  - setting   ${A} abc-later  off is no longer configured`,
      ]
    );
  });

  test('channels and heartbeats', async () => {
    const quiet = "quietHours: [{ from: '22:00', to: '07:00' }], passing: none";
    const files = (more: string) => ({
      'reach.yaml': `apiVersion: 1\nchannels: [{ name: hook, type: webhook, url: 'http://127.0.0.1:9/x', ${quiet} }]\n${more}`,
    });
    const heartbeats = (interval: string) => files(`heartbeats: [{ name: attic, interval: ${interval} }]\n`);
    const folder = await Folder.make(heartbeats('5m'));
    const { code, out } = await dryRun(await (await Folder.make()).start(), folder);
    expect([code, out]).toEqual([
      4,
      expect.stringContaining('\n  + heartbeat  attic  attic silent for 5m, priority high'),
    ]);
    const running = await folder.start();
    expect(await dryRun(running, folder)).toEqual(SAME);
    const changed = await dryRun(running, await Folder.make(heartbeats('10m')));
    expect(changed.out).toBe(`reach.yaml
  ~ heartbeat  attic  attic silent for 5m, priority high → attic silent for 10m, priority high

1 difference. Nothing was changed.
`);
    const removed = await dryRun(running, await Folder.make(files('')));
    expect(removed.out).toContain('\n  - heartbeat  attic  no longer monitored');
    // Recorded changes: configured, changed and removed.
    await folder.write(heartbeats('10m'));
    await eventually(async () => expect(await dryRun(running, await Folder.make(heartbeats('10m')))).toEqual(SAME));
    await folder.write(files(''));
    await eventually(async () => expect(await dryRun(running, folder)).toEqual(SAME));
    const { entries } = await running.bridge.call<AuditPage>('GET', '/api/v1/audit?action=heartbeat.configure');
    const by = { actor: { kind: 'file', name: 'reach.yaml' }, object: 'attic' };
    expect(entries).toMatchObject([
      { ...by, before: { interval: '10m' } },
      { ...by, before: { interval: '5m' }, after: { interval: '10m' } },
      { ...by, after: { interval: '5m' } },
    ]);
  });

  test('mappings', async () => {
    const files = (expression: string) => ({
      'map.yaml': `apiVersion: 1\nmappings: [{ name: forge, members: { title: '${expression}' }, sample: { job: x } }]\n`,
    });
    const folder = await Folder.make(files('job'));
    const empty = await (await Folder.make()).start();
    expect((await dryRun(empty, folder)).out).toMatch(/\n {2}\+ mapping +forge +title: job\n/);
    const running = await folder.start();
    expect(await dryRun(running, folder)).toEqual(SAME);
    const changed = await dryRun(running, await Folder.make(files('$uppercase(job)')));
    expect(changed.out).toMatch(/\n {2}~ mapping +forge +title: job → title: \$uppercase\(job\)\n/);
    const gone = await dryRun(running, await Folder.make({ 'map.yaml': 'apiVersion: 1\n' }));
    expect(gone.out).toMatch(/\n {2}- mapping +forge +no longer\n/);
    const { code, out } = await dryRun(running, await Folder.make(files('job +')));
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/map\.yaml\n {2}2:50 +error +Invalid mapping[^^]*end of expression/),
    ]);
    const failing = await dryRun(running, await Folder.make(files('job + 1')));
    expect([failing.code, failing.out]).toEqual([1, expect.stringContaining('The expression fails in "title"')]);
  });

  test('as JSON', async () => {
    const folder = await Folder.make(FILES);
    const bridge = await (await Folder.make()).start();
    const { code, out } = await dryRun(bridge, folder, ['--format', 'json']);
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({
      summary: { errors: 0 },
      differences: [
        { file: 'all.yaml', kind: 'package', name: A, action: 'add', change: { kind: 'install', to: '1.0.0' } },
        { kind: 'category', action: 'add' },
        { kind: 'sender', action: 'add' },
      ],
    });
    expect(out).not.toContain(TOKEN);
  });

  test('an error is reported, and nothing is compared', async () => {
    const bridge = await (await Folder.make()).start();
    const { code, out } = await dryRun(bridge, await Folder.make({ 'all.yaml': 'apiVersion: 2\n' }));
    expect([code, out]).toEqual([1, expect.stringMatching(/all\.yaml\n {2}1:13 +error/)]);
    expect(out).not.toContain('difference');
  });
});
