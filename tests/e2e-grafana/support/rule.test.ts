import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { loadGrafana } from '../../../backend-bridge/src/grafana/provisioning/load.ts';
import { mathRule } from './rule.ts';

const rule = (firing: boolean) =>
  mathRule({ uid: 'e2e', title: 'E2E', folder: 'f', group: 'g', firing, contactPoint: 'grafana-default-email' });

test('Grafana would take it, by what is known of its provisioning', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nodebell-rule-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'alerting'));
  const { folderUID: _, ruleGroup: __, ...asInFile } = rule(true);
  const groups = [{ orgId: 1, name: 'g', folder: 'f', interval: '10s', rules: [asInFile] }];
  await writeFile(path.join(folder, 'alerting', 'rules.yaml'), stringify({ apiVersion: 1, groups }));
  const { findings } = await loadGrafana(folder);
  expect(findings.filter(({ verdict }) => verdict === 'error')).toEqual([]);
});

test('it fires or does not by its expression alone', () => {
  const [firing, resting] = [rule(true), rule(false)].map(({ data }) => data[0]!.model.expression);
  expect([firing, resting]).toEqual(['2 + 3 > 1', '2 + 3 > 10']);
  expect({ ...rule(true), data: [] }).toEqual({ ...rule(false), data: [] });
});
