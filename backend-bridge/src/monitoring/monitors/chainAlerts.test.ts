/** Rules for nodes in both monitors, and the owner of alerts while they are created. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import type { OpenAlert } from '../chains/store.ts';
import { FakeGrafana } from './grafana/fakeGrafana.testing.ts';
import { grafanaMonitor } from './grafana/monitor.ts';
import { ruleUid } from './grafana/rule.ts';
import { prometheusMonitor } from './prometheus/monitor.ts';
import { type AlertOwnership, createAlertOwnership } from './alertOwnership.ts';
import { QUERIES_AND_NODES } from '../chainRule.ts';
import { endpointKey, type Monitor, type MonitoredEndpoint } from './monitor.ts';

const NODE = 'geth.example.eth';
const endpoint = (correlationId: string, on = true): MonitoredEndpoint => ({
  dnpName: NODE,
  shipped: { kind: 'chain', correlationId, title: 't', isBanner: false, enabled: true, threshold: 5 },
  on,
});
const PEERS = endpoint('chain-peers');
const BEHIND = endpoint('chain-behind');
const BOTH = [PEERS, BEHIND];
const OFF = endpoint('chain-peers', false);

let now: number;
let open: OpenAlert[];
let ownership: AlertOwnership;
beforeEach(() => {
  [now, open] = [0, []];
  ownership = createAlertOwnership({ isEnabled: true, openAlerts: () => Promise.resolve(open), now: () => now });
});
const owned = (): string[] =>
  BOTH.map(({ shipped }) => shipped.correlationId).filter((id) => ownership.isOwnedByRule(NODE, id));
const openByBridge = { dnpName: NODE, correlationId: 'chain-peers', byBridge: true };

/** @returns the reasons of rejected endpoints */
const sync = async (monitor: Monitor, endpoints: readonly MonitoredEndpoint[]) =>
  (await ownership.sync(monitor, endpoints)).rejected;

describe('in Grafana', () => {
  let grafana: FakeGrafana;
  let monitor: Monitor;
  beforeEach(() => {
    grafana = new FakeGrafana();
    monitor = grafanaMonitor({
      client: grafana.client,
      datasource: 'prom',
      webhookUrl: () => 'http://bridge.example/hook',
      token: undefined,
      webhookSecret: undefined,
      rules: QUERIES_AND_NODES,
    });
  });
  const rules = (): string[] =>
    BOTH.map(({ shipped: { correlationId } }) => correlationId).filter((correlationId) =>
      grafana.rules.has(ruleUid({ dnpName: NODE, correlationId }))
    );
  const uid = ruleUid({ dnpName: NODE, correlationId: 'chain-peers' });

  test('a rule for each endpoint, which keeps its state without data; it owns the alerts', async () => {
    expect(await sync(monitor, BOTH)).toEqual(new Map());
    expect([rules(), owned()]).toEqual([
      ['chain-peers', 'chain-behind'],
      ['chain-peers', 'chain-behind'],
    ]);
    expect(grafana.rules.get(uid)).toMatchObject({
      noDataState: 'KeepLast',
      execErrState: 'KeepLast',
      for: '10m',
      labels: { correlationId: 'chain-peers', dnpName: NODE },
      notification_settings: { receiver: 'Nodebell' },
    });
  });

  test('the bridge owns the alerts of a rejected rule until it is created', async () => {
    grafana.rejects.add(uid);
    const rejected = await sync(monitor, BOTH);
    expect([...rejected.keys()]).toEqual([endpointKey(PEERS)]);
    expect(owned()).toEqual(['chain-behind']);
    grafana.rejects.clear();
    await sync(monitor, BOTH);
    expect(owned()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('an existing rule that cannot be changed still owns the alerts', async () => {
    await sync(monitor, BOTH);
    grafana.rejects.add(uid);
    expect((await sync(monitor, [{ ...PEERS, threshold: 9 }, BEHIND])).size).toBe(1);
    expect(owned()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('the bridge owns all alerts while Grafana does not respond', async () => {
    await sync(monitor, BOTH);
    grafana.status = 502;
    await expect(sync(monitor, BOTH)).rejects.toThrow('502');
    expect(owned()).toEqual([]);
    grafana.status = undefined;
    await sync(monitor, BOTH);
    expect(owned()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('a rule is paused or not created while its endpoint is off, and deleted with it', async () => {
    await sync(monitor, [OFF, BEHIND]);
    expect([rules(), owned()]).toEqual([['chain-behind'], ['chain-behind']]);
    await sync(monitor, BOTH);
    await sync(monitor, [OFF, BEHIND]);
    expect(grafana.rules.get(uid)).toMatchObject({ isPaused: true });
    expect(owned()).toEqual(['chain-behind']);
    await sync(monitor, [BEHIND]);
    expect(rules()).toEqual(['chain-behind']);
  });

  test('no rule is created or resumed while the bridge has an open alert', async () => {
    open = [openByBridge];
    expect([...(await sync(monitor, BOTH)).keys()]).toEqual([endpointKey(PEERS)]);
    expect([rules(), owned()]).toEqual([['chain-behind'], ['chain-behind']]);
    open = [];
    await sync(monitor, BOTH);
    expect(rules()).toEqual(['chain-peers', 'chain-behind']);
    await sync(monitor, [OFF, BEHIND]);
    open = [openByBridge];
    await sync(monitor, BOTH);
    expect(grafana.rules.get(uid)).toMatchObject({ isPaused: true });
    expect(owned()).toEqual(['chain-behind']);
  });

  test('while the metrics are not scraped no rule is created, and existing ones get new thresholds', async () => {
    await sync(monitor, [PEERS]);
    now += 5 * 60_000;
    const rejected = await sync(monitor, [{ ...PEERS, threshold: 9 }, BEHIND]);
    expect([...rejected.values()]).toEqual([expect.stringContaining('/metrics'), expect.stringContaining('/metrics')]);
    expect([rules(), owned()]).toEqual([['chain-peers'], []]);
    expect(JSON.stringify(grafana.rules.get(uid))).toContain('"params":[9]');
  });
});

describe('in Prometheus', () => {
  let file: string;
  let reloads: () => Promise<void>;
  /** Whether the file is in `rule_files`. */
  let isNamed: boolean;
  let monitor: Monitor;
  beforeEach(() => {
    const folder = temporaryFolder();
    file = path.join(folder, 'rules.yaml');
    [reloads, isNamed] = [() => Promise.resolve(), true];
    const ruleLabels = async () =>
      (isNamed ? await rules() : []).map((correlationId) => ({ dnpName: NODE, correlationId }));
    const prometheus = { reload: () => reloads(), ruleLabels };
    monitor = prometheusMonitor({ path: file, prometheus, rules: QUERIES_AND_NODES });
  });
  const rules = async (): Promise<string[]> =>
    [...(await readFile(file, 'utf8')).matchAll(/correlationId: (\S+)/g)].map(([, id = '']) => id);

  test('rules own the alerts once the file is loaded', async () => {
    reloads = () => Promise.reject(new Error('not now'));
    await expect(sync(monitor, BOTH)).rejects.toThrow('not now');
    expect(owned()).toEqual([]);
    reloads = () => Promise.resolve();
    await sync(monitor, BOTH);
    expect([await rules(), owned()]).toEqual([
      ['chain-peers', 'chain-behind'],
      ['chain-peers', 'chain-behind'],
    ]);
    await sync(monitor, [OFF, BEHIND]);
    expect([await rules(), owned()]).toEqual([['chain-behind'], ['chain-behind']]);
    reloads = () => Promise.reject(new Error('not now'));
    await expect(sync(monitor, BOTH)).rejects.toThrow('not now');
    expect(owned()).toEqual([]);
  });

  test('the bridge owns the alerts while the file is not in rule_files', async () => {
    isNamed = false;
    const rejected = await sync(monitor, BOTH);
    expect([...rejected.values()]).toEqual([
      expect.stringContaining('rule_files'),
      expect.stringContaining('rule_files'),
    ]);
    expect([await rules(), owned()]).toEqual([['chain-peers', 'chain-behind'], []]);
    isNamed = true;
    await sync(monitor, BOTH);
    expect(owned()).toEqual(['chain-peers', 'chain-behind']);
    isNamed = false;
    await sync(monitor, BOTH);
    expect(owned()).toEqual([]);
  });

  test('a rule is withheld while the bridge has an open alert; an active one stays', async () => {
    open = [openByBridge];
    expect([...(await sync(monitor, BOTH)).keys()]).toEqual([endpointKey(PEERS)]);
    expect([await rules(), owned()]).toEqual([['chain-behind'], ['chain-behind']]);
    open = [];
    await sync(monitor, BOTH);
    open = [openByBridge];
    await sync(monitor, BOTH);
    expect(await rules()).toEqual(['chain-peers', 'chain-behind']);
  });
});
