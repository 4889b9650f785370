/** The history of values from a real Prometheus, and the rule files that it loads. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { ChainHistory, EndpointHistory } from '../../backend-bridge/contract/history.ts';
import { GETH, manifest, PACKAGES } from '../integration/packages.testing.ts';
import { expectProblem, TestBridge } from '../integration/support.ts';
import { alert, endpointOf, patch, PEERS, register } from '../integration/thresholds.testing.ts';
import { findPrograms } from './support/programs.ts';
import { startPrometheusWithPast } from './support/prometheusWithPast.ts';
import { until } from './support/until.ts';

const HOUR = 3600;
const QUERY = 'sum(host_load{mode!="idle"}) * 2';

/** A Go template, quotes, a leading tab, and line breaks of YAML 1.1 only. */
const DESCRIPTION = '\tAt {{ [CONDITION_VALUE] }}, "really"\n\tor more\u2028- so: #';

const asking = (correlationId: string, query: string) => ({
  correlationId,
  url: `http://prometheus.of.the.package/api/v1/query?query=${encodeURIComponent(query)}`,
  interval: '60s',
  conditions: ['[BODY].data.result[0].value[1] <= 80'],
  metric: { min: 0, max: 100, unit: '%' },
  alerts: [alert({ 'failure-threshold': 4, description: DESCRIPTION })],
});

/** Valid grammar and types; fails only during evaluation. */
const WRONG_LABEL = 'label_replace(host_load, "not a name", "$1", "mode", "(.*)")';

async function start(monitors: object, ...endpoints: ReturnType<typeof asking>[]): Promise<TestBridge> {
  const bridge = await TestBridge.start({ monitors });
  onTestFinished(() => bridge.dispose());
  bridge.clock.now = Date.now();
  await register(bridge, { endpoints: [...endpoints, PEERS] });
  return bridge;
}

const historyOf = (id: string): string => `${PACKAGES}/${GETH}/endpoints/${id}/history`;

test('a week of values, and how often they would have fired at different thresholds', async () => {
  const now = Math.floor(Date.now() / 60_000) * 60;
  // Minutes before now, number of minutes, value: the second is too short for four failures.
  const peaks = [
    [6 * 24 * 60, 10, 90],
    [3 * 24 * 60, 3, 90],
    [20 * 60, 30, 99],
    [90, 4, 85],
  ] as const;
  const values = Array.from({ length: 7 * 24 * 60 - 10 }, (_, index): [number, number] => {
    const peak = peaks.find(([before, length]) => index <= before && index > before - length);
    return [now - index * 60, (peak?.[2] ?? 40) / 2];
  });
  const prometheus = await startPrometheusWithPast({ 'host_load{mode="user"}': values.reverse() });
  const bridge = await start({ prometheusUrl: prometheus.url }, asking('load', QUERY), asking('bad', WRONG_LABEL));
  expect((await endpointOf(bridge, 'load')).history).toBe(true);

  const told = await bridge.call<EndpointHistory>('GET', historyOf('load'));
  expect(told).toMatchObject({ threshold: 80, fired: 3, forSeconds: 180, checkedSeconds: 60, stepSeconds: 300 });
  expect(told.samples).toHaveLength(288);
  expect(Math.max(...told.samples.map(([, value]) => value))).toBe(99);
  const high = told.samples.filter(([, value]) => value === 99);
  const [first, last] = [high[0]![0], high.at(-1)![0]];
  expect(first).toBeGreaterThanOrEqual(now - 20 * HOUR);
  expect(last).toBeLessThanOrEqual(now - 19.5 * HOUR + 300);
  expect(told.samples.at(-1)![1]).toBe(40);
  const count = async (threshold: number) =>
    (await bridge.call<EndpointHistory>('GET', `${historyOf('load')}?threshold=${threshold}`)).fired;
  expect([await count(39), await count(80), await count(85), await count(95), await count(99)]).toEqual([
    1, 3, 2, 1, 0,
  ]);

  const refused = expectProblem(await bridge.request('GET', historyOf('bad')), 503);
  expect(refused.detail).toMatch(/^Prometheus rejected the query: .*invalid destination label name/);
});

test('how far a node was behind: the maximum of each five minutes', async () => {
  const now = Math.floor(Date.now() / 300_000) * 300;
  const values = Array.from({ length: 24 * 60 }, (_, index): [number, number] => [
    now - (24 * 60 - 1 - index) * 60,
    index === 1000 ? 1200 : 0,
  ]);
  const node = `nodebell_chain_blocks_behind{chain="ethereum",package="${GETH}"}`;
  const prometheus = await startPrometheusWithPast({ [node]: values });
  const bridge = await start({ prometheusUrl: prometheus.url });
  await bridge.call('PUT', `${PACKAGES}/${GETH}`, { manifest: manifest({ version: '1.1.0', chain: 'ethereum' }) });
  const { samples } = await bridge.call<ChainHistory>('GET', `/api/v1/chains/${GETH}/history`);
  expect(samples.length).toBeGreaterThan(280);
  const high = samples.filter(([, value]) => value > 0);
  expect(high.map(([, value]) => value)).toEqual([1200]);
  expect(high[0]![0]).toBe(now - Math.floor((24 * 60 - 1 - 1000) / 5) * 300);
});

test('an unknown series has an empty history', async () => {
  const prometheus = await startPrometheusWithPast({ other: [[Math.floor(Date.now() / 1000) - 600, 1]] });
  const bridge = await start({ prometheusUrl: prometheus.url }, asking('load', QUERY));
  expect(await bridge.call('GET', historyOf('load'))).toMatchObject({ samples: [], fired: 0 });
});

test('promtool accepts the rule file, whatever texts a package contains', async () => {
  const folder = temporaryFolder();
  const rules = path.join(folder, 'rules.yaml');
  const bridge = await start({ prometheusRules: rules }, asking('load', QUERY), asking('other', 'up == 1'));
  const check = (): string => execFileSync(findPrograms().promtool, ['check', 'rules', rules], { encoding: 'utf8' });
  const applied = () =>
    until('the rules are written', async () => {
      const { effects } = await endpointOf(bridge, 'load');
      return effects.some(({ monitor, state }) => monitor === 'prometheus' && state === 'applied') || undefined;
    });
  await applied();
  expect(check()).toContain('SUCCESS: 2 rules found');
  await patch(bridge, 'load', { threshold: 0.25 });
  await patch(bridge, 'other', { enabled: false });
  await until('one is off', () => Promise.resolve(check().includes('SUCCESS: 1 rules found') || undefined));
});
