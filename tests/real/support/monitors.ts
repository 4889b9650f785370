/**
 * Prometheus, Alertmanager and the node exporter on loopback, monitoring this host. Intervals are set to a second; everything
 * else has its default.
 */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { type Child, freeAddress, startChild } from './child.ts';
import { findPrograms } from './programs.ts';

const EVERY = '1s';

export interface AlertRule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface Monitors {
  /** A value that the exporter serves in addition to those of the host: the threshold that a rule compares with. */
  setMetric(name: string, value: number): Promise<void>;
  /** Firing alerts in Prometheus. */
  firing(): Promise<string[]>;
  /** Number of successful webhook deliveries of Alertmanager. */
  delivered(): Promise<number>;
  stop(): Promise<void>;
}

/** @throws if a program is missing or does not start, after stopping the others */
export async function startMonitors(options: { webhookUrl: string; rules: AlertRule[] }): Promise<Monitors> {
  const programs = findPrograms();
  const dir = await mkdtemp(path.join(tmpdir(), 'nodebell-real-'));
  const children: Child[] = [];
  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const exporter = await startExporter(programs['prometheus-node-exporter'], dir);
    children.push(exporter);
    const alertmanager = await startAlertmanager(programs['prometheus-alertmanager'], dir, options.webhookUrl);
    children.push(alertmanager);
    const prometheus = await startPrometheus(programs.prometheus, dir, options.rules, exporter.url, alertmanager.url);
    children.push(prometheus);
    return {
      setMetric: (name, value) => writeMetric(dir, name, value),
      firing: () => firing(prometheus.url),
      delivered: () => delivered(alertmanager.url),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const textfiles = (dir: string) => path.join(dir, 'textfiles');

/** Renamed, so that the exporter never reads a partial file. */
async function writeMetric(dir: string, name: string, value: number): Promise<void> {
  const file = path.join(textfiles(dir), `${name}.prom`);
  await writeFile(`${file}.new`, `${name} ${value}\n`);
  await rename(`${file}.new`, file);
}

async function startExporter(command: string, dir: string): Promise<Child> {
  const address = await freeAddress();
  await mkdir(textfiles(dir));
  return startChild({
    command,
    args: [
      `--web.listen-address=${address}`,
      '--collector.disable-defaults',
      '--collector.loadavg',
      '--collector.filesystem',
      // Overlays are excluded by default, and in a container / is one.
      '--collector.filesystem.fs-types-exclude=^(proc|sysfs|cgroup2?|devpts|mqueue|nsfs)$',
      '--collector.textfile',
      `--collector.textfile.directory=${textfiles(dir)}`,
    ],
    url: `http://${address}`,
    readyPath: '/metrics',
  });
}

export async function startAlertmanager(command: string, dir: string, webhookUrl: string): Promise<Child> {
  const address = await freeAddress();
  const config = path.join(dir, 'alertmanager.yml');
  const route = {
    receiver: 'nodebell',
    group_by: ['job'],
    group_wait: EVERY,
    group_interval: EVERY,
    repeat_interval: EVERY,
  };
  const receivers = [{ name: 'nodebell', webhook_configs: [{ url: webhookUrl, send_resolved: true }] }];
  await writeFile(config, stringify({ route, receivers }));
  return startChild({
    command,
    args: [
      `--config.file=${config}`,
      `--storage.path=${path.join(dir, 'alertmanager')}`,
      `--web.listen-address=${address}`,
      // Otherwise it listens for a cluster on every address of the host.
      '--cluster.listen-address=',
    ],
    url: `http://${address}`,
    readyPath: '/-/ready',
  });
}

async function startPrometheus(
  command: string,
  dir: string,
  rules: AlertRule[],
  exporterUrl: string,
  alertmanagerUrl: string
): Promise<Child> {
  const address = await freeAddress();
  const [config, ruleFile] = [path.join(dir, 'prometheus.yml'), path.join(dir, 'rules.yml')];
  const targets = (url: string) => [{ targets: [new URL(url).host] }];
  await writeFile(ruleFile, stringify({ groups: [{ name: 'host', rules }] }));
  await writeFile(
    config,
    stringify({
      global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY },
      rule_files: [ruleFile],
      scrape_configs: [{ job_name: 'node', static_configs: targets(exporterUrl) }],
      alerting: { alertmanagers: [{ static_configs: targets(alertmanagerUrl) }] },
    })
  );
  return startChild({
    command,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(dir, 'prometheus')}`,
      `--web.listen-address=${address}`,
      // Firing alerts are repeated after this, instead of a minute.
      `--rules.alert.resend-delay=${EVERY}`,
    ],
    url: `http://${address}`,
    readyPath: '/-/ready',
  });
}

async function firing(prometheusUrl: string): Promise<string[]> {
  const answer = await fetch(`${prometheusUrl}/api/v1/alerts`);
  const { data } = (await answer.json()) as { data: { alerts: { state: string; labels: Record<string, string> }[] } };
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? '');
}

async function delivered(alertmanagerUrl: string): Promise<number> {
  const text = await (await fetch(`${alertmanagerUrl}/metrics`)).text();
  const count = (name: string) =>
    Number(new RegExp(`^${name}\\{integration="webhook"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return count('alertmanager_notifications_total') - count('alertmanager_notifications_failed_total');
}
