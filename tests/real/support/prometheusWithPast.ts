/** A Prometheus with values from before its start. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Child, freeAddress, startChild } from './child.ts';
import { findPrograms } from './programs.ts';

/** Series in exposition format, with optional labels: values, oldest first. */
export type Past = Record<string, [unixSeconds: number, value: number][]>;

/** Stopped after the test. */
export async function startPrometheusWithPast(past: Past): Promise<Child> {
  const dir = await mkdtemp(path.join(tmpdir(), 'nodebell-real-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { prometheus, promtool } = findPrograms();
  const lines = Object.entries(past).flatMap(([series, values]) => [
    `# TYPE ${series.replace(/\{.*/, '')} gauge`,
    ...values.map(([time, value]) => `${series} ${value} ${time}`),
  ]);
  await writeFile(path.join(dir, 'past.txt'), `${lines.join('\n')}\n# EOF\n`);
  const data = path.join(dir, 'data');
  execFileSync(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', path.join(dir, 'past.txt'), data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await writeFile(path.join(dir, 'prometheus.yml'), 'scrape_configs: []\n');
  const address = await freeAddress();
  const child = await startChild({
    command: prometheus,
    args: [
      `--config.file=${path.join(dir, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=${address}`,
    ],
    url: `http://${address}`,
    readyPath: '/-/ready',
  });
  onTestFinished(() => child.stop());
  return child;
}
