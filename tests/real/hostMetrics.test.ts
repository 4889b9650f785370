/**
 * An alert from end to end, with only Grafana's layout simulated: metrics of this host, node exporter, Prometheus,
 * Alertmanager, the bridge and the page. The tests run in order and depend on each other.
 */
import { statfs } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stored, TestBridge } from '../e2e/support/bridge.ts';
import { PluginPage } from './support/pluginPage.ts';
import { type AlertRule, type Monitors, startMonitors } from './support/monitors.ts';
import { until } from './support/until.ts';

/** Free space of / in percent, below a threshold that the test changes. */
const DISK: AlertRule = {
  alert: 'HostDiskFree',
  expr: 'max by (instance) (100 * node_filesystem_avail_bytes{mountpoint="/"} / node_filesystem_size_bytes{mountpoint="/"}) < on (instance) disk_free_threshold_percent',
  labels: {
    severity: 'critical',
    category: 'hardware',
    package: 'dms.dnp.dappnode.eth',
    correlationId: 'host-disk-free',
    isBanner: 'true',
  },
  annotations: { summary: 'Little disk space is left', description: 'Only {{ printf "%.2f" $value }} % of / is free.' },
};
/** Always true: a firing alert must not be sent again because another one changes. */
const LOAD: AlertRule = {
  alert: 'HostLoadKnown',
  expr: 'node_load1 >= 0',
  labels: { severity: 'info', category: 'hardware', correlationId: 'host-load' },
  annotations: { summary: 'The load is known' },
};
const TITLE = DISK.annotations['summary'] as string;
const ALWAYS = 101;
const NEVER = -1;

let bridge: TestBridge;
let monitors: Monitors;
let inbox: PluginPage;

/** Members of a thread, newest first. */
type Member = Stored & { thread: { state: string; count: number } };

const members = async (correlationId: string) => (await bridge.list(`correlationId=${correlationId}`)) as Member[];

/** Waits until the thread has this many members. */
const whenThere = (correlationId: string, count: number) =>
  until(`${count} notifications in the thread ${correlationId}`, async () => {
    const found = await members(correlationId);
    return found.length >= count ? found : undefined;
  });

async function threshold(value: number): Promise<void> {
  await monitors.setMetric('disk_free_threshold_percent', value);
}

const whenDelivered = async (times: number) => {
  const before = await monitors.delivered();
  return until(`${times} deliveries`, async () => ((await monitors.delivered()) >= before + times ? true : undefined));
};

beforeAll(async () => {
  bridge = await TestBridge.start();
  monitors = await startMonitors({ webhookUrl: `${bridge.url}/api/v1/webhooks/alertmanager`, rules: [DISK, LOAD] });
  inbox = await PluginPage.open(bridge, 'Inbox');
});

afterAll(async () => {
  // Each is closed even if closing another one fails.
  await Promise.allSettled([inbox?.close(), monitors?.stop()]);
  await bridge?.dispose();
});

describe('a rule on metrics of this host', () => {
  it('fires: the inbox contains a notification with its value, and the page shows it with a banner', async () => {
    expect(await members('host-disk-free')).toEqual([]);
    await threshold(ALWAYS);
    const [stored] = await whenThere('host-disk-free', 1);
    const { bavail, blocks } = await statfs('/');
    expect(stored).toMatchObject({
      title: TITLE,
      category: 'hardware',
      dnpName: 'dms.dnp.dappnode.eth',
      priority: 'critical',
      status: 'triggered',
      isBanner: true,
      seen: false,
      source: 'alertmanager',
      callToAction: { title: 'Open in Prometheus' },
      thread: { state: 'open', count: 1 },
    });
    const told = /^Only (\d+\.\d\d) % of \/ is free\.$/.exec(stored!['body'] as string)?.[1];
    expect(Math.abs(Number(told) - (100 * bavail) / blocks)).toBeLessThan(5);

    await inbox.row(TITLE).filter({ hasText: 'Critical' }).filter({ hasText: 'Open' }).waitFor();
    await inbox.banner(TITLE).waitFor();
  });

  it('keeps firing: repeats of Alertmanager change nothing', async () => {
    await whenThere('host-load', 1);
    await whenDelivered(3);
    expect(await members('host-disk-free')).toHaveLength(1);
    expect(await members('host-load')).toHaveLength(1);
  });

  it('resolves: the thread is resolved, and its banner is removed from the page', async () => {
    expect(await inbox.banner(TITLE).count()).toBe(1);
    await threshold(NEVER);
    const [end, beginning] = await whenThere('host-disk-free', 2);
    expect(end).toMatchObject({ status: 'resolved', thread: { state: 'resolved', count: 2 } });
    expect(beginning).toMatchObject({ status: 'triggered', thread: { state: 'resolved' } });

    await inbox.row(TITLE).filter({ hasText: 'Resolved' }).waitFor();
    await inbox.banner(TITLE).waitFor({ state: 'detached' });
    // The webhook with the resolve contained the other rule as well.
    const [load, ...more] = await members('host-load');
    expect([load?.thread.state, more]).toEqual(['open', []]);
  });

  it('fires again while the bridge is stopped: Alertmanager sends it when the bridge is back', async () => {
    await bridge.stop('SIGKILL');
    await threshold(ALWAYS);
    await until('Prometheus sees it', async () => ((await monitors.firing()).includes(DISK.alert) ? true : undefined));
    await bridge.start();
    const [newest, ...before] = await whenThere('host-disk-free', 3);
    expect(newest).toMatchObject({ status: 'triggered', thread: { state: 'open', count: 3 } });
    expect(before.map((member) => member['status'])).toEqual(['resolved', 'triggered']);

    await inbox.row(TITLE).filter({ hasText: 'Open' }).waitFor();
    await inbox.banner(TITLE).waitFor();
    expect(inbox.errors).toEqual([]);
  });
});
