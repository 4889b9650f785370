/**
 * Clients of other programs' APIs send to a bridge that requires tokens: `ntfy` (2.x; environment variable NODEBELL_NTFY), `gotify-cli` (2.x;
 * NODEBELL_GOTIFY_CLI) and `apprise` (PyPI; NODEBELL_APPRISE), on the PATH or named by the variable; and the receiver of PagerDuty in
 * Alertmanager.
 */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { TestBridge } from '../integration/support.ts';
import { freeAddress, startChild } from './support/child.ts';
import { findPrograms } from './support/programs.ts';
import { until } from './support/until.ts';

const NTFY = process.env['NODEBELL_NTFY'] ?? 'ntfy';
const GOTIFY = process.env['NODEBELL_GOTIFY_CLI'] ?? 'gotify-cli';
const APPRISE = process.env['NODEBELL_APPRISE'] ?? 'apprise';

const isThere = (program: string): boolean =>
  spawnSync(program, ['--help'], { timeout: 60_000, stdio: 'ignore' }).error === undefined;

let bridge: TestBridge;
let token: string;
beforeAll(async () => {
  bridge = await TestBridge.start({ auth: 'token' });
  ({ token } = await bridge.call<{ token: string }>('POST', '/api/v1/tokens', { name: 'client' }));
});
afterAll(() => bridge.dispose());

/** Runs a client to its end. @returns its output, also if it fails */
const run = (program: string, ...args: string[]): Promise<string> => {
  const running = promisify(execFile)(program, args, { timeout: 60_000 });
  // ntfy reads a message from a pipe.
  running.child.stdin?.end();
  return running.then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return `failed: ${stdout}${stderr}`;
    }
  );
};
const list = (): Promise<Notification[]> => bridge.call<Notification[]>('GET', '/api/v1/notifications?limit=100');
const newest = async (): Promise<Notification | undefined> => (await list())[0];

function ntfy(): void {
  const publish = (...args: string[]) => run(NTFY, 'publish', ...args);
  const topic = (): string => `${bridge.url}/ntfy/backups`;

  it('publishes with its options', async () => {
    const options = [
      '--title',
      'Übertragung',
      '--priority',
      'high',
      '--tags',
      'disk,ok',
      '--click',
      'https://b.example.org/',
    ];
    expect(await publish('--token', token, ...options, topic(), 'first\nsecond')).toContain('"topic":"backups"');
    expect(await newest()).toMatchObject({
      title: 'Übertragung',
      body: 'first\nsecond',
      priority: 'high',
      labels: { tags: 'disk,ok', topic: 'backups' },
      callToAction: { url: 'https://b.example.org/' },
    });
  });

  it('publishes with a password, and without a message', async () => {
    await publish('--user', `x:${token}`, topic(), 'by a password');
    expect(await newest()).toMatchObject({ title: 'by a password', priority: 'medium' });
    await run(NTFY, 'trigger', '--token', token, topic());
    expect(await newest()).toMatchObject({ body: 'triggered' });
  });

  it('says about a file what was said, not its content', async () => {
    const file = path.join(temporaryFolder(), 'report.txt');
    writeFileSync(file, 'of the file');
    await publish('--token', token, '--file', file, topic(), 'The report');
    expect(await newest()).toMatchObject({ body: 'The report' });
    await publish('--token', token, '--file', file, topic());
    expect(await newest()).toMatchObject({ body: 'You received a file: report.txt' });
  });

  it('names a wrong token', async () => {
    const before = (await list()).length;
    expect(await publish('--token', 'tk_wrong', topic(), 'x')).toMatch(/^failed: .*Unknown sender token/s);
    expect(await list()).toHaveLength(before);
  });
}

function gotify(): void {
  const push = (as: string, ...args: string[]) =>
    run(GOTIFY, 'push', '--url', `${bridge.url}/gotify`, '--token', as, ...args);

  it('pushes with its options, and names a wrong token', async () => {
    const options = ['--title', 'Backup', '--priority', '8', '--clickUrl', 'https://b.example.org/'];
    expect(await push(token, ...options, 'is **late**')).not.toContain('failed');
    expect(await newest()).toMatchObject({
      ...{ title: 'Backup', body: 'is **late**', priority: 'high' },
      callToAction: { url: 'https://b.example.org/' },
    });
    await push(token, 'without a title');
    expect(await newest()).toMatchObject({ title: 'without a title', priority: 'low' });
    expect(await push('wrong', 'x')).toMatch(/^failed: .*Unknown sender token/s);
    expect(await newest()).toMatchObject({ title: 'without a title' });
  });
}

function apprise(): void {
  const host = (): string => new URL(bridge.url).host;

  it.each([
    ['Gotify', () => `gotify://${host()}/gotify/${token}?priority=high`, { priority: 'high' }],
    ['a webhook of OnCall', () => `json://${host()}/integrations/v1/webhook/${token}/`, {}],
  ])('sends as to %s', async (name, address, expected) => {
    expect(await run(APPRISE, '--title', name, '--body', 'By Apprise', address())).not.toContain('failed');
    expect(await newest()).toMatchObject({ title: name, body: 'By Apprise', ...expected });
  });
}

function alertmanager(): void {
  it('fires and resolves as to PagerDuty', async () => {
    const folder = temporaryFolder();
    const address = await freeAddress();
    const config = path.join(folder, 'alertmanager.yml');
    const receiver = { routing_key: token, url: `${bridge.url}/v2/enqueue`, severity: 'warning', class: 'disk' };
    writeFileSync(
      config,
      JSON.stringify({
        route: { receiver: 'pager', group_wait: '0s', group_interval: '1s' },
        receivers: [{ name: 'pager', pagerduty_configs: [receiver] }],
      })
    );
    const child = await startChild({
      command: findPrograms()['prometheus-alertmanager'],
      args: [
        ...[`--config.file=${config}`, `--storage.path=${path.join(folder, 'data')}`],
        ...[`--web.listen-address=${address}`, '--cluster.listen-address='],
      ],
      url: `http://${address}`,
      readyPath: '/-/ready',
    });
    onTestFinished(() => child.stop());
    const post = async (more: object): Promise<void> => {
      const alert = { labels: { alertname: 'DiskFull', instance: 'a:9100' }, annotations: { summary: 'Disk full' } };
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify([{ ...alert, ...more }]);
      expect((await fetch(`${child.url}/api/v2/alerts`, { method: 'POST', headers, body })).status).toBe(200);
    };
    const thread = (length: number): Promise<Notification[]> =>
      until(`${length} notifications`, async () => {
        const all = (await list()).filter(({ labels }) => labels?.['source'] === 'Alertmanager');
        return all.length === length ? all : undefined;
      });
    await post({});
    await thread(1);
    await post({ endsAt: new Date().toISOString() });
    const [resolved, fired] = await thread(2);
    expect(fired).toMatchObject({ status: 'triggered', priority: 'medium', labels: { class: 'disk' } });
    expect(fired!.title).toContain('DiskFull');
    // Each label on a line of its own.
    expect(fired!.body).toContain('\n - instance = a:9100\n');
    expect(resolved).toMatchObject({ status: 'resolved', thread: { state: 'resolved', count: 2 } });
  });
}

describe('the PagerDuty receiver of Alertmanager', alertmanager);

describe.each([
  ['ntfy', NTFY, 'NODEBELL_NTFY', ntfy],
  ['Gotify', GOTIFY, 'NODEBELL_GOTIFY_CLI', gotify],
  ['Apprise', APPRISE, 'NODEBELL_APPRISE', apprise],
] as const)('the client of %s', (name, program, variable, tests) => {
  if (isThere(program)) {
    tests();
  } else {
    it('is not tested: not installed', () => {
      process.stdout.write(
        `The client of ${name} was not tried: no ${program} is on the PATH, and ${variable} names none.\n`
      );
      expect(isThere(program)).toBe(false);
    });
  }
});
