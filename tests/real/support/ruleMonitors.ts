/** A Prometheus that scrapes the bridge and loads its rule file, and an Alertmanager that sends to the bridge. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { startChild } from './child.ts';
import { startAlertmanager } from './monitors.ts';
import { findPrograms } from './programs.ts';

const EVERY = '1s';

export interface Rule {
  name: string;
  health: string;
  lastError?: string;
  state: string;
  query: string;
}

export interface RuleMonitors {
  rules(): Promise<Rule[]>;
  /** The value of a query's only series; undefined if it has none. */
  value(query: string): Promise<number | undefined>;
}

/**
 * @param address of Prometheus, such as `127.0.0.1:9090`
 * @param ruleFile in its configuration; undefined: none
 */
export async function startRuleMonitors(address: string, bridgeUrl: string, ruleFile?: string): Promise<RuleMonitors> {
  const programs = findPrograms();
  const dir = await mkdtemp(path.join(tmpdir(), 'nodebell-real-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const webhook = `${bridgeUrl}/api/v1/webhooks/alertmanager`;
  const alertmanager = await startAlertmanager(programs['prometheus-alertmanager'], dir, webhook);
  onTestFinished(() => alertmanager.stop());
  const targets = (url: string) => [{ targets: [new URL(url).host] }];
  const config = path.join(dir, 'prometheus.yml');
  await writeFile(
    config,
    stringify({
      global: { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY },
      rule_files: ruleFile === undefined ? [] : [ruleFile],
      scrape_configs: [{ job_name: 'nodebell', static_configs: targets(bridgeUrl) }],
      alerting: { alertmanagers: [{ static_configs: targets(alertmanager.url) }] },
    })
  );
  const prometheus = await startChild({
    command: programs.prometheus,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(dir, 'prometheus')}`,
      `--web.listen-address=${address}`,
      '--web.enable-lifecycle',
      `--rules.alert.resend-delay=${EVERY}`,
    ],
    url: `http://${address}`,
    readyPath: '/-/ready',
  });
  onTestFinished(() => prometheus.stop());
  const ask = async <T>(what: string): Promise<T> => {
    const answer = await fetch(`${prometheus.url}/api/v1/${what}`);
    return ((await answer.json()) as { data: T }).data;
  };
  return {
    rules: async () => (await ask<{ groups: { rules: Rule[] }[] }>('rules')).groups.flatMap(({ rules }) => rules),
    async value(query) {
      const { result } = await ask<{ result: { value: [number, string] }[] }>(
        `query?query=${encodeURIComponent(query)}`
      );
      return result[0] === undefined ? undefined : Number(result[0].value[1]);
    },
  };
}
