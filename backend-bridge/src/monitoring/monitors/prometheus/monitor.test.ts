import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../folder.testing.ts';
import { endpointKey } from '../monitor.ts';
import { alertRule } from '../alertRule.ts';
import { CPU, DNP, monitored } from '../monitored.testing.ts';
import type { PrometheusClient } from './client.ts';
import { prometheusMonitor, ruleFile } from './monitor.ts';

const newFile = (): string => path.join(temporaryFolder(), 'rules.yaml');

interface File {
  groups: { rules: { labels: Record<string, string> }[] }[];
}

/** @returns the labels of the rules in the file, as Prometheus lists them */
const rulesIn = async (file: string): Promise<Record<string, string>[]> =>
  (parse(await readFile(file, 'utf8')) as File).groups.flatMap(({ rules }) => rules.map(({ labels }) => labels));

test('Prometheus is reloaded after a change until that succeeds, and once after a start', async () => {
  const file = newFile();
  let isRejected = true;
  let reloads = 0;
  const reload = () => {
    if (isRejected) {
      return Promise.reject(new Error('not now'));
    }
    reloads += 1;
    return Promise.resolve();
  };
  const start = () => prometheusMonitor({ path: file, prometheus: { reload, ruleLabels: () => rulesIn(file) } });
  await expect(start().sync([monitored(CPU)])).rejects.toThrow('not now');

  const again = start();
  await expect(again.sync([monitored(CPU)])).rejects.toThrow('not now');
  isRejected = false;
  await again.sync([monitored(CPU)]);
  await again.sync([monitored(CPU)]);
  expect(reloads).toBe(1);
  await again.sync([monitored(CPU, { threshold: 81 })]);
  expect(reloads).toBe(2);
});

test('a rule is rejected until Prometheus has loaded it', async () => {
  const file = newFile();
  let isListed = false;
  let reloads = 0;
  const prometheus: Pick<PrometheusClient, 'reload' | 'ruleLabels'> = {
    reload: () => Promise.resolve(void (reloads += 1)),
    ruleLabels: () => (isListed ? rulesIn(file) : Promise.resolve([{ dnpName: DNP, correlationId: 'of another' }])),
  };
  const monitor = prometheusMonitor({ path: file, prometheus });
  const endpoint = monitored({ ...CPU, correlationId: 'cpu {{ $value }}' });
  const NOT_LOADED = [
    [endpointKey(endpoint), expect.stringContaining('add the file of NODEBELL_PROMETHEUS_RULES to its rule_files')],
  ];
  const rejected = async () => [...(await monitor.sync([endpoint])).rejected];
  expect(await rejected()).toEqual(NOT_LOADED);
  isListed = true;
  expect(await rejected()).toEqual([]);
  isListed = false;
  expect(await rejected()).toEqual(NOT_LOADED);
  expect(reloads).toBe(1);
});

test('an endpoint that is off needs no rule', async () => {
  const ruleLabels = () => Promise.reject(new Error('unexpected request'));
  const prometheus = { reload: () => Promise.resolve(), ruleLabels };
  const monitor = prometheusMonitor({ path: newFile(), prometheus });
  expect(await monitor.sync([monitored(CPU, { enabled: false })])).toEqual({
    readOnly: new Map(),
    rejected: new Map(),
    active: new Set(),
  });
});

test('with cached texts the file is the same as a new one, whatever characters the texts contain', async () => {
  const file = newFile();
  const monitor = prometheusMonitor({ path: file });
  const hostile = 'a: b\n\n  - c\u2028d\n\te # "f"\n';
  const others = ['x', 'y'].map((id) =>
    monitored({ ...CPU, correlationId: id, name: hostile, definition: { title: hostile } })
  );
  for (const threshold of [81, 82.5, 81]) {
    const all = [...others, monitored(CPU, { threshold })];
    await monitor.sync(all);
    expect(await readFile(file, 'utf8')).toBe(ruleFile(all.map(alertRule)));
    const { groups } = parse(await readFile(file, 'utf8')) as {
      groups: { name: string; rules: { alert: string; expr: string }[] }[];
    };
    expect(groups.map(({ name }) => name)).toEqual(['nodebell']);
    expect(groups[0]!.rules.map(({ alert }) => alert)).toEqual([hostile, hostile, 'CPU usage']);
    expect(groups[0]!.rules.at(-1)!.expr).toMatch(new RegExp(`> ${threshold}$`));
  }
  await monitor.sync(others.slice(0, 1));
  expect((await rulesIn(file)).map(({ correlationId }) => correlationId)).toEqual(['x']);
});
