/** Prometheus and amtool with only the bridge as their Alertmanager. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { ADMIN_TOKEN, TestBridge } from '../integration/support.ts';
import { type Child, freeAddress, startChild } from './support/child.ts';
import { findPrograms } from './support/programs.ts';
import { until } from './support/until.ts';

const run = promisify(execFile);

const dir = temporaryFolder(afterAll);
let bridge: TestBridge;
let prometheus: Child;

beforeAll(async () => {
  bridge = await TestBridge.start();
  const ticking = setInterval(() => (bridge.clock.now = Date.now()), 100);
  ticking.unref();
  bridge.clock.now = Date.now();
  prometheus = await startPrometheus();
});
afterAll(async () => {
  await prometheus.stop();
  await bridge.dispose();
});

const rule = (value: number) => ({
  groups: [
    {
      name: 'hosts',
      rules: [
        {
          alert: 'DiskFull',
          expr: `vector(${value}) > 0`,
          labels: { instance: 'a:9100', severity: 'critical' },
          annotations: { summary: 'Disk full', description: 'Value {{ $value }}' },
        },
      ],
    },
  ],
});

/** The section of the docs, with the address of this bridge and without a token. */
async function documented(): Promise<unknown> {
  const docs = await readFile(new URL('../../docs/connect-senders.md', import.meta.url), 'utf8');
  const [, text = ''] = /### Without Alertmanager[\s\S]*?```yaml\n([\s\S]*?)```/.exec(docs) ?? [];
  const { alerting } = parse(text) as { alerting: { alertmanagers: [Record<string, unknown>] } };
  const { authorization: _authorization, ...alertmanager } = alerting.alertmanagers[0];
  return { alertmanagers: [{ ...alertmanager, static_configs: [{ targets: [new URL(bridge.url).host] }] }] };
}

async function startPrometheus(): Promise<Child> {
  const address = await freeAddress();
  const file = path.join(dir, 'prometheus.yml');
  await writeFile(path.join(dir, 'rules.yml'), stringify(rule(1)));
  await writeFile(
    file,
    stringify({
      global: { evaluation_interval: '1s' },
      rule_files: [path.join(dir, 'rules.yml')],
      alerting: await documented(),
    })
  );
  return startChild({
    command: findPrograms().prometheus,
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${path.join(dir, 'data')}`,
      `--web.listen-address=${address}`,
      '--web.enable-lifecycle',
      // Sent again each second; the end is four times that (Prometheus, rules/manager.go).
      '--rules.alert.resend-delay=1s',
    ],
    url: `http://${address}`,
    readyPath: '/-/ready',
  });
}

async function setValue(value: number): Promise<void> {
  await writeFile(path.join(dir, 'rules.yml'), stringify(rule(value)));
  await fetch(`${prometheus.url}/-/reload`, { method: 'POST' });
}

/** Output of amtool with the admin token. */
async function amtool(...args: string[]): Promise<string> {
  const config = path.join(dir, 'http.yml');
  await writeFile(config, stringify({ authorization: { credentials: ADMIN_TOKEN } }));
  const { stdout } = await run('amtool', [
    `--alertmanager.url=${bridge.url}/alertmanager`,
    `--http.config.file=${config}`,
    ...args,
  ]);
  return stdout;
}
const states = async (): Promise<string[]> =>
  (await bridge.list('limit=1000')).map(({ status, title }: Notification) => `${title}: ${status}`).reverse();

it('an alert of Prometheus fires once, is silenced and expires by amtool, resolves, and times out when Prometheus dies', async () => {
  const fires = 'Disk full: triggered';
  await until('the alert arrives', async () => expect(await states()).toEqual([fires]));
  const fingerprint = (await bridge.list())[0]!.correlationId;
  const query = JSON.parse(await amtool('alert', 'query', '--output=json', 'alertname=DiskFull')) as [
    { fingerprint: string },
  ];
  expect(query[0].fingerprint).toBe(fingerprint);
  expect(await amtool('alert', 'query', 'instance=~"b.*"', '--output=simple')).not.toContain('DiskFull');

  const id = (
    await amtool('silence', 'add', '--comment=New disk', '--duration=1h', 'alertname=DiskFull', 'instance=~"a.*"')
  ).trim();
  expect(await amtool('silence', 'query', '--output=simple', 'alertname=DiskFull')).toContain(id);
  expect(await amtool('alert', 'query', '--output=simple')).not.toContain('DiskFull');
  expect(await amtool('alert', 'query', '--silenced', '--output=simple')).toContain('DiskFull');
  await amtool('silence', 'update', '--duration=2h', id);
  const exported = await amtool('silence', 'query', '--output=json');
  await amtool('silence', 'expire', id);
  expect(await amtool('silence', 'query', '--output=simple')).not.toContain(id);
  expect(await amtool('silence', 'query', '--expired', '--output=simple')).toContain(id);
  await writeFile(path.join(dir, 'silences.json'), exported);
  await amtool('silence', 'import', path.join(dir, 'silences.json'));
  expect(await amtool('silence', 'query', '--output=simple')).toContain('New disk');
  await amtool('silence', 'expire', ...(await amtool('silence', 'query', '-q')).trim().split('\n'));
  expect(await states()).toEqual([fires]);

  await setValue(0);
  await until('it resolves', async () => expect((await states()).at(-1)).toBe('Disk full: resolved'));
  await setValue(1);
  await until('it fires again', async () => expect((await states()).at(-1)).toBe(fires));
  await prometheus.stop();
  await until('it times out', async () => expect((await states()).at(-1)).toBe('Disk full: resolved'));
  expect((await bridge.list())[0]!.body).toContain('Timed out');
  expect(await states()).toHaveLength(4);
});

it('amtool adds an alert, shows the groups and the status, and is refused without the token', async () => {
  await amtool(
    'alert',
    'add',
    'alertname=ByHand',
    'node=b',
    '--annotation=summary=By hand',
    `--generator-url=${bridge.url}`
  );
  expect(await states()).toContain('By hand: triggered');
  expect(await amtool('cluster', 'show')).toContain('disabled');
  expect(await amtool('config', 'show')).toContain('receiver: nodebell');
  await expect(run('amtool', [`--alertmanager.url=${bridge.url}/alertmanager`, 'silence', 'query'])).rejects.toThrow();
  // Basic authentication, as data sources of Grafana have it.
  const basic = { Authorization: `Basic ${Buffer.from(`any:${ADMIN_TOKEN}`).toString('base64')}` };
  const groups = (await (
    await fetch(`${bridge.url}/alertmanager/api/v2/alerts/groups`, { headers: basic })
  ).json()) as [{ labels: object }];
  expect(groups.map(({ labels }) => labels)).toContainEqual({ alertname: 'ByHand' });
});

it('amtool shows and tests the routes of the bridge', async () => {
  expect(await amtool('config', 'routes', 'show')).toContain('receiver: nodebell');
  expect((await amtool('config', 'routes', 'test', 'severity=critical', 'service=a b')).trim()).toBe('nodebell');
});

it('amtool exports and imports several silences, also after they expired, and those that are valid of a file', async () => {
  const file = path.join(dir, 'several.json');
  const comments = async (): Promise<string[]> =>
    (JSON.parse(await amtool('silence', 'query', '--output=json')) as { comment: string }[])
      .map(({ comment }) => comment)
      .sort();
  for (const name of ['one', 'two', 'three']) {
    await amtool('silence', 'add', `--comment=${name}`, '--duration=1h', `alertname=${name}`);
  }
  expect(await comments()).toEqual(['one', 'three', 'two']);
  const exported = await amtool('silence', 'query', '--output=json');
  const expire = async () =>
    amtool('silence', 'expire', ...(await amtool('silence', 'query', '-q')).trim().split('\n'));
  await expire();
  await writeFile(file, exported);
  await amtool('silence', 'import', file);
  expect(await comments()).toEqual(['one', 'three', 'two']);

  await expire();
  const [first, ...others] = JSON.parse(exported) as { id: string; matchers: object[] }[];
  const unknown = others.map((one) => ({ ...one, id: '0dd8f00c-7600-4640-b702-b85c6d81c9a5' }));
  await writeFile(file, JSON.stringify([{ ...first, matchers: [] }, ...unknown]));
  await expect(amtool('silence', 'import', '--force', file)).rejects.toThrow(/couldn't import 1 out of 3/);
  expect(await comments()).toHaveLength(2);
  await expire();
});
