import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { endpointKey, PartlyWritten } from '../reconciler.ts';
import { alertRule } from '../alertRule.ts';
import { CPU, DNP, watch } from '../../thresholds/watched.testing.ts';
import { prometheusMonitor, ruleFile, type RunningPrometheus } from './rules.ts';

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nodebell-rules-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'rules.yaml');
}

interface File {
  groups: { rules: { labels: Record<string, string> }[] }[];
}

/** @returns the labels of the rules in it, as Prometheus would list them */
const rulesIn = async (file: string): Promise<Record<string, string>[]> =>
  (parse(await readFile(file, 'utf8')) as File).groups.flatMap(({ rules }) => rules.map(({ labels }) => labels));

test('Prometheus is told to read what is new, until it does; and once after a start, since it may not have read what is there', async () => {
  const file = await newFile();
  let refused = true;
  let read = 0;
  const reload = () => {
    if (refused) {
      return Promise.reject(new Error('not now'));
    }
    read += 1;
    return Promise.resolve();
  };
  const start = () => prometheusMonitor({ path: file, prometheus: { reload, listed: () => rulesIn(file) } });
  await expect(start().write([watch(CPU)])).rejects.toThrow('not now');

  const again = start();
  await expect(again.write([watch(CPU)])).rejects.toThrow('not now');
  refused = false;
  await again.write([watch(CPU)]);
  await again.write([watch(CPU)]);
  expect(read).toBe(1);
  await again.write([watch(CPU, { threshold: 81 })]);
  expect(read).toBe(2);
});

test('a rule that Prometheus does not list is not there, until it does', async () => {
  const file = await newFile();
  let isNamed = false;
  let read = 0;
  const prometheus: RunningPrometheus = {
    reload: () => Promise.resolve(void (read += 1)),
    listed: () => (isNamed ? rulesIn(file) : Promise.resolve([{ dnpName: DNP, correlationId: 'of another' }])),
  };
  const monitor = prometheusMonitor({ path: file, prometheus });
  const endpoint = watch({ ...CPU, correlationId: 'cpu {{ $value }}' });
  const refused = await monitor.write([endpoint]).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PartlyWritten);
  expect([...(refused as PartlyWritten).refused]).toEqual([
    [endpointKey(endpoint), expect.stringContaining('name the file of NODEBELL_PROMETHEUS_RULES in its rule_files')],
  ]);
  isNamed = true;
  await monitor.write([endpoint]);
  isNamed = false;
  await expect(monitor.write([endpoint])).rejects.toThrow('does not list it');
  expect(read).toBe(1);
});

test('what is off needs no rule', async () => {
  const listed = () => Promise.reject(new Error('not to be asked'));
  const monitor = prometheusMonitor({ path: await newFile(), prometheus: { reload: () => Promise.resolve(), listed } });
  expect(await monitor.write([watch(CPU, { enabled: false })])).toEqual(new Map());
});

test('after each move the file is what it would be if it were written anew, whatever stands in its texts', async () => {
  const file = await newFile();
  const monitor = prometheusMonitor({ path: file });
  const hostile = 'a: b\n\n  - c\u2028d\n\te # "f"\n';
  const others = ['x', 'y'].map((id) =>
    watch({ ...CPU, correlationId: id, name: hostile, definition: { title: hostile } })
  );
  for (const threshold of [81, 82.5, 81]) {
    const all = [...others, watch(CPU, { threshold })];
    await monitor.write(all);
    expect(await readFile(file, 'utf8')).toBe(ruleFile(all.map(alertRule)));
    const { groups } = parse(await readFile(file, 'utf8')) as {
      groups: { name: string; rules: { alert: string; expr: string }[] }[];
    };
    expect(groups.map(({ name }) => name)).toEqual(['nodebell']);
    expect(groups[0]!.rules.map(({ alert }) => alert)).toEqual([hostile, hostile, 'CPU usage']);
    expect(groups[0]!.rules.at(-1)!.expr).toMatch(new RegExp(`> ${threshold}$`));
  }
  await monitor.write(others.slice(0, 1));
  expect((await rulesIn(file)).map(({ correlationId }) => correlationId)).toEqual(['x']);
});
