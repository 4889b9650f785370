/** Rules for nodes, in both monitors, and who tells of nodes while they are made. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { OpenAlert } from '../chains/store.ts';
import { FakeGrafana } from './grafana/fakeGrafana.testing.ts';
import { grafanaMonitor } from './grafana/monitor.ts';
import { ruleUid } from './grafana/rule.ts';
import { prometheusMonitor } from './prometheus/rules.ts';
import { endpointKey, type MonitorWriter, PartlyWritten } from './reconciler.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';
import { createHandover, type Handover } from './alertOwnership.ts';
import { QUERIES_AND_NODES } from './ruleSource.ts';

const NODE = 'geth.example.eth';
const endpoint = (correlationId: string, on = true): WatchedEndpoint => ({
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
let handover: Handover;
beforeEach(() => {
  [now, open] = [0, []];
  handover = createHandover({ isWanted: true, openNotices: () => Promise.resolve(open), now: () => now });
});
const told = (): string[] => BOTH.map(({ shipped }) => shipped.correlationId).filter((id) => handover.told(NODE, id));
const openByBridge = { dnpName: NODE, correlationId: 'chain-peers', byBridge: true };

/** @returns what is refused, by endpoint */
async function write(
  monitor: MonitorWriter,
  endpoints: readonly WatchedEndpoint[]
): Promise<ReadonlyMap<string, string>> {
  try {
    await monitor.write(endpoints);
    return new Map();
  } catch (error) {
    if (error instanceof PartlyWritten) {
      return error.refused;
    }
    throw error;
  }
}

describe('in Grafana', () => {
  let grafana: FakeGrafana;
  let monitor: MonitorWriter;
  beforeEach(() => {
    grafana = new FakeGrafana();
    monitor = grafanaMonitor({
      client: grafana.client,
      datasource: 'prom',
      webhookUrl: () => 'http://bridge.example/hook',
      token: undefined,
      webhookSecret: undefined,
      rules: QUERIES_AND_NODES,
      handover,
    });
  });
  const rules = (): string[] =>
    BOTH.map(({ shipped: { correlationId } }) => correlationId).filter((correlationId) =>
      grafana.rules.has(ruleUid({ dnpName: NODE, correlationId }))
    );
  const uid = ruleUid({ dnpName: NODE, correlationId: 'chain-peers' });

  test('a rule for each, which keeps what was last while there is no value; the bridge is silent from then on', async () => {
    expect(await write(monitor, BOTH)).toEqual(new Map());
    expect([rules(), told()]).toEqual([
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

  test('the bridge goes on telling of one that is refused, until it is taken', async () => {
    grafana.refuses.add(uid);
    const refused = await write(monitor, BOTH);
    expect([...refused.keys()]).toEqual([endpointKey(PEERS)]);
    expect(told()).toEqual(['chain-behind']);
    grafana.refuses.clear();
    await write(monitor, BOTH);
    expect(told()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('a rule that is there and cannot be changed still tells', async () => {
    await write(monitor, BOTH);
    grafana.refuses.add(uid);
    expect((await write(monitor, [{ ...PEERS, threshold: 9 }, BEHIND])).size).toBe(1);
    expect(told()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('the bridge tells of everything while Grafana does not answer', async () => {
    await write(monitor, BOTH);
    grafana.status = 502;
    await expect(monitor.write(BOTH)).rejects.toThrow('502');
    expect(told()).toEqual([]);
    grafana.status = undefined;
    await write(monitor, BOTH);
    expect(told()).toEqual(['chain-peers', 'chain-behind']);
  });

  test('one that is switched off is paused, or not made; one that is gone is taken away', async () => {
    await write(monitor, [OFF, BEHIND]);
    expect([rules(), told()]).toEqual([['chain-behind'], ['chain-behind']]);
    await write(monitor, BOTH);
    await write(monitor, [OFF, BEHIND]);
    expect(grafana.rules.get(uid)).toMatchObject({ isPaused: true });
    expect(told()).toEqual(['chain-behind']);
    await write(monitor, [BEHIND]);
    expect(rules()).toEqual(['chain-behind']);
  });

  test('while the bridge has told of it, no rule is made or begins again', async () => {
    open = [openByBridge];
    expect([...(await write(monitor, BOTH)).keys()]).toEqual([endpointKey(PEERS)]);
    expect([rules(), told()]).toEqual([['chain-behind'], ['chain-behind']]);
    open = [];
    await write(monitor, BOTH);
    expect(rules()).toEqual(['chain-peers', 'chain-behind']);
    await write(monitor, [OFF, BEHIND]);
    open = [openByBridge];
    await write(monitor, BOTH);
    expect(grafana.rules.get(uid)).toMatchObject({ isPaused: true });
    expect(told()).toEqual(['chain-behind']);
  });

  test('while nothing reads the metrics no rule is made, and those that are there follow the slider', async () => {
    await write(monitor, [PEERS]);
    now += 5 * 60_000;
    const refused = await write(monitor, [{ ...PEERS, threshold: 9 }, BEHIND]);
    expect([...refused.values()]).toEqual([expect.stringContaining('/metrics'), expect.stringContaining('/metrics')]);
    expect([rules(), told()]).toEqual([['chain-peers'], []]);
    expect(JSON.stringify(grafana.rules.get(uid))).toContain('"params":[9]');
  });
});

describe('in Prometheus', () => {
  let file: string;
  let reloads: () => Promise<void>;
  /** The file, in `rule_files`. */
  let isNamed: boolean;
  let monitor: MonitorWriter;
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'nodebell-rules-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    file = path.join(folder, 'rules.yaml');
    [reloads, isNamed] = [() => Promise.resolve(), true];
    const listed = async () =>
      (isNamed ? await rules() : []).map((correlationId) => ({ dnpName: NODE, correlationId }));
    const prometheus = { reload: () => reloads(), listed };
    monitor = prometheusMonitor({ path: file, prometheus, rules: QUERIES_AND_NODES, handover });
  });
  const rules = async (): Promise<string[]> =>
    [...(await readFile(file, 'utf8')).matchAll(/correlationId: (\S+)/g)].map(([, id = '']) => id);

  test('the bridge is silent once the file is read', async () => {
    reloads = () => Promise.reject(new Error('not now'));
    await expect(monitor.write(BOTH)).rejects.toThrow('not now');
    expect(told()).toEqual([]);
    reloads = () => Promise.resolve();
    await write(monitor, BOTH);
    expect([await rules(), told()]).toEqual([
      ['chain-peers', 'chain-behind'],
      ['chain-peers', 'chain-behind'],
    ]);
    await write(monitor, [OFF, BEHIND]);
    expect([await rules(), told()]).toEqual([['chain-behind'], ['chain-behind']]);
    reloads = () => Promise.reject(new Error('not now'));
    await expect(monitor.write(BOTH)).rejects.toThrow('not now');
    expect(told()).toEqual([]);
  });

  test('what Prometheus reads without the file is told by the bridge', async () => {
    isNamed = false;
    const refused = await write(monitor, BOTH);
    expect([...refused.values()]).toEqual([
      expect.stringContaining('rule_files'),
      expect.stringContaining('rule_files'),
    ]);
    expect([await rules(), told()]).toEqual([['chain-peers', 'chain-behind'], []]);
    isNamed = true;
    await write(monitor, BOTH);
    expect(told()).toEqual(['chain-peers', 'chain-behind']);
    isNamed = false;
    await write(monitor, BOTH);
    expect(told()).toEqual([]);
  });

  test('what the bridge has told is left out until it is over; a rule that stood stays', async () => {
    open = [openByBridge];
    expect([...(await write(monitor, BOTH)).keys()]).toEqual([endpointKey(PEERS)]);
    expect([await rules(), told()]).toEqual([['chain-behind'], ['chain-behind']]);
    open = [];
    await write(monitor, BOTH);
    open = [openByBridge];
    await write(monitor, BOTH);
    expect(await rules()).toEqual(['chain-peers', 'chain-behind']);
  });
});
