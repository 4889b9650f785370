/** Rules for nodes on series that come and go, evaluated by a real Prometheus. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { chainEndpoints } from '../../backend-bridge/contract/chainEndpoints.ts';
import { chainRule } from '../../backend-bridge/src/monitoring/chainRule.ts';
import { ruleFile } from '../../backend-bridge/src/monitoring/monitors/prometheus/monitor.ts';
import type { ShippedEndpoint } from '../../backend-bridge/src/monitoring/monitors/monitor.ts';
import { findPrograms } from './support/programs.ts';

/** Values once a minute in promtool's notation, by instance. */
type Series = Record<string, string>;
/** Whether the rule fires, by minute. */
type Alerts = Record<number, boolean>;

const METRICS = {
  'chain-behind': 'nodebell_chain_fallen_behind_blocks',
  'chain-stalled': 'nodebell_chain_no_progress_seconds',
  'chain-unreachable': 'nodebell_chain_unanswered_seconds',
};

/** @returns the output of promtool; empty: as expected */
function evaluated(correlationId: keyof typeof METRICS, series: Series, alerts: Alerts): string {
  const folder = temporaryFolder();
  const endpoint = chainEndpoints({ chain: { driver: 'ethereum' } }).find((one) => one.correlationId === correlationId);
  const shipped = { kind: 'chain', ...endpoint } as ShippedEndpoint;
  const rule = chainRule({ dnpName: 'geth', shipped, threshold: 10, on: true });
  // Labels and annotations are tested elsewhere.
  writeFileSync(path.join(folder, 'rules.yml'), ruleFile([{ ...rule, labels: {}, annotations: {} }]));
  const cases = {
    rule_files: ['rules.yml'],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([instance, values]) => ({
          series: `${METRICS[correlationId]}{package="geth",instance="${instance}"}`,
          values,
        })),
        alert_rule_test: Object.entries(alerts).map(([minute, isTold]) => ({
          eval_time: `${minute}m`,
          alertname: rule.title,
          exp_alerts: isTold ? [{}] : [],
        })),
      },
    ],
  };
  writeFileSync(path.join(folder, 'cases.yml'), JSON.stringify(cases));
  const { status, stdout, stderr } = spawnSync(findPrograms().promtool, ['test', 'rules', 'cases.yml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

test.each(Object.keys(METRICS) as (keyof typeof METRICS)[])(
  '%s: the values of a new instance take precedence over the last value of an old one',
  (correlationId) => {
    const series = { '10.0.0.1:8080': '700x20 stale', '10.0.0.2:8080': '_x21 700x2 0x100' };
    expect(evaluated(correlationId, series, { 15: true, 23: true, 26: false, 78: false })).toBe('');
  }
);

test('absent values keep the state for an hour', () => {
  const series = { '10.0.0.1:8080': '700x20 stale' };
  expect(evaluated('chain-unreachable', series, { 15: true, 30: true, 79: true, 82: false })).toBe('');
});

test('two bridges that monitor the same node cause one alert', () => {
  const series = { '10.0.0.1:8080': '700x20', '10.0.0.2:8080': '700x10 stale' };
  expect(evaluated('chain-unreachable', series, { 5: true, 15: true })).toBe('');
});
